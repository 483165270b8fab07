import type { Change, CommitConflict, PutChange } from '../../model/change.ts';
import type { RecordId, Sequence, SpaceId } from '../../model/ids.ts';
import type { RecordKind, StoredRecord } from '../../model/record.ts';
import type { RecordRowWithSums } from '../rows/record-columns.ts';
import type { Standing } from './plan-writes.ts';

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
