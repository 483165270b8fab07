import type { Kind } from '../../engine/records/kind.ts';
import { derivedRecordId, type Instant, type RecordId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import { hashContent, type StoredRecord } from '../../model/record.ts';
import type { QualityFacts } from '../quality/quality.ts';
import type { ConsolidationRun, Horizon } from './consolidation.ts';

/** What consolidation has done: a record for each run, records with what undoes it, and one with what is due. */
export const runKind: Kind = {
  name: 'consolidation',
  plural: 'consolidations',
  staysHere: true,
  code: 30,
  ownVerbs: ['store', 'update', 'delete', 'restore'],
  isFoundByNameOnly: true,
  // Nobody searches for them, and words that nobody searches for would still count in the ranking of everything else.
  listPassages: () => [],
  derive(record) {
    const content = describe(record.body as unknown as RunBody);
    return { ...record, title: content, content, contentHash: hashContent(`${content} ${record.key}`) };
  },
  findFaults: ({ body: { what } }) =>
    ['run', 'part', 'state'].includes(String(what)) ? [] : ['it says not what it is'],
};

export type RunBody = RunHead | RunPart | RunStateBody;

export interface RunHead extends Omit<ConsolidationRun, 'id'> {
  what: 'run';
  notices: string[];
}

/** What undoes one change. Each says what the record was like, as far as the change touched it. */
export type UndoEntry =
  | { what: 'quality'; id: RecordId; quality: number; facts: QualityFacts | null }
  | { what: 'archived'; id: RecordId }
  | { what: 'merged'; id: RecordId; into: RecordId; key: string | null }
  | { what: 'labels'; id: RecordId; tags: readonly string[]; given: readonly string[] }
  | { what: 'made'; id: RecordId; contentHash: string }
  | { what: 'related'; from: RecordId; to: RecordId; type: string };

export interface RunPart {
  what: 'part';
  run: RecordId;
  number: number;
  entries: UndoEntry[];
  undoneAt: Instant | null;
}

export interface RunStateBody {
  what: 'state';
  /** Since when anything runs by itself here: what was due before was nobody's wish. */
  since: Instant;
  paused: Horizon[];
  last: Partial<Record<Horizon, Instant>>;
  /** Where each horizon's next run goes on. */
  cursors: Partial<Record<Horizon, string>>;
  maintained: JsonObject | null;
}

/** Made when it is asked for: what hashes takes a start milliseconds to load. */
export function stateId(): RecordId {
  return derivedRecordId('consolidation\nstate');
}

export function toRun(record: Pick<StoredRecord, 'id' | 'body'>): ConsolidationRun {
  const { what: _, notices: __, ...run } = record.body as unknown as RunHead;
  return { id: record.id, ...run };
}

function describe(body: RunBody): string {
  if (body.what === 'state') return 'What consolidation has to do next';
  if (body.what === 'part') return `Part ${body.number} of what undoes the run ${body.run}`;
  return `Consolidation: ${body.purpose}, ${body.state}`;
}
