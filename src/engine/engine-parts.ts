import type { ForgetMode } from '../features/consolidation/consolidation.ts';
import type { DocumentReader } from '../features/documents/document-reader.ts';
import type { Summarizer } from '../features/summaries/summarizer-port.ts';
import type { Caller } from '../model/caller.ts';
import type { Instant, RecordId, SpaceId } from '../model/ids.ts';
import type { OnDuplicate } from '../model/memory-types.ts';
import type { RecordKind, StoredRecord } from '../model/record.ts';
import type { RedactMode } from '../model/redaction.ts';
import type { ReadSaid } from '../model/said-line.ts';
import type { SpaceIndexes } from '../search/space-indexes.ts';
import type { StateOf } from './keep-states.ts';
import type { TimeKeeper } from './maintenance/believed-time.ts';
import type { SpaceVisits } from './maintenance/space-visits.ts';
import type { Clock, Embedder, Log, Records, Relations, Secrets, Sharing, Store } from './ports.ts';
import type { DeletedRecords, DeleteRecordsInput } from './records/deletion.ts';
import type { KindTable } from './records/kind.ts';
import type { Filters } from './records/resolve-filter.ts';
import type { AllRejections } from './rejections/space-rejections.ts';
import type { Search, SearchSettings } from './searches/search-parts.ts';
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
  outdated: readonly FindOutdated[];
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

/** What an engine is made of. */
export interface EnginePorts {
  store: Store;
  /** null: text search alone. */
  embedder: Embedder | null;
  /** The one before it was changed: searches use it while more passages have its vectors. */
  previousEmbedder?: Embedder | null;
  clock: Clock;
  log: Log;
  /** Absent or null: observations keep the summaries that rules make, and nothing is spent. */
  summarizer?: Summarizer | null;
  /** Absent or null: no documents are taken in. */
  documents?: DocumentReader | null;
  /** Absent: no teams by name, nothing can be published. */
  sharing?: Sharing;
  /** Reads what was said out of lines of agents' transcripts; absent: transcripts are kept and scanned, but not ranked. */
  readSaid?: ReadSaid;
  /** What the operator has to say to everybody who reads the workspaces. */
  welcome?: (() => Promise<string>) | undefined;
  /** Keeps secrets of the server's own under a name; absent: there are no write tokens. */
  secrets?: Secrets;
}

/** What the operator decides; `settings/config.ts` fills it. */
export interface EngineSettings extends SearchSettings {
  onDuplicate: OnDuplicate;
  /** Similarity from which a memory is called a near duplicate. */
  duplicateThreshold: number;
  /** How far back near duplicates are looked for; 0: any age. */
  duplicateWindowHours: number;
  /** Longest content of one memory, in characters. */
  maxContentChars: number;
  /** Largest document that is taken in, in bytes. */
  maxDocumentBytes: number;
  /** Split longer content into several memories of at most this many characters; 0: never. */
  splitChars: number;
  splitOverlapChars: number;
  /** Changes that the feed keeps for whoever comes back; absent: two thousand. */
  keptChanges?: number;
  /** Deleted memories can be restored this long, then they are purged. */
  keepDeletedDays: number;
  /** What happened in sessions is purged after so long, what came of them stays; 0: never. */
  keepObservationsDays: number;
  /** Transcripts are purged so long after their session began; 0: never. */
  keepTranscriptsDays: number;
  /** What is done about secrets in what is about to be stored. */
  redact: RedactMode;
  /** Most lines and tokens of what a session is given by itself; 0: nothing is given. */
  contextMaxEntries: number;
  contextMaxTokens: number;
  /** How long choosing it may take. */
  contextTimeoutMs: number;
  /** Most calls of the summarizer a day and space; 0: any number. */
  summarizerDailyCalls: number;
  /** May the summarizer be asked what a memory is worth. */
  qualityScorer: boolean;
  /** Memories with such a tag, or of such a type, are never forgotten or merged away. */
  protectedTags: readonly string[];
  protectedTypes: readonly string[];
  /** When consolidation runs by itself; empty: never. */
  consolidationSchedule: readonly string[];
  consolidationForget: ForgetMode;
  /** Store what many memories say together as memories of their own, when somebody asks for maintenance. */
  insightCards: boolean;
  /** Let maintenance put the older of two memories that plainly contradict each other behind the newer. */
  maintainAutoResolve: boolean;
  insightExcludeTags: readonly string[];
  /** Patterns of the person's own whose matches leave the program nowhere, as the setting gives them. */
  privacyPatterns: readonly unknown[];
  /** Where this server is reached, without a slash at the end. */
  publicUrl?: string | null;
}
