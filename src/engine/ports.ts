import type { Change, Committed, FeedEntry, Grave, ImportedVersion } from '../model/change.ts';
import type { ChunkStore } from '../model/chunk.ts';
import type {
  DamageReport,
  ExpectedRows,
  LostWrites,
  MendedParts,
  NoteDamage,
  RowCounts,
  Salvage,
} from '../model/damage.ts';
import type { Label, ListFilter } from '../model/filter.ts';
import type { PublicLink, Removal } from '../model/identity.ts';
import type { Instant, RecordId, ReplicaId, Sequence, SpaceId } from '../model/ids.ts';
import type { JsonObject } from '../model/json.ts';
import type { Place } from '../model/list-place.ts';
import type { Page } from '../model/page.ts';
import type { EmbedderId, IndexEntry, Passage } from '../model/passage.ts';
import type { RecordKind, RecordVersion, StoredRecord } from '../model/record.ts';
import type { Relation, RelationEnds, RelationPage } from '../model/relation.ts';
import type { SealedStore } from '../model/sealed.ts';
import type { Segment, SegmentId, SegmentPieces } from '../model/segment.ts';
import type { StoreFacts } from '../model/store-facts.ts';
import type { RowSet, SidePart, TransferCounts, TransferStep } from '../model/transfer.ts';
import type { TravelStore } from './travel-port.ts';

/**
 * Where everything is kept. Every method acts inside one space; nothing here ranks, tokenises or blocks the event loop for long.
 * Failures are EngineErrors: busy, storage_full, storage_damaged, storage_read_only.
 * What is read is what was written: a read that meets something else tells `note` and leaves it out, or without one fails with storage_damaged.
 */
export interface Store extends TravelStore {
  /** True where the database checks its own pages and indexes, as a server does: then nobody else need doubt its listings. */
  readonly guardsItsPages?: boolean;

  /** What was acknowledged once and is not there any more; null or absent: nothing that anybody knows of. */
  lostWrites?(): LostWrites | null;

  /** Throws where a newer program has upgraded the database since this one opened it: then nothing more is written from here. Absent: it cannot be upgraded by others. */
  expectKnownSchema?(): Promise<void>;

  /** Applies every change or none, in order, and appends them to the space's feed. Resolves only when the disk has them. */
  commit(space: SpaceId, changes: readonly Change[], actor: string): Promise<Committed>;

  /** Pieces of transcripts. They are no records: nothing of them stands in the feed. */
  readonly chunks: ChunkStore;
  /** What machines have sealed, in spaces that are. */
  readonly sealed: SealedStore;

  /** Those that exist, deleted ones included, in the order asked for. */
  getRecords(space: SpaceId, ids: readonly RecordId[], note?: NoteDamage): Promise<StoredRecord[]>;
  /** Newest first (createdAt, then id, both descending). The cursor is the store's own and stays valid while records come and go. */
  listRecords(space: SpaceId, filter: ListFilter, page: PageRequest, note?: NoteDamage): Promise<ListedPage>;
  /** When one of these records was changed or deleted last; 0: there are none. */
  lastChange(space: SpaceId, filter: ListFilter): Promise<Instant>;
  /** Earlier states, newest first. */
  listVersions(space: SpaceId, id: RecordId, note?: NoteDamage): Promise<RecordVersion[]>;
  /** Records of which a version was replaced later than this, by id. */
  listReplaced(space: SpaceId, page: { since: Instant; after: RecordId | null; limit: number }): Promise<RecordId[]>;
  /** Relations that start or end at one of the ids. */
  listRelations(space: SpaceId, ids: readonly RecordId[], note?: NoteDamage): Promise<Relation[]>;
  /** Relations that start at one of the first and end at one of the second. */
  relationsBetween(space: SpaceId, ends: RelationEnds, note?: NoteDamage): Promise<Relation[]>;
  /** All relations of a space, by where they begin, where they end and their type, those after one of them. */
  scanRelations(space: SpaceId, page: RelationPage, note?: NoteDamage): Promise<Relation[]>;
  /** What is left of purged records, by id. */
  listGraves(space: SpaceId, after: RecordId | null, limit: number, note?: NoteDamage): Promise<Grave[]>;
  /** How often each value occurs among live records of all kinds but these. */
  countLabels(
    space: SpaceId,
    label: Label,
    except?: readonly RecordKind[],
  ): Promise<{ value: string; count: number }[]>;
  /** The last number that a commit has given away; 0: none. */
  lastNumber(space: SpaceId): Promise<number>;
  /** Live or not, the records that bear this key or content hash, found without the index of either; null where that would take long, or the database guards itself. */
  findUnindexed(space: SpaceId, by: 'key' | 'contentHash', value: string): Promise<RecordId[] | null>;
  findReceipt(space: SpaceId, key: string): Promise<Receipt | null>;
  /** Forgets those made before this time, the oldest first, a bounded number at once; returns how many. */
  pruneReceipts(space: SpaceId, before: Instant, limit: number): Promise<number>;
  /** What is deleted, the oldest deletion first, then by id. */
  listDeletions(space: SpaceId, which: DeletionRange): Promise<Deletion[]>;

