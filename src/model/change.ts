import type { HeldRelation } from './held-record.ts';
import type { Dot, Instant, RecordId, ReplicaId, Sequence } from './ids.ts';
import type { JsonObject } from './json.ts';
import type { Passage, StoredVector } from './passage.ts';
import type { RecordContent, RecordKind, RecordVersion, StoredRecord } from './record.ts';
import type { Relation } from './relation.ts';

/** Everything that can be written. `store.commit` applies a list of these, all or none. */
export type Change =
  | PutChange
  /** `redates`: of one that is deleted, by a clock that was wrong, the time alone. */
  | { op: 'delete'; id: RecordId; at: Instant; revision?: number; redates?: true }
  | { op: 'restore'; id: RecordId; at: Instant; revision?: number }
  /** Removes the record, its passages, vectors, versions, relations and statistics for good. A grave keeps what is left of it from coming back. */
  | { op: 'purge'; id: RecordId; revision?: number }
  /** A grave of another database: nothing of the id up to this generation may come here. A record that is there stays ('exists'). */
  | { op: 'bury'; grave: Grave }
  | ImportChange
  | MendChange
  | TakeChange
  /** Of a deleted record that was deleted long enough: text, versions and relations go, but no grave says so; what others do with it still counts. */
  | { op: 'expire'; id: RecordId; revision?: number }
  /** How far the exchange with another replica has come; kept with what it brought. Null: the link is no more. */
  | { op: 'link'; name: string; state: JsonObject | null }
  /** From now on this space's writes are those of a replica of this name, and its feed is another's: positions in it are void. */
  | { op: 'renew'; replica: ReplicaId; epoch: string }
  | { op: 'relate'; relation: Relation }
  | { op: 'unrelate'; from: RecordId; to: RecordId; type: string }
  /** Adds vectors to passages that had none of this embedder; ignored if the record moved on since `revision`. */
  | { op: 'embed'; id: RecordId; revision: number; vectors: readonly StoredVector[] }
  /**
   * Gives away the numbers of the space up to this one, for good: those after `after`, which must be the last that was given ('numbered');
   * without it they are merely not given any more, and fewer than were given change nothing.
   */
  | { op: 'number'; after?: number; upTo: number }
  /** Remembers the answer to a request with an idempotency key. */
  | { op: 'receipt'; key: string; fingerprint: string; answer: JsonObject; at: Instant };

export interface PutChange {
  op: 'put';
  id: RecordId;
  content: RecordContent;
  passages: readonly Passage[];
  /** Added to those that passages with unchanged text keep. */
  vectors: readonly StoredVector[];
  /**
   * 'new': no record of this id may exist; one that was purged begins its next generation. 'never': nor may one have been purged ('purged').
   * A number: the record's revision must be this.
   */
  expect: 'new' | 'never' | number;
  /** Refuse when a live, not superseded record of the same kind, project and content hash exists (other than this one). */
  unlessDuplicate: boolean;
  /** Kept with the version this change replaces. */
  reason?: string;
  /** What it replaces is not kept as a version: it can be made anew from other records, and changes often. */
  isDerived?: true;
}

/**
 * Writes a record exactly as it was exported: revision, deletedAt, timestamps and earlier versions are taken as they are.
 * No record of this id may exist ('exists'), nor a grave of its generation ('purged'); a live one still respects unique keys ('key_taken').
 * In the feed: 'created'.
 */
export interface ImportChange {
  op: 'import';
  record: ImportedState;
  /** Newest first, as `listVersions` gives them. */
  versions: readonly (Omit<RecordVersion, 'record'> & { record: ImportedState })[];
  passages: readonly Passage[];
  vectors: readonly StoredVector[];
  /** Which writes its parts come from, as the database that has its dot keeps it. */
  stamps?: string;
}

/**
 * Takes the place of a record that is damaged, or of which something is: the row, its tags and its passages are written anew, and what was there
 * is not kept as a version. In the feed: 'updated'.
 */
export interface MendChange {
  op: 'mend';
  /** As it shall be, revision included; without a dot it is given one. */
  record: ImportedState;
  passages: readonly Passage[];
  /** The revision that the row bears now, sound or not; null: there is none. */
  expect: number | null;
}

/**
 * What a record has become by what another replica holds of it: row, versions, relations and stamps, all in place of what is here. A key that
 * another live record holds is shared by the rule of keys, a relation whose end is not here waits for it.
 */
export interface TakeChange {
  op: 'take';
  id: RecordId;
  /** As it was read; 'revision' where it is no longer so. */
  expect: { revision: number | null; stamps: string | null; buried: number };
  /** Null: nothing of it is left to be shown, and its state alone is kept. */
  record: Omit<StoredRecord, 'space' | 'revision'> | null;
  generation: number;
  stamps: string | null;
  /** Kept in addition to those that are there, by dot. */
  versions: readonly ImportedVersion[];
  relations: readonly HeldRelation[];
  passages: readonly Passage[];
  vectors: readonly StoredVector[];
}

/** Without a dot where it comes from a release that kept none: it is given one. */
export type ImportedState = Omit<StoredRecord, 'dot'> & { dot: Dot | null };

export interface ImportedVersion {
  record: ImportedState;
  replacedAt: Instant;
  reason: string | null;
}

/** What a purge leaves: neither text nor hash. */
export interface Grave {
  id: RecordId;
  /** Of the record that was purged. */
  generation: number;
  purgedAt: Instant;
}

/** Why nothing of a commit was applied; `index` is the change that stood in the way. */
export type CommitConflict =
  | { reason: 'duplicate' | 'key_taken' | 'missing' | 'exists' | 'purged'; index: number; id: RecordId }
  | { reason: 'revision'; index: number; id: RecordId; actual: number }
  | { reason: 'receipt'; index: number; key: string }
  | { reason: 'numbered'; index: number; last: number };

export type Committed =
  | { outcome: 'committed'; head: Sequence; revisions: ReadonlyMap<RecordId, number> }
  | { outcome: 'conflict'; conflict: CommitConflict };

export type FeedOp = 'created' | 'updated' | 'deleted' | 'restored' | 'purged' | 'related' | 'unrelated' | 'embedded';

/** One line of the change feed. Receipts make none. */
export interface FeedEntry {
  seq: Sequence;
  at: Instant;
  op: FeedOp;
  /** Of a relation: the record where it begins. */
  id: RecordId;
  kind: RecordKind | null;
  revision: number | null;
  actor: string;
  /** Of `related` and `unrelated`, unless they were written before release 0.2: where the relation ends, and its type. */
  relation: { to: RecordId; type: string } | null;
}
