import type { Caller } from '../model/caller.ts';
import type { FeedEntry } from '../model/change.ts';
import type { Label } from '../model/filter.ts';
import type { EmbedderId } from '../model/passage.ts';
import type { SearchQuery, SearchResult } from '../model/search.ts';
import type { SpendReport } from '../model/spend.ts';
import { authorize } from './authorize.ts';
import type { Health } from './check-health.ts';
import { type ConsolidationVerbs, createConsolidationVerbs } from './consolidation/consolidation-verbs.ts';
import { withdrawSummaries } from './consolidation/withdraw-summaries.ts';
import { createDocumentVerbs, type DocumentVerbs } from './documents/document-verbs.ts';
import { type EmbeddedTexts, embedTexts } from './embed-texts.ts';
import type { EngineParts, EnginePorts, EngineSettings } from './engine-parts.ts';
import { resolveQuery } from './entities/resolve-entity.ts';
import { createAllEntities } from './entities/space-entities.ts';
import type { ExportOptions } from './exchange/export-records.ts';
import type { ImportOptions, ImportReport } from './exchange/import-records.ts';
import {
  type FollowedPage,
  type FollowOptions,
  followChanges,
  type ListChangesInput,
  listChanges,
} from './follow-changes.ts';
import { createGraphVerbs, type GraphVerbs } from './graph/graph-verbs.ts';
import { createSpaceGraphs } from './graph/space-graphs.ts';
import { createHistoryVerbs, type HistoryVerbs } from './history/history-verbs.ts';
import { kindTableOf } from './kinds.ts';
import { createMemoryVerbs, type MemoryVerbs, type PurgedMemories } from './memories/memory-verbs.ts';
import { createPacketVerbs, type PacketVerbs } from './packets/packet-verbs.ts';
import { createQualityVerbs, type QualityVerbs } from './quality/quality-verbs.ts';
import { countLabels } from './records/list-records.ts';
import { createRecordVerbs, type RecordVerbs } from './records/record-verbs.ts';
import { guardCommits } from './rejections/guard-commits.ts';
import { createAllRejections } from './rejections/space-rejections.ts';
import { createRecentWrites } from './search/index/recent-writes.ts';
import { createSearch } from './search/search.ts';
import { createSpaceIndexes } from './search/space-indexes.ts';
import { createSessionVerbs, type SessionVerbs } from './sessions/session-verbs.ts';
import { createTally, type Tally } from './tally.ts';
import { createTranscriptVerbs, type TranscriptVerbs } from './transcripts/transcript-verbs.ts';
import { createTravelVerbs, type TravelVerbs } from './travel/travel-verbs.ts';
import { createAllStatements } from './truth/space-statements.ts';
import { createTimeKeeper } from './upkeep/believed-time.ts';
import type { ExamineOptions, ExamineReport } from './upkeep/examine.ts';
import type { StoredBy } from './upkeep/finish-removals.ts';
import type { PurgeExpiredInput } from './upkeep/purge-expired.ts';
import type { UpkeepOptions, UpkeepReport } from './upkeep/run-upkeep.ts';
import type { ScrubOptions, ScrubReport } from './upkeep/scrub-records.ts';
import { createSpaceVisits } from './upkeep/space-visits.ts';
import { createWorkspaceVerbs, type WorkspaceVerbs } from './workspaces/workspace-verbs.ts';

