import { createHash } from 'node:crypto';
import type { Change, CommitConflict, FeedEntry, ImportChange, ImportedState, PutChange } from '../../model/change.ts';
import type { Dot, Instant, RecordId, ReplicaId, Sequence, SpaceId } from '../../model/ids.ts';
import type { Passage, StoredVector } from '../../model/passage.ts';
import type { RecordKind, RecordVersion, StoredRecord } from '../../model/record.ts';
import { checksumPassages, type RecordRow, type RecordRowWithSums, toRow, toStoredRecord } from './record-row.ts';

/** What the feed will say of a change. */
type FeedNote = Pick<FeedEntry, 'op' | 'id' | 'kind' | 'revision'> & Partial<Pick<FeedEntry, 'relation'>>;

export interface RecordWrite {
  record: StoredRecord;
  passages: readonly Passage[];
  vectors: readonly StoredVector[];
  previous: RecordRowWithSums | undefined;
}

export interface RowWrite {
  row: RecordRow;
  passagesChecksum: Uint8Array;
  note: FeedNote;
}

/** What there is under an id before a change. */
export interface Standing {
  row: RecordRowWithSums | undefined;
  /** The last generation that was purged; 0: none. */
  buried: number;
}

export function recordOfPut(
  { id, content }: PutChange,
  { row, buried }: Standing,
  { space, dot }: { space: SpaceId; dot: Dot },
): StoredRecord {
  const [revision, generation] = row === undefined ? [1, buried + 1] : [row.revision + 1, row.generation];
  return { ...content, space, id, revision, deletedAt: null, generation, dot };
}

/** What a put replaces is kept. */
export function versionOf(
  previous: RecordRowWithSums,
  replacedAt: Instant,
  { reason = null }: { reason?: string | null },
): RecordVersion {
  return { record: toStoredRecord(previous), replacedAt, reason };
}

/** The record and its versions belong to the space of the commit, whatever space they were exported from. */
export function moveImport(
  { record, versions }: ImportChange,
  { space, dot }: { space: SpaceId; dot: Dot },
): { record: StoredRecord; versions: RecordVersion[] } {
  return {
    record: { ...record, space, dot: record.dot ?? dot },
    versions: versions.map((version) => {
      const { record: earlier } = version;
      return { ...version, record: { ...earlier, space, dot: earlier.dot ?? dotOfState(earlier) } };
    }),
  };
}

/** Nobody knows who wrote it; its own words name it, and nothing else. */
function dotOfState(state: ImportedState): Dot {
  return `${createHash('sha256').update(JSON.stringify(state)).digest('hex').slice(0, 16)}:${state.revision}`;
}

export function planRecord({ record, passages, previous }: RecordWrite): RowWrite {
  const { id, kind, revision } = record;
  const passagesChecksum = checksumPassages(passages.toSorted((a, b) => a.ordinal - b.ordinal));
  return {
    row: toRow(record),
    passagesChecksum,
    note: { op: previous === undefined ? 'created' : 'updated', id, kind, revision },
  };
}

/** A deletion or restoration: everything stays but the mark. */
export function planMark(
  previous: RecordRowWithSums,
  op: 'deleted' | 'restored',
  { deletedAt, dot }: { deletedAt: Instant | null; dot: Dot },
): RowWrite {
  const { feed_seq: _, checksum: __, passages_checksum: passagesChecksum, ...kept } = previous;
  const revision = previous.revision + 1;
  return {
    row: { ...kept, revision, deleted_at: deletedAt, dot },
    passagesChecksum,
    note: { op, id: kept.id, kind: kept.kind, revision },
  };
}

/** A passage whose text stays as it was keeps its row, and with it the vectors it has. */
export function planPassages(
  before: readonly Passage[],
  after: readonly Passage[],
): { gone: number[]; fresh: Passage[] } {
  const kept = new Map(before.map(({ ordinal, text }) => [ordinal, text]));
  const wanted = new Map(after.map(({ ordinal, text }) => [ordinal, text]));
  return {
    gone: before.filter(({ ordinal, text }) => wanted.get(ordinal) !== text).map(({ ordinal }) => ordinal),
    fresh: after.filter(({ ordinal, text }) => kept.get(ordinal) !== text),
  };
}

type DeleteChange = Extract<Change, { op: 'delete' }>;
type RestoreChange = Extract<Change, { op: 'restore' }>;

