import type { EnginePorts } from './engine-ports.ts';
import type { EngineSettings } from './engine-settings.ts';
import type { KindTable } from './records/kind.ts';
import type { SpaceIndexes } from './search/space-indexes.ts';
import type { SpaceVisits } from './upkeep/space-visits.ts';

/** What the verbs are made of; built once by createEngine. */
export interface EngineParts extends Omit<EnginePorts, 'kinds'> {
  kinds: KindTable;
  settings: EngineSettings;
  indexes: SpaceIndexes;
  tally: Tally;
  visits: SpaceVisits;
}

/** What this process has counted and noticed since it started; shown by checkHealth. */
export interface Tally {
  searches: number;
  searchMs: number;
  /** Problems of background work by name; removed when the work succeeds again. */
  problems: Map<string, string>;
  /** Work that was started without waiting for it; close() does. */
  unfinished: Set<Promise<void>>;
}

export function createTally(): Tally {
  return { searches: 0, searchMs: 0, problems: new Map(), unfinished: new Set() };
}
