import type { Caller } from '../model/caller.ts';
import type { FeedEntry } from '../model/change.ts';
import type { ListFilter } from '../model/filter.ts';
import type { Instant, RecordId } from '../model/ids.ts';
import type {
  Memory,
  OnDuplicate,
  StoreMemoryInput,
  StoreOutcome,
  UpdateMemoryInput,
  UpdateOutcome,
} from '../model/memory.ts';
import type { MemoryTypes } from '../model/memory-types.ts';
import type { Page } from '../model/page.ts';
import type { EmbedderId } from '../model/passage.ts';
import type { RecordVersion } from '../model/record.ts';
import type { SearchQuery, SearchResult } from '../model/search.ts';
import { createTally, type EngineParts, type Tally } from './engine-parts.ts';
import { exportRecords } from './exchange/export-records.ts';
import { type FollowedPage, type FollowOptions, followChanges } from './follow-changes.ts';
import { type ListChangesInput, listChanges } from './list-changes.ts';
import { checkHealth } from './memories/check-health.ts';
import { countLabels } from './memories/count-labels.ts';
import { deleteMemories } from './memories/delete-memories.ts';
import { getMemories } from './memories/get-memories.ts';
import { listMemories } from './memories/list-memories.ts';
import { listVersions } from './memories/list-versions.ts';
import { purgeMemories } from './memories/purge-memories.ts';
import { restoreMemories } from './memories/restore-memories.ts';
import { storeMemories } from './memories/store-memories.ts';
import { storeMemory } from './memories/store-memory.ts';
import { updateMemory } from './memories/update-memory.ts';
import { createPacketVerbs, type PacketVerbs } from './packets/packet-verbs.ts';
import type { Clock, Embedder, Log, PageRequest, Sharing, Store, StoreFacts } from './ports.ts';
import type { RankingStep } from './search/ranking-steps.ts';
import { createSearch } from './search/search.ts';
import { createSpaceIndexes } from './search/space-indexes.ts';
import { createSpaceVisits } from './upkeep/space-visits.ts';

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
}

/** What the operator decides; `server/config.ts` fills it. */
export interface EngineSettings {
  memoryTypes: MemoryTypes;
  onDuplicate: OnDuplicate;
  /** Similarity from which a memory is called a near duplicate. */
  duplicateThreshold: number;
  /** How far back near duplicates are looked for; 0: any age. */
  duplicateWindowHours: number;
  /** Longest content of one memory, in characters. */
  maxContentChars: number;
  /** Split longer content into several memories of at most this many characters; 0: never. */
  splitChars: number;
  splitOverlapChars: number;
  /** Default of SearchQuery.maxChars; 0: unlimited. */
  maxResponseChars: number;
  /** Bytes that all loaded indexes together may take. */
  indexBudgetBytes: number;
  /** Cut the tail of the index into a segment past this many passages. */
  flushPassages: number;
  /** Deleted memories can be restored this long, then they are purged. */
  keepDeletedDays: number;
  timeZone: string;
  /** How much words and meaning count in hybrid search; 1 is as measured. */
  wordsWeight: number;
  meaningWeight: number;
  /** Where this server is reached, without a slash at the end. */
  publicUrl?: string | null;
  /** Parts of the ranking to leave out, for measuring what each is worth; none otherwise. */
  rankWithout: readonly RankingStep[];
}