export type { Health } from './check-health.ts';
export type { EnginePorts, EngineSettings } from './engine-parts.ts';
export type { ExportOptions } from './exchange/export-records.ts';
export type { ImportOptions, ImportReport } from './exchange/import-records.ts';
export type {
  DeleteMemoriesInput,
  DeleteOutcome,
  FoundMemories,
  GetMemoriesInput,
  ListMemoriesInput,
  PurgedMemories,
} from './memories/memory-verbs.ts';
export type { Digest } from './travel/digest-space.ts';
export type { GreetInput, Greeting } from './travel/greet-replica.ts';
export type { Fork } from './travel/list-forks.ts';
export type { ListTravellingInput } from './travel/list-travelling.ts';
export type {
  ListUploadsInput,
  SealedDigest,
  SlotPage,
  TakeUploadsInput,
  UploadsReport,
} from './travel/sealed-space.ts';
export type { TakenReport, TakeTravellingInput } from './travel/take-travelling.ts';
export type { ExamineOptions, ExamineReport } from './upkeep/examine.ts';
export type { StoredBy } from './upkeep/finish-removals.ts';
export type { UpkeepOptions, UpkeepReport } from './upkeep/run-upkeep.ts';
export type { ScrubReport } from './upkeep/scrub-records.ts';

/** Everything the product can do. Each verb is a file; this is the table of contents. */
export interface Engine
  extends ConsolidationVerbs,
    DocumentVerbs,
    GraphVerbs,
    HistoryVerbs,
    MemoryVerbs,
    PacketVerbs,
    QualityVerbs,
    RecordVerbs,
    SessionVerbs,
    TranscriptVerbs,
    TravelVerbs,
    WorkspaceVerbs {
  search(caller: Caller, query: SearchQuery): Promise<SearchResult>;
  /** Removes the vectors of embedders that are not in use; needs the admin scope. Returns how many. */
  dropVectors(caller: Caller, embedders: readonly EmbedderId[]): Promise<number>;
  countLabels(caller: Caller, label: Label): Promise<{ value: string; count: number }[]>;
  checkHealth(caller: Caller): Promise<Health>;
  /** What is written in the caller's spaces from now on, or from a position on, whichever process writes it. */
  followChanges(caller: Caller, options: FollowOptions): AsyncGenerator<FollowedPage>;
  /** The change feed of the caller's space, in order; needs the admin scope. */
  listChanges(caller: Caller, input: ListChangesInput): Promise<FeedEntry[]>;
  /** Vectors of texts, by the embedder in use. */
  embedTexts(caller: Caller, texts: readonly string[]): Promise<EmbeddedTexts>;
  /** JSON lines, header first; see docs/export-format.md. */
  exportRecords(caller: Caller, options: ExportOptions): AsyncIterable<string>;
  importRecords(caller: Caller, lines: AsyncIterable<string>, options: ImportOptions): Promise<ImportReport>;
  examine(caller: Caller, options: ExamineOptions): Promise<ExamineReport>;
  /** Looks for secrets in what is stored, and replaces them where asked to; needs the admin scope. */
  scrubRecords(caller: Caller, options: ScrubOptions): Promise<ScrubReport>;
  /** What was deleted longer ago than it is kept, by the clock as it stands; needs the admin scope. */
  purgeExpired(caller: Caller, input: PurgeExpiredInput): Promise<Pick<PurgedMemories, 'count' | 'remains'>>;
  /** Goes on with what removed teams and people have left to do; costs next to nothing where that is nothing. */
  finishRemovals(): Promise<void>;
  /** How much a person has stored in their own space and in teams; needs the admin scope. */
  countStoredBy(caller: Caller, userId: string): Promise<StoredBy>;
  /** What summaries by a model have cost in the caller's space, the last so many days. */
  listSpend(caller: Caller, days: number): Promise<SpendReport>;
  /** One round of background work: flush and merge the index, embed what is pending, purge what is past its time. */
  runUpkeep(signal?: AbortSignal, options?: UpkeepOptions): Promise<UpkeepReport>;
  close(): Promise<void>;
}

