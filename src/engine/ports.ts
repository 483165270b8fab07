import type { Change, Committed, Grave, ImportedVersion } from '../model/change.ts';
import type { ChunkStore } from '../model/chunk.ts';
import type { DamageReport, LostWrites, MendedParts, NoteDamage, RowCounts, Salvage } from '../model/damage.ts';
import type { Label, ListFilter } from '../model/filter.ts';
import type { PublicLink, Removal } from '../model/identity.ts';
import type { Instant, RecordId, ReplicaId, Sequence, SpaceId } from '../model/ids.ts';
import type { JsonObject } from '../model/json.ts';
import type { Place } from '../model/list-place.ts';
import type { Page } from '../model/page.ts';
import type { EmbedderId, Passage } from '../model/passage.ts';
import type { RecordKind, RecordVersion, StoredRecord } from '../model/record.ts';
import type { Relation, RelationEnds, RelationPage } from '../model/relation.ts';
import type { SealedStore } from '../model/sealed.ts';
import type { RowSet, SidePart, TransferCounts, TransferStep } from '../model/transfer.ts';
import type { Replication } from '../model/travel-port.ts';
import type { Usage } from '../model/usage.ts';
import type { Counts, IndexEntries, IndexedRecords, Leases, ReadFeed, Segments } from '../search/ports.ts';

export type { Clock, Embedder, Leases, Log, Segments } from '../search/ports.ts';

/**
 * Where everything is kept, as one: for those who open, wrap or check a whole store. Whoever uses one asks for the ports below that it needs.
 * Every method acts inside one space where it is given one; nothing here ranks, tokenises or blocks the event loop for long.
 * Failures are EngineErrors: busy, storage_full, storage_damaged, storage_read_only.
 * What is read is what was written: a read that meets something else tells `note` and leaves it out, or without one fails with storage_damaged.
 */
export interface Store
  extends Records,
    Commits,
    Receipts,
    Relations,
    Feed,
    Passages,
    Segments,
    Reads,
    Pieces,
    SealedSpaces,
    Replication,
    Condition,
    Repair,
    Housekeeping,
    Leases,
    SeenTimes {
  /** Ends all work; the store answers nothing any more. */
  close(): Promise<void>;
}

/** Records, read. */
export interface Records extends IndexedRecords {
  /** Returns those that exist, deleted ones included, in the order asked for. */
  getRecords(space: SpaceId, ids: readonly RecordId[], note?: NoteDamage): Promise<StoredRecord[]>;
  /** Lists newest first (createdAt, then id, both descending). The cursor is the store's own and stays valid while records come and go. */
  listRecords(space: SpaceId, filter: ListFilter, page: PageRequest, note?: NoteDamage): Promise<ListedPage>;
  /** Lists earlier states, newest first. */
  listVersions(space: SpaceId, id: RecordId, note?: NoteDamage): Promise<RecordVersion[]>;
  /** Lists records of which a version was replaced later than this, by id. */
  listReplaced(space: SpaceId, page: { since: Instant; after: RecordId | null; limit: number }): Promise<RecordId[]>;
  /** Lists what is deleted, the oldest deletion first, then by id. */
  listDeletions(space: SpaceId, which: DeletionRange): Promise<Deletion[]>;
  /** Lists what is left of purged records, by id. */
  listGraves(space: SpaceId, after: RecordId | null, limit: number, note?: NoteDamage): Promise<Grave[]>;
  /** Says when one of these records was changed or deleted last; 0: there are none. */
  lastChange(space: SpaceId, filter: ListFilter): Promise<Instant>;
  /** Counts how often each value occurs among live records of all kinds but these. */
  countLabels(
    space: SpaceId,
    label: Label,
    except?: readonly RecordKind[],
  ): Promise<{ value: string; count: number }[]>;
  /** Finds the records, live or not, that bear this key or content hash without the index of either; null where that would take long, or the database guards itself. */
  findUnindexed(space: SpaceId, by: 'key' | 'contentHash', value: string): Promise<RecordId[] | null>;
}

/** The only way in. */
export interface Commits {
  /** Applies every change or none, in order, and appends them to the space's feed. Resolves only when the disk has them. */
  commit(space: SpaceId, changes: readonly Change[], actor: string): Promise<Committed>;
  /** Returns the last number that a commit has given away; 0: none. */
  lastNumber(space: SpaceId): Promise<number>;
}

/** What was answered to requests that may be repeated; commits bring them. */
export interface Receipts {
  /** Returns the answer that was given under this key; null: there was none, or it is forgotten. */
  findReceipt(space: SpaceId, key: string): Promise<Receipt | null>;
  /** Forgets those made before this time, the oldest first, a bounded number at once; returns how many. */
  pruneReceipts(space: SpaceId, before: Instant, limit: number): Promise<number>;
}