/** What a record wants for itself, and another may have already. */
export interface Claim {
  space: SpaceId;
  /** The record that asks; it is never in its own way. */
  id: RecordId;
  kind: RecordKind;
  project: string | null;
  key: string | null;
  /** null: others may hold the same content. */
  contentHash: string | null;
  /** Only another that came or changed later than this holds the content. */
  changedAfter: Sequence;
}

/** Sequences are 0 or more: any other record counts. */
const EVER = -1;

export function missing(index: number, id: RecordId): CommitConflict {
  return { reason: 'missing', index, id };
}

export function refusePut(
  { id, expect }: PutChange,
  previous: RecordRowWithSums | undefined,
  index: number,
): CommitConflict | null {
  if (expect === 'new') return previous === undefined ? null : { reason: 'exists', index, id };
  // A deleted record must be restored before it can be changed.
  if (previous === undefined || previous.deleted_at !== null) return missing(index, id);
  return previous.revision === expect ? null : { reason: 'revision', index, id, actual: previous.revision };
}

export function refuseImport(
  { id, generation }: StoredRecord,
  { row, buried }: Standing,
  index: number,
): CommitConflict | null {
  if (row !== undefined) return { reason: 'exists', index, id };
  return buried >= generation ? { reason: 'purged', index, id } : null;
}

export function claimOfPut(space: SpaceId, { id, content, unlessDuplicate }: PutChange): Claim {
  const { kind, project, key, contentHash } = content;
  return { space, id, kind, project, key, contentHash: unlessDuplicate ? contentHash : null, changedAfter: EVER };
}

/** A copy of what was elsewhere is taken with its duplicates; a deleted one holds no key. */
export function claimOfImport({ space, id, kind, project, key, deletedAt }: StoredRecord): Claim {
  return { space, id, kind, project, key: deletedAt === null ? key : null, contentHash: null, changedAfter: EVER };
}

export function refuseDelete(
  { id, revision }: DeleteChange,
  row: RecordRowWithSums,
  index: number,
): CommitConflict | null {
  return row.deleted_at === null ? refuseRevision(revision, row, index) : missing(index, id);
}

export function refuseRestore(
  { id, revision }: RestoreChange,
  row: RecordRowWithSums,
  index: number,
): CommitConflict | null {
  return row.deleted_at === null ? { reason: 'exists', index, id } : refuseRevision(revision, row, index);
}

/** One that was there beside it before the deletion was let be then, and is no reason now. */
export function claimOfRestore(row: RecordRowWithSums): Claim {
  const { space_id, id, kind, project, key, content_hash, superseded_by, feed_seq } = row;
  return {
    space: space_id,
    id,
    kind,
    project,
    key,
    contentHash: superseded_by === null ? content_hash : null,
    changedAfter: feed_seq,
  };
}

function refuseRevision(
  expected: number | undefined,
  { id, revision }: RecordRowWithSums,
  index: number,
): CommitConflict | null {
  return expected === undefined || revision === expected ? null : { reason: 'revision', index, id, actual: revision };
}

export interface CommitRequest {
  space: SpaceId;
  changes: readonly Change[];
  actor: string;
  now: Instant;
}

/** Where a commit begins. */
export interface CommitStart {
  /** The feed's last number. */
  head: Sequence;
  replica: ReplicaId;
  /** Kept with each entry, see SqlDatabase. */
  mark: string | null;
}

/** One commit while it is being applied. */
export interface CommitWork extends Omit<CommitRequest, 'changes'> {
  readonly replica: ReplicaId;
  /** What the feed will say of it; written together at its end. */
  readonly entries: FeedEntry[];
  /** The feed's last number, counted up with each entry. */
  seq: Sequence;
  /** Which change is being applied. */
  index: number;
  readonly revisions: Record<RecordId, number>;
  readonly readAhead: Map<RecordId, Standing>;
}

/** Of the write whose entry in the feed comes next. */
export function nextDot({ replica, seq }: CommitWork): Dot {
  return `${replica}:${seq + 1}`;
}

/** Returns the entry's number. */
export function appendToFeed(work: CommitWork, { relation = null, ...note }: FeedNote): Sequence {
  work.seq += 1;
  work.entries.push({ ...note, relation, seq: work.seq, at: work.now, actor: work.actor });
  return work.seq;
}