/** Everything the product can do. Each verb is a file; this is the table of contents. */
export interface Engine extends PacketVerbs {
  storeMemory(caller: Caller, input: StoreMemoryInput): Promise<StoreOutcome>;
  /** Many at once: one commit for a batch, an outcome for each, in order. */
  storeMemories(caller: Caller, inputs: readonly StoreMemoryInput[]): Promise<StoreOutcome[]>;
  /** By id, content hash or key. `missing` names what was not found: absent, foreign and purged look the same. */
  getMemories(caller: Caller, input: GetMemoriesInput): Promise<{ memories: Memory[]; missing: string[] }>;
  listMemories(caller: Caller, input: ListMemoriesInput): Promise<Page<Memory>>;
  updateMemory(caller: Caller, input: UpdateMemoryInput): Promise<UpdateOutcome>;
  deleteMemories(caller: Caller, input: DeleteMemoriesInput): Promise<DeleteOutcome>;
  restoreMemories(caller: Caller, refs: readonly string[]): Promise<{ restored: Memory[]; missing: string[] }>;
  /** Earlier states of one memory, newest first; those it superseded follow through `supersededBy`. */
  listVersions(caller: Caller, ref: string): Promise<RecordVersion[]>;
  /** For good, words in the index included. Needs the admin scope. */
  purgeMemories(caller: Caller, refs: readonly string[]): Promise<{ purged: RecordId[] }>;
  search(caller: Caller, query: SearchQuery): Promise<SearchResult>;
  /** Removes the vectors of embedders that are not in use; needs the admin scope. Returns how many. */
  dropVectors(caller: Caller, embedders: readonly EmbedderId[]): Promise<number>;
  countLabels(
    caller: Caller,
    label: 'tag' | 'type' | 'project' | 'agent' | 'kind',
  ): Promise<{ value: string; count: number }[]>;
  checkHealth(caller: Caller): Promise<Health>;
  /** What is written in the caller's spaces from now on, or from a position on, whichever process writes it. */
  followChanges(caller: Caller, options: FollowOptions): AsyncGenerator<FollowedPage>;
  /** The change feed of the caller's space, in order; needs the admin scope. */
  listChanges(caller: Caller, input: ListChangesInput): Promise<FeedEntry[]>;
  /** JSON lines, header first; see docs/export-format.md. */
  exportRecords(caller: Caller, options: ExportOptions): AsyncIterable<string>;
  importRecords(caller: Caller, lines: AsyncIterable<string>, options: ImportOptions): Promise<ImportReport>;
  examine(caller: Caller, options: ExamineOptions): Promise<ExamineReport>;
  /** One round of background work: flush and merge the index, embed what is pending, purge what is past its time. */
  runUpkeep(signal?: AbortSignal, options?: UpkeepOptions): Promise<UpkeepReport>;
  close(): Promise<void>;
}

export interface GetMemoriesInput {
  refs: readonly string[];
  /** Where a ref is a key: the project it belongs to. */
  project?: string;
  includeDeleted?: boolean;
}

export interface ListMemoriesInput {
  filter?: ListFilter;
  page?: Partial<PageRequest>;
  /** Time texts, read in the caller's zone. */
  after?: string;
  before?: string;
  /** Not created, changed or read in this many days. */
  staleDays?: number;
}

export interface DeleteMemoriesInput {
  /** Ids, content hashes, or keys. */
  refs?: readonly string[];
  project?: string;
  /** Or everything that passes; an empty filter is refused. */
  filter?: ListFilter;
  after?: string;
  before?: string;
  dryRun?: boolean;
  /** Only at this revision; with one ref. */
  revision?: number;
}

export interface DeleteOutcome {
  outcome: 'deleted' | 'would_delete';
  /** The first hundred; `count` says how many in all. */
  memories: Memory[];
  count: number;
  missing: string[];
}

export interface Health {
  status: 'healthy' | 'degraded';
  version: string;
  problems: string[];
  facts: StoreFacts;
  tags: number;
  createdThisWeek: number;
  /** `pending`: memories without its vectors. `searching`: whose vectors searches use, another id while a change of embedder is under way. */
  embedder: { id: string; dimensions: number; pending: number; searching: string } | null;
  index: { spaces: number; passages: number; bytes: number; head: number };
  searches: { total: number; averageMs: number };
}

export interface ExportOptions {
  includeDeleted?: boolean;
  includeVersions?: boolean;
  filter?: ListFilter;
}

export interface ImportOptions {
  dryRun?: boolean;
  /** Mark everything as untrusted, whatever the file says. */
  untrusted?: boolean;
  onProgress?: (done: number) => void;
}