/** Joins the verbs; opening nothing by itself, it costs no time. `close` closes the store and the embedder too. */
export function createEngine(given: EnginePorts, settings: EngineSettings): Engine {
  const recent = createRecentWrites();
  const kinds = kindTableOf(given);
  const rejections = createAllRejections(given.store);
  const guarded = recent.watch(guardCommits(given.store, { kinds, rejections }));
  const ports = { ...given, store: withdrawSummaries(guarded, given) };
  const indexes = createSpaceIndexes(ports, settings, recent);
  const parts: EngineParts = {
    ...ports,
    kinds,
    settings,
    indexes,
    graphs: createSpaceGraphs(ports.store),
    entities: createAllEntities(ports.store, kinds),
    statements: createAllStatements(ports.store, kinds),
    rejections,
    tally: createTally(),
    visits: createSpaceVisits(ports.store, ports.clock),
    time: createTimeKeeper(ports),
  };
  const searchIndexes = createSearch(ports, settings, indexes);
  const search: Engine['search'] = (caller, query) =>
    countSearch(parts.tally, async () => {
      const { asOf } = query;
      if (asOf !== undefined)
        return (await import('./history/search-as-of.ts')).searchAsOf(parts, caller, { ...query, asOf });
      return searchIndexes(caller, await resolveQuery(parts, caller, query));
    });
  const records = createRecordVerbs(parts);
  let closing: Promise<void> | null = null;
  return {
    ...records,
    ...createMemoryVerbs(parts, records),
    ...createGraphVerbs(parts, search),
    ...createHistoryVerbs(parts),
    ...createPacketVerbs(parts, search),
    ...createSessionVerbs(parts, search),
    ...createQualityVerbs(parts),
    ...createTravelVerbs(parts),
    ...createWorkspaceVerbs(parts),
    ...createConsolidationVerbs(parts),
    ...createDocumentVerbs(parts),
    ...createTranscriptVerbs(parts),
    search,
    dropVectors: async (caller, embedders) =>
      (await import('./upkeep/embed-pending.ts')).dropVectors(parts, caller, embedders),
    countLabels: (caller, label) => countLabels(parts, caller, label),
    checkHealth: async (caller) => (await import('./check-health.ts')).checkHealth(parts, caller),
    listChanges: (caller, input) => listChanges(parts.store, caller, input),
    followChanges: (caller, options) => followChanges(parts, caller, options),
    embedTexts: (caller, texts) => embedTexts(parts, caller, texts),
    async *exportRecords(caller, options) {
      yield* (await import('./exchange/export-records.ts')).exportRecords(parts, caller, options);
    },
    importRecords: async (caller, lines, options) =>
      (await import('./exchange/import-records.ts')).importRecords(parts, caller, lines, options),
    examine: async (caller, options) => (await import('./upkeep/examine.ts')).examine(parts, caller, options),
    scrubRecords: async (caller, options) =>
      (await import('./upkeep/scrub-records.ts')).scrubRecords(parts, caller, options),
    purgeExpired: async (caller, input) =>
      (await import('./upkeep/purge-expired.ts')).purgeExpiredNow(parts, caller, input),
    finishRemovals: () => keepUntilClosed(parts.tally, finishPending(parts)),
    async countStoredBy(caller, userId) {
      authorize(caller, 'admin', caller.space);
      return (await import('./upkeep/finish-removals.ts')).countStoredBy(parts, userId);
    },
    listSpend: async (caller, days) => (await import('./summaries/spend-ledger.ts')).listSpend(parts, caller, days),
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

/** Asked at every start: nothing is loaded for it where nothing is to be done. */
async function finishPending(parts: EngineParts): Promise<void> {
  const removals = (await parts.sharing?.listRemovals()) ?? [];
  if (removals.some(({ what, emptiedAt }) => what === 'user' || emptiedAt === null))
    await (await import('./upkeep/finish-removals.ts')).finishRemovals(parts);
}

function keepUntilClosed({ unfinished }: Tally, work: Promise<void>): Promise<void> {
  const settled = work.catch(() => undefined).finally(() => unfinished.delete(settled));
  unfinished.add(settled);
  return work;
}

async function closeParts({
  tally,
  indexes,
  embedder,
  previousEmbedder,
  summarizer,
  documents,
  store,
}: EngineParts): Promise<void> {
  await summarizer?.close();
  await documents?.close();
  await Promise.all(tally.unfinished);
  await indexes.close();
  await embedder?.close();
  await previousEmbedder?.close();
  await store.close();
}
