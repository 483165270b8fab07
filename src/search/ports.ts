import type { FeedEntry } from '../model/change.ts';
import type { ExpectedRows, NoteDamage } from '../model/damage.ts';
import type { Instant, RecordId, Sequence, SpaceId } from '../model/ids.ts';
import type { EmbedderId, IndexEntry, Passage } from '../model/passage.ts';
import type { RecordKind } from '../model/record.ts';
import type { Segment, SegmentId, SegmentPieces } from '../model/segment.ts';
import type { StoreFacts } from '../model/store-facts.ts';
import type { RankingStep } from './ranking-steps.ts';

/** What the indexes of all spaces are given. */
export interface IndexPorts {
  store: IndexStore;
  /** null: text search alone. */
  embedder: Embedder | null;
  /** The one before it was changed: searches use it while more passages have its vectors. */
  previousEmbedder?: Embedder | null;
  clock: Clock;
  log: Log;
  kinds: KindCodes;
  /** Called when what was written lies in segments. */
  afterFlush?(space: SpaceId): Promise<void>;
}

/** What the operator decides about the index. */
export interface IndexSettings {
  /** Bytes that all loaded indexes together may take. */
  indexBudgetBytes: number;
  /** Cut the tail of the index into a segment past this many passages. */
  flushPassages: number;
  /** Opened for one command: nothing is read of the index but what it uses. */
  isBrief?: boolean;
}

/** What the operator decides about the ranking. */
export interface RankingSettings {
  /** How much words and meaning count in hybrid search; 1 is as measured. */
  wordsWeight: number;
  meaningWeight: number;
  /** Parts of the ranking to leave out, for measuring what each is worth; none otherwise. */
  rankWithout: readonly RankingStep[];
}

/** Where the index is kept, and what it is made from. */
export interface IndexStore extends IndexedRecords, IndexEntries, ReadFeed, Segments, Counts, Leases {}

/** Which records there are to be indexed. */
export interface IndexedRecords {
  /** True where the database checks its own pages and indexes, as a server does: then nobody else need doubt its listings. */
  readonly guardsItsPages?: boolean;
  /** Lists ids of live records, or of all, in ascending order, for going through them. */
  listIds(space: SpaceId, page: { after: RecordId | null; limit: number; of?: 'live' | 'all' }): Promise<RecordId[]>;
}

/** What the index is made of, and rebuilt from. */
export interface IndexEntries {
  /** Returns what the index needs of these records, one entry for each id, in the order asked for. */
  readIndexEntries(space: SpaceId, ids: readonly RecordId[]): Promise<IndexEntry[]>;
}

/** The numbered changes of each space, by which an index catches up. */
export interface ReadFeed {
  /** Returns the feed's last number; cheap enough to ask before every search. */
  head(space: SpaceId): Promise<Sequence>;
  /** Returns those after `seq`, in order. */
  changesAfter(space: SpaceId, seq: Sequence, limit: number, note?: NoteDamage): Promise<FeedEntry[]>;
}

/** Finished parts of the index, each of a range of the feed; none is ever changed. */
export interface Segments {
  /** Lists those that are live. */
  listSegments(space: SpaceId): Promise<SegmentId[]>;
  /** Returns those of the ids that are still there, in the order of their feed ranges. */
  readSegments(space: SpaceId, ids: readonly SegmentId[]): Promise<Segment[]>;
  /** Opens one of them, for reading little of it; null where it is gone, or kept in larger pieces. Absent: it can only be read whole. */
  openSegment?(space: SpaceId, id: SegmentId): Promise<SegmentPieces | null>;
  /**
   * Swaps segments in one step. False, with nothing changed, when one of `old` is gone or when what would be live then
   * does not cover the feed from 0 without gap or overlap: another process was faster.
   */
  replaceSegments(space: SpaceId, old: readonly SegmentId[], next: readonly Segment[]): Promise<boolean>;
}

/** How much a store holds, for comparing the index with it. */
export interface Counts {
  /** Returns sizes and counts for health and doctor. */
  inspect(space: SpaceId): Promise<StoreFacts>;
  /** Returns how many rows there should be by the count that every commit keeps; null where nobody has counted yet. */
  expectedRows(space: SpaceId): Promise<ExpectedRows | null>;
}

/** Background work that one process does for all. */
export interface Leases {
  /** Takes or renews a named lease; false while another holder has it. One that ends later than any lease can was taken by a wrong clock. */
  takeLease(name: string, holder: string, until: Instant, now: Instant): Promise<boolean>;
  /** Gives the lease back before it ends; whoever does not hold it changes nothing. */
  releaseLease(name: string, holder: string): Promise<void>;
}

/** Passages, for looking whether they hold a phrase. */
export interface PassageReader {
  /** Returns the passages of these records. Those that are damaged have been made anew; where that cannot be, `note` is told. */
  readPassages(space: SpaceId, ids: readonly RecordId[], note: NoteDamage): Promise<Map<RecordId, Passage[]>>;
}

/** What records say as a whole, for comparing it in full. */
export interface Contents {
  /** Returns those that exist, deleted ones included. */
  getRecords(
    space: SpaceId,
    ids: readonly RecordId[],
    note?: NoteDamage,
  ): Promise<readonly { id: RecordId; content: string; deletedAt: Instant | null }[]>;
}

/** The kinds of records as the index knows them: by numbers. */
export interface KindCodes {
  /** Returns a number of its own for kinds that this program does not know. */
  codeOf(name: RecordKind): number;
  /** Throws invalid_input for a kind that does not exist. */
  need(name: RecordKind): { readonly code: number };
}

/** Cosines of a question with what has nothing to do with it, and with what surely answers it. */
export interface CosineScale {
  unrelated: number;
  related: number;
}

/** Turns text into unit vectors of one space. */
export interface Embedder {
  /** Names model, dimensions and version: whatever changes the vectors changes the id. Final as soon as the dimensions are known. */
  readonly id: EmbedderId;
  /** 0 while only the model itself can tell and has not been asked; known from the first vectors on. */
  readonly dimensions: number;
  /** How its cosines read; the usual ones for sentence embedders where it does not say. */
  readonly cosines?: CosineScale;
  /** 0 to 1: how well it knows the words of a text; what it does not know, its vectors say little of. Absent: it has learnt all languages alike. */
  familiarityOf?(text: string): number;
  /** Of one text it makes the vector here and now: nobody has to watch the clock. */
  readonly isImmediate?: boolean;
  /** How much each word says, wherever it stands: about 1 for a name, a fifth of that for an article. Absent: it knows texts only, no single words. */
  weighWords?(words: readonly string[]): number[];
  /** One unit vector per text, in order. Throws EngineError embedder_failed when it cannot. */
  embed(texts: readonly string[], purpose: 'query' | 'passage'): Promise<Float32Array[]>;
  close(): Promise<void>;
}

export interface Clock {
  now(): Instant;
  /** Milliseconds that run on evenly whatever the time is set to; absent: those of the process. */
  elapsed?(): number;
}

/** One line per event, facts only: no contents, no secrets. */
export interface Log {
  info(event: string, facts?: Record<string, string | number | boolean>): void;
  warn(event: string, facts?: Record<string, string | number | boolean>): void;
  error(event: string, facts?: Record<string, string | number | boolean>): void;
}
