import type { Caller } from '../model/caller.ts';
import type { Instant, RecordId, SpaceId } from '../model/ids.ts';
import type { RecordKind, StoredRecord } from '../model/record.ts';
import type { ReadSaid } from '../model/said-line.ts';
import type { SpaceIndexes } from '../search/space-indexes.ts';
import type { EngineSettings } from './engine-settings.ts';
import type { StateOf } from './keep-states.ts';
import type { TimeKeeper } from './maintenance/believed-time.ts';
import type { SpaceVisits } from './maintenance/space-visits.ts';
import type { Clock, Embedder, Log, Records, Relations, Secrets, Sharing, Store } from './ports.ts';
import type { DeletedRecords, DeleteRecordsInput } from './records/deletion.ts';
import type { KindTable } from './records/kind.ts';
import type { Filters } from './records/resolve-filter.ts';
import type { AllRejections } from './rejections/space-rejections.ts';
import type { Search } from './searches/search-parts.ts';
import type { Tally } from './tally.ts';

/** What the verbs are made of; built once by createEngine. */
export interface EngineParts extends EnginePorts {
  kinds: KindTable;
  settings: EngineSettings;
  indexes: SpaceIndexes;
  search: Search;
  /** What features keep in memory of a store. */
  state: StateOf;
  filters: Filters;
  /** Work of features in the background, in the order in which it is done. */
  jobs: readonly Job[];
  removing: RemovingByKind;
  /** Asked one after the other before a record that was restored is given back. */
  restoring: readonly (() => Promise<Restoring>)[];
  /** Asked one after the other about memories that are about to be given to somebody who did not ask for them. */
  outdated: readonly (() => Promise<FindOutdated>)[];
  rejections: AllRejections;
  tally: Tally;
  visits: SpaceVisits;
  time: TimeKeeper;
}

/** Work in the background that one process at a time does, space by space. */
export interface Job {
  /** What it has done is counted under this name in the report of a round. */
  readonly name: string;
  /** Asked in every round before anything is loaded for it. */
  isDue(core: EngineParts): boolean;
  readonly run: () => Promise<(core: EngineParts, work: JobWork) => Promise<JobDone>>;
}

export interface JobWork {
  space: SpaceId;
  /** Asked before each step; false stops the work, which goes on in a later round. */
  goOn: () => Promise<boolean>;
}

export interface JobDone {
  count: number;
  /** False: some is left for a later round. */
  complete: boolean;
  /** When there will be something to do although nobody writes. */
  dueAt: Instant | null;
}

/** How records of a kind are deleted and come back where more than the record itself changes. */
export interface Removing {
  delete(core: EngineParts, caller: Caller, input: Omit<DeleteRecordsInput, 'kind'>): Promise<DeletedRecords>;
  restore(
    core: EngineParts,
    caller: Caller,
    refs: readonly string[],
  ): Promise<{ restored: StoredRecord[]; missing: string[] }>;
  /** Takes what people have rejected out of records that stay. */
  cutRejected(core: EngineParts, work: { space: SpaceId; actor: string }): Promise<void>;
}
export type RemovingByKind = Readonly<Record<RecordKind, () => Promise<Removing>>>;

/** Gives a record that was just restored back as it should be; most are as they should be. */
export type Restoring = (core: EngineParts, caller: Caller, record: StoredRecord) => Promise<StoredRecord>;

/** Finds those of the records that were made of others that do not say so any more. */
export type FindOutdated = (
  store: Records & Relations,
  space: SpaceId,
  work: { records: readonly StoredRecord[]; at: Instant },
) => Promise<ReadonlySet<RecordId>>;

/** What an engine is made of. Features join what they take of their own, which may be absent. */
export interface EnginePorts {
  store: Store;
  /** null: text search alone. */
  embedder: Embedder | null;
  /** The one before it was changed: searches use it while more passages have its vectors. */
  previousEmbedder?: Embedder | null;
  clock: Clock;
  log: Log;
  /** Absent: no teams by name, nothing can be published. */
  sharing?: Sharing;
  /** Reads what was said out of lines of agents' transcripts; absent: transcripts are kept and scanned, but not ranked. */
  readSaid?: ReadSaid;
  /** Keeps secrets of the server's own under a name; absent: there are no write tokens. */
  secrets?: Secrets;
}