  /** The feed's last number; cheap enough to ask before every search. */
  head(space: SpaceId): Promise<Sequence>;
  /** In order, those after `seq`. */
  changesAfter(space: SpaceId, seq: Sequence, limit: number, note?: NoteDamage): Promise<FeedEntry[]>;
  /** The number up to which the feed is no longer kept, 0 where all of it is: whoever has not read as far starts over from the records. */
  prunedTo(space: SpaceId): Promise<Sequence>;
  /** Notes how far a reader of the feed has come: what it has not read is kept for it until then. */
  keepPlace(space: SpaceId, reader: string, place: { seq: Sequence; until: Instant }): Promise<void>;
  /** Forgets the feed up to this number, as far as no known reader wants it; step by step, while others go on working. Returns up to where it is forgotten. */
  pruneFeed(space: SpaceId, which: { upTo: Sequence; now: Instant }): Promise<Sequence>;
  /** What the index needs of these records, one entry for each id, in the order asked for. */
  readIndexEntries(space: SpaceId, ids: readonly RecordId[]): Promise<IndexEntry[]>;
  /** Ids of live records, or of all, in ascending order, for going through them. */
  listIds(space: SpaceId, page: { after: RecordId | null; limit: number; of?: 'live' | 'all' }): Promise<RecordId[]>;
  /** The passages of these records, for snippets and phrases; those of records whose passages are damaged are left out, since they follow from the record. */
  readPassages(space: SpaceId, ids: readonly RecordId[]): Promise<Map<RecordId, Passage[]>>;
  /** Live records that lack a vector of this embedder for some passage, oldest first. */
  listUnembedded(space: SpaceId, embedder: EmbedderId, limit: number): Promise<RecordId[]>;
  /** Removes all vectors of this embedder, step by step, while others go on working; the records stay as they are. Returns how many. */
  dropVectors(space: SpaceId, embedder: EmbedderId): Promise<number>;

  listSegments(space: SpaceId): Promise<SegmentId[]>;
  /** Those of the ids that are still there, in the order of their feed ranges. */
  readSegments(space: SpaceId, ids: readonly SegmentId[]): Promise<Segment[]>;
  /** One of them, for reading little of it; null where it is gone, or kept in larger pieces. Absent: it can only be read whole. */
  openSegment?(space: SpaceId, id: SegmentId): Promise<SegmentPieces | null>;
  /**
   * Swaps segments in one step. False, with nothing changed, when one of `old` is gone or when what would be live then
   * does not cover the feed from 0 without gap or overlap: another process was faster.
   */
  replaceSegments(space: SpaceId, old: readonly SegmentId[], next: readonly Segment[]): Promise<boolean>;