/** Relations, read; ended ones included. */
export interface Relations {
  /** Lists relations that start or end at one of the ids. */
  listRelations(space: SpaceId, ids: readonly RecordId[], note?: NoteDamage): Promise<Relation[]>;
  /** Lists relations that start at one of the first and end at one of the second. */
  relationsBetween(space: SpaceId, ends: RelationEnds, note?: NoteDamage): Promise<Relation[]>;
  /** Goes through all relations of a space, by where they begin, where they end and their type: those after one of them. */
  scanRelations(space: SpaceId, page: RelationPage, note?: NoteDamage): Promise<Relation[]>;
}

/** The numbered changes of each space, from which everybody learns what to refresh. */
export interface Feed extends ReadFeed {
  /** Returns the number up to which the feed is no longer kept, 0 where all of it is: whoever has not read as far starts over from the records. */
  prunedTo(space: SpaceId): Promise<Sequence>;
  /** Notes how far a reader of the feed has come: what it has not read is kept for it until then. */
  keepPlace(space: SpaceId, reader: string, place: { seq: Sequence; until: Instant }): Promise<void>;
  /** Forgets the feed up to this number, as far as no known reader wants it; step by step, while others go on working. Returns up to where it is forgotten. */
  pruneFeed(space: SpaceId, which: { upTo: Sequence; now: Instant }): Promise<Sequence>;
  /** Lists every space with its feed's last number, in ascending order; where a moment (`performance.now`) is given, at least those that have changed since. */
  listHeads(since: number | null): Promise<{ space: SpaceId; head: Sequence }[]>;
  /**
   * Tells of commits soon after they were made, those of other processes included. A hint, not a promise: what has changed is read from the feed.
   * Costs nothing while nobody listens; the answer ends it.
   */
  watch(onCommit: (space: SpaceId) => void): () => void;
}

/** Passages and their vectors: what the index is made of. */
export interface Passages extends IndexEntries {
  /** Returns the passages of these records, for snippets and phrases; those of records whose passages are damaged are left out, since they follow from the record. */
  readPassages(space: SpaceId, ids: readonly RecordId[]): Promise<Map<RecordId, Passage[]>>;
  /** Lists live records that lack a vector of this embedder for some passage, oldest first. */
  listUnembedded(space: SpaceId, embedder: EmbedderId, limit: number): Promise<RecordId[]>;
  /** Removes all vectors of this embedder, step by step, while others go on working; the records stay as they are. Returns how many. */
  dropVectors(space: SpaceId, embedder: EmbedderId): Promise<number>;
}

/** How often records are read, apart from the records themselves. */
export interface Reads {
  /** Counts reads of records, best effort, in batches. */
  recordReads(space: SpaceId, ids: readonly RecordId[], at: Instant): Promise<void>;
  /** Returns how often each was read, and when last. */
  readStatistics(space: SpaceId, ids: readonly RecordId[]): Promise<Map<RecordId, Usage>>;
}

export interface Pieces {
  /** Pieces of transcripts. They are no records: nothing of them stands in the feed. */
  readonly chunks: ChunkStore;
}

export interface SealedSpaces {
  /** What machines have sealed, in spaces that are. */
  readonly sealed: SealedStore;
}

/** What a store says of itself. */
export interface Condition extends Counts {
  /** Returns what was acknowledged once and is not there any more; null or absent: nothing that anybody knows of. */
  lostWrites?(): LostWrites | null;
  /** Throws where a newer program has upgraded the database since this one opened it: then nothing more is written from here. Absent: it cannot be upgraded by others. */
  expectKnownSchema?(): Promise<void>;
}

/** Damage found and put right, and what earlier releases left undone. */
export interface Repair {
  /** Looks for damage: the database's own check, and every record against its checksum. */
  verify(progress?: (done: number, total: number) => void): Promise<DamageReport>;
  /** Returns what can be made out of a record that is damaged; null where nothing is there. */
  salvage(space: SpaceId, id: RecordId): Promise<Salvage | null>;
  /** Puts damaged earlier versions of a record right, with the help of what another place has of them. */
  mendVersions(space: SpaceId, id: RecordId, given: readonly ImportedVersion[]): Promise<MendedParts>;
  /** Puts the damaged relations that begin at a record right, with the help of what another place has of them. */
  mendRelations(space: SpaceId, id: RecordId, given: readonly Relation[]): Promise<MendedParts>;
  /** Makes anew what follows from the rest: the database's own indexes, the heads of feeds. Vectors that are damaged go, to be made anew. Returns what was done. */
  mendDerived(spaces: readonly SpaceId[]): Promise<string[]>;
  /** Takes the rows that are there for those that should be; returns them. */
  recount(space: SpaceId): Promise<RowCounts>;
  /**
   * Goes on with what an earlier release, a copy or damage left undone, a bounded number of rows at once: labels that nobody has counted, rows without a
   * checksum. True when nothing is left. Before it answers are right and take longer, and what changes in a row without a checksum is not noticed.
   */
  catchUp(space: SpaceId): Promise<boolean>;
  /** Records that are not there, though nobody purged them: of them only passages or earlier versions are left. */
  listLost(space: SpaceId): Promise<RecordId[]>;
  /** Removes what hangs on records that are not there (passages, vectors, versions, relations, counts of reads); how many rows that were. */
  dropStrays(space: SpaceId): Promise<number>;
}