export interface ImportReport {
  records: number;
  /** Already there, same content. */
  unchanged: number;
  /** Already there and different: left alone, named. */
  conflicts: string[];
  versions: number;
  relations: number;
  /** Line number and reason of lines that could not be read; any makes the import fail before it writes. */
  problems: { line: number; message: string }[];
}

export interface ExamineOptions {
  repair?: boolean;
  /** Where the copy made before a repair goes; null: none is made. */
  backupPath?: string | null;
  onProgress?: (step: string, done: number, total: number) => void;
}

export interface ExamineReport {
  sound: boolean;
  checks: { name: string; ok: boolean; detail: string }[];
  repaired: string[];
  backup: string | null;
  checkedAt: Instant;
}

export interface UpkeepOptions {
  /** Purge even if it is more than a twentieth of a space at once, which could also be a clock that jumped. */
  confirmPurge?: boolean;
  /** Memories that were given vectors so far in this round. */
  onEmbedded?: (done: number) => void;
}

export interface UpkeepReport {
  flushed: number;
  merged: number;
  embedded: number;
  purged: number;
}

/** Joins the verbs; opening nothing by itself, it costs no time. `close` closes the store and the embedder too. */
export function createEngine(ports: EnginePorts, settings: EngineSettings): Engine {
  const indexes = createSpaceIndexes(ports, settings);
  const parts: EngineParts = {
    ...ports,
    settings,
    indexes,
    tally: createTally(),
    visits: createSpaceVisits(ports.store, ports.clock),
  };
  const searchIndexes = createSearch(ports, settings, indexes);
  const search: Engine['search'] = (caller, query) => countSearch(parts.tally, () => searchIndexes(caller, query));
  let closing: Promise<void> | null = null;
  return {
    ...createPacketVerbs(parts, search),
    storeMemory: (caller, input) => storeMemory(parts, caller, input),
    storeMemories: (caller, inputs) => storeMemories(parts, caller, inputs),
    getMemories: (caller, input) => getMemories(parts, caller, input),
    listMemories: (caller, input) => listMemories(parts, caller, input),
    updateMemory: (caller, input) => updateMemory(parts, caller, input),
    deleteMemories: (caller, input) => deleteMemories(parts, caller, input),
    restoreMemories: (caller, refs) => restoreMemories(parts, caller, refs),
    listVersions: (caller, ref) => listVersions(parts, caller, ref),
    purgeMemories: (caller, refs) => purgeMemories(parts, caller, refs),
    search,
    dropVectors: async (caller, embedders) =>
      (await import('./memories/drop-vectors.ts')).dropVectors(parts, caller, embedders),
    countLabels: (caller, label) => countLabels(parts, caller, label),
    checkHealth: (caller) => checkHealth(parts, caller),
    listChanges: (caller, input) => listChanges(parts.store, caller, input),
    followChanges: (caller, options) => followChanges(parts.store, caller, options),
    exportRecords: (caller, options) => exportRecords(parts, caller, options),
    importRecords: async (caller, lines, options) =>
      (await import('./exchange/import-records.ts')).importRecords(parts, caller, lines, options),
    examine: async (caller, options) => (await import('./upkeep/examine.ts')).examine(parts, caller, options),
    runUpkeep: async (signal, options) =>
      (await import('./upkeep/run-upkeep.ts')).runUpkeep(parts, signal, options ?? {}),
    close() {
      closing ??= closeParts(parts);
      return closing;
    },
  };
}

async function countSearch(tally: Tally, search: () => Promise<SearchResult>): Promise<SearchResult> {
  const startedAt = performance.now();
  const result = await search();
  tally.searches++;
  tally.searchMs += performance.now() - startedAt;
  return result;
}

async function closeParts({ tally, indexes, embedder, previousEmbedder, store }: EngineParts): Promise<void> {
  await Promise.all(tally.unfinished);
  await indexes.close();
  await embedder?.close();
  await previousEmbedder?.close();
  await store.close();
}