  /** Counts reads of records, apart from the records themselves. Best effort, in batches. */
  recordReads(space: SpaceId, ids: readonly RecordId[], at: Instant): Promise<void>;
  readStatistics(
    space: SpaceId,
    ids: readonly RecordId[],
  ): Promise<Map<RecordId, { reads: number; lastReadAt: Instant | null }>>;

  /**
   * Tells of commits soon after they were made, those of other processes included. A hint, not a promise: what has changed is read from the feed.
   * Costs nothing while nobody listens; the answer ends it.
   */
  watch(onCommit: (space: SpaceId) => void): () => void;

  /** After many rows have come in: tells the database's planner what is in its tables. False where somebody else has to; absent: its plans do not depend on it. */
  gatherStatistics?(): Promise<boolean>;
  /** Gives room that nothing uses back to the disk where it is much, step by step, while others go on working; absent: the database does so by itself. */
  giveBackRoom?(): Promise<unknown>;
  listSpaces(): Promise<SpaceId[]>;
  /** Removes a space that nobody uses any more with everything in it. Large ones are purged first, so that others go on working. */
  dropSpace(space: SpaceId): Promise<void>;
  /** In ascending order, every space with its feed's last number; where a moment (`performance.now`) is given, at least those that have changed since. */
  listHeads(since: number | null): Promise<{ space: SpaceId; head: Sequence }[]>;
  /** Which time it is, as far as this store has seen the clock go on. */
  readTime(): Promise<SeenTime>;
  keepTime(seen: SeenTime): Promise<void>;
  /** Takes or renews a named lease for background work; false while another holder has it. One that ends later than any lease can was taken by a wrong clock. */
  takeLease(name: string, holder: string, until: Instant, now: Instant): Promise<boolean>;
  releaseLease(name: string, holder: string): Promise<void>;
  /** How many rows there should be by the count that every commit keeps; null where nobody has counted yet. */
  expectedRows(space: SpaceId): Promise<ExpectedRows | null>;
  /** Sizes and counts for health and doctor. */
  inspect(space: SpaceId): Promise<StoreFacts>;
  /** Looks for damage: the database's own check, and every record against its checksum. */
  verify(progress?: (done: number, total: number) => void): Promise<DamageReport>;
  /** Removes what purged rows have left in the database's files, as far as that is ours to do; `rewrites`: even where that holds everybody up. Tells what may still hold it, for people. */
  eraseTraces(options?: { rewrites?: boolean }): Promise<string[]>;
  /** What can be made out of a record that is damaged; null where nothing is there. */
  salvage(space: SpaceId, id: RecordId): Promise<Salvage | null>;
  /** Puts damaged earlier versions of a record right, with the help of what another place has of them. */
  mendVersions(space: SpaceId, id: RecordId, given: readonly ImportedVersion[]): Promise<MendedParts>;
  /** Likewise the relations that begin at a record. */
  mendRelations(space: SpaceId, id: RecordId, given: readonly Relation[]): Promise<MendedParts>;
  /** Takes the rows that are there for those that should be; returns them. */
  recount(space: SpaceId): Promise<RowCounts>;
  /** Goes on counting labels where that is left to do (a database of an earlier release, a copy, damage); true when nothing is. Answers are right before it, and take longer. */
  countNext(space: SpaceId): Promise<boolean>;
  /** Likewise gives checksums to rows that an earlier release wrote without: what changes of them before that is not noticed. */
  coverNext(space: SpaceId): Promise<boolean>;
  /** Makes anew what follows from the rest: the database's own indexes, the heads of feeds. Vectors that are damaged go, to be made anew. Returns what was done. */
  mendDerived(spaces: readonly SpaceId[]): Promise<string[]>;
  /** Records that are not there, though nobody purged them: of them only passages or earlier versions are left. */
  listLost(space: SpaceId): Promise<RecordId[]>;
  /** Removes what hangs on records that are not there (passages, vectors, versions, relations, counts of reads); how many rows that were. */
  dropStrays(space: SpaceId): Promise<number>;
  /** Writes a consistent copy to this path while others go on working. */
  backup(path: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Moves everything into another database, while the source goes on being used. Rows travel as they are kept; the stores agree on their tables, nobody else looks into them.
 */
export interface Transfer {
  /** Who this database is among others. */
  readonly replica: ReplicaId;
  /** All that is kept about these records, of one moment: the records themselves with what hangs on them, or the relations that begin at them. */
  readRecordRows(space: SpaceId, ids: readonly RecordId[], what: 'records' | 'relations'): Promise<RowSet>;
  /** In the part's order; `last` is the place of the last row, null when there are no more. */
  readSideRows(
    space: SpaceId,
    part: SidePart,
    page: { after: string | null; limit: number },
  ): Promise<{ rows: RowSet; last: string | null }>;
  /** All rows that a copy brings over, deleted records' included; others may write while they are counted. */
  countRows(space: SpaceId): Promise<TransferCounts>;
  /** Users, teams, tokens, invites, links, audit log, keys, OAuth. */
  readIdentityRows(): Promise<RowSet>;

  /** `progress` is null where nothing was ever copied into this space; `createdAt` is 0 where there is none. */
  readState(space: SpaceId): Promise<{ createdAt: Instant; lastNumber: number; progress: JsonObject | null }>;
  /** Takes a step in, all of it with its progress, or nothing. */
  takeIn(space: SpaceId, step: TransferStep): Promise<void>;
  /** In place of all that is there. */
  takeInIdentities(rows: RowSet): Promise<void>;
}

/** A store whose whole content can be moved into another database, or be one that was moved there. */
export interface Movable {
  readonly transfer: Transfer;
  /** The same store as it is at this moment, for reading, whatever others write meanwhile; whoever asks closes it. Absent or null: here no such thing can be had. */
  openSnapshot?(): Promise<(Store & Movable) | null>;
}

export interface PageRequest {
  limit: number;
  cursor?: string | null;
  /** Instead of a cursor: how many to skip (page numbers of older clients). */
  offset?: number;
  /** False: nobody wants to know how many there are, and the answer says 0. */
  total?: boolean;
}

export interface Deletion {
  id: RecordId;
  deletedAt: Instant;
}

/** Those after this one in the order, deleted before that time. */
export interface DeletionRange {
  after?: Deletion;
  before?: Instant;
  limit: number;
}

/** A clock that jumps is not believed at once, but when it has gone on from there for a while. */
export interface SeenTime {
  /** The latest time that is believed; 0: nothing was ever stored. */
  believedAt: Instant;
  /** The time at which the clock was when it first said something else, far from the believed time; null: it agrees. */
  doubtedAt: Instant | null;
  /** How long programs have seen the clock run since then. */
  doubtRanMs: number;
}

export interface ListedPage extends Page<StoredRecord> {
  /** The place after which it begins; null at the beginning. */
  after: Place | null;
  /** How many contents were looked through, where words were asked for and the store has counted. */
  lookedThrough?: number;
}

export interface Receipt {
  fingerprint: string;
  answer: JsonObject;
}

/** What is known beyond one's own space: teams by name, records that anyone with the address may read, and whose spaces are given up. */
export interface Sharing {
  findTeam(by: { id: SpaceId } | { name: string }): Promise<{ id: SpaceId; name: string } | null>;
  findLink(sha256: string): Promise<{ space: SpaceId; recordId: RecordId } | null>;
  /** Adding one that is there and removing one that is not change nothing. */
  addLink(link: PublicLink, actor: string): Promise<void>;
  removeLink(sha256: string, actor: string): Promise<void>;
  /** Of all teams that are there, or were and have not been removed entirely. */
  listTeamIds(): Promise<SpaceId[]>;
  /** Teams and people that are no more, and of which something is left to do. */
  listRemovals(): Promise<Removal[]>;
  markRemoval(id: SpaceId, step: 'emptied' | 'done', at: Instant): Promise<void>;
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