/** The database as a whole. */
export interface Housekeeping {
  /** Lists every space in which something was ever stored. */
  listSpaces(): Promise<SpaceId[]>;
  /** Removes a space that nobody uses any more with everything in it. Large ones are purged first, so that others go on working. */
  dropSpace(space: SpaceId): Promise<void>;
  /** Removes what purged rows have left in the database's files, as far as that is ours to do; `rewrites`: even where that holds everybody up. Tells what may still hold it, for people. */
  eraseTraces(options?: { rewrites?: boolean }): Promise<string[]>;
  /** Gives room that nothing uses back to the disk where it is much, step by step, while others go on working; absent: the database does so by itself. */
  giveBackRoom?(): Promise<unknown>;
  /** Tells the database's planner what is in its tables, after many rows have come in. False where somebody else has to; absent: its plans do not depend on it. */
  gatherStatistics?(): Promise<boolean>;
  /** Writes a consistent copy to this path while others go on working. */
  backup(path: string): Promise<void>;
}

/** Which time it is, as far as this store has seen the clock go on. */
export interface SeenTimes {
  /** Returns what was kept last. */
  readTime(): Promise<SeenTime>;
  /** Keeps what is believed from now on, for all processes. */
  keepTime(seen: SeenTime): Promise<void>;
}

/**
 * Moves everything into another database, while the source goes on being used. Rows travel as they are kept; the stores agree on their tables, nobody else looks into them.
 */
export interface Transfer {
  /** Says who this database is among others. */
  readonly replica: ReplicaId;
  /** Returns all that is kept about these records, of one moment: the records themselves with what hangs on them, or the relations that begin at them. */
  readRecordRows(space: SpaceId, ids: readonly RecordId[], what: 'records' | 'relations'): Promise<RowSet>;
  /** Returns rows of a part, in its order; `last` is the place of the last row, null when there are no more. */
  readSideRows(
    space: SpaceId,
    part: SidePart,
    page: { after: string | null; limit: number },
  ): Promise<{ rows: RowSet; last: string | null }>;
  /** Counts all rows that a copy brings over, deleted records' included; others may write while they are counted. */
  countRows(space: SpaceId): Promise<TransferCounts>;
  /** Returns users, teams, tokens, invites, links, audit log, keys, OAuth. */
  readIdentityRows(): Promise<RowSet>;

  /** Says how far a copy has come; `progress` is null where nothing was ever copied into this space; `createdAt` is 0 where there is none. */
  readState(space: SpaceId): Promise<{ createdAt: Instant; lastNumber: number; progress: JsonObject | null }>;
  /** Takes a step in: all of it with its progress, or nothing. */
  takeIn(space: SpaceId, step: TransferStep): Promise<void>;
  /** Puts these in place of all that is there. */
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
  /** Finds a team; null: there is none. */
  findTeam(by: { id: SpaceId } | { name: string }): Promise<{ id: SpaceId; name: string } | null>;
  /** Finds the record behind an address; null: there is none. */
  findLink(sha256: string): Promise<{ space: SpaceId; recordId: RecordId } | null>;
  /** Publishes a record; one that is there already changes nothing. */
  addLink(link: PublicLink, actor: string): Promise<void>;
  /** Takes the address back; one that is not there changes nothing. */
  removeLink(sha256: string, actor: string): Promise<void>;
  /** Lists the ids of all teams that are there, or were and have not been removed entirely. */
  listTeamIds(): Promise<SpaceId[]>;
  /** Lists teams and people that are no more, and of which something is left to do. */
  listRemovals(): Promise<Removal[]>;
  /** Notes that a step of a removal is done. */
  markRemoval(id: SpaceId, step: 'emptied' | 'done', at: Instant): Promise<void>;
}

/** Secrets of the server's own: signing keys, cookie keys. */
export interface Secrets {
  /** Keeps one under a name; whoever comes first wins, and everybody gets the winner's. */
  keepSecret(name: string, value: string): Promise<string>;
}
