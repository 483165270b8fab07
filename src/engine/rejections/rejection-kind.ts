import { derivedRecordId, type RecordId, type ReplicaId } from '../../model/ids.ts';
import type { RecordContent, StoredRecord } from '../../model/record.ts';
import { REJECTED_HOW, type RejectedHow, type Rejection } from '../../model/rejection.ts';
import { sha256 } from '../../model/sha256.ts';
import type { Kind } from '../records/kind.ts';

/** What all of them bear as their session, by which a space's are found at once. */
export const REJECTIONS = 'ltm:rejections';

/**
 * What people have rejected: each a hash of the folded text under a key of the space, which is a record of this kind too. So they travel, are exported and backed up as
 * all records are; nothing of them is found by search, and no retention takes them.
 */
export const rejectionKind: Kind = {
  name: 'rejection',
  plural: 'rejections',
  code: 14,
  ownVerbs: ['store', 'update', 'delete', 'restore'],
  isFoundByNameOnly: true,
  isKeptApart: true,
  listPassages: () => [],
  derive: (record) => ({ ...record, key: null, session: REJECTIONS, contentHash: hashOf(record) }),
  findFaults: ({ body }) =>
    typeof body.claim === 'string' || typeof body.key === 'string'
      ? []
      : ['it says neither what it keeps out nor a key'],
};

function hashOf({ body }: Pick<RecordContent, 'body'>): string {
  return typeof body.claim === 'string' ? body.claim : sha256(`key\n${String(body.key)}`).toString('hex');
}

/** Each replica makes its own, so that none is overwritten when two meet. */
export function keyId(replica: ReplicaId): RecordId {
  return derivedRecordId(`rejection key\n${replica}`);
}

export function isRejectionKey({ kind, body }: Pick<RecordContent, 'kind' | 'body'>): boolean {
  return kind === rejectionKind.name && typeof body.key === 'string';
}

export function rejectionId(claim: string): RecordId {
  return derivedRecordId(`rejection\n${claim}`);
}

/** Null for a key. */
export function toRejection({ id, body, createdAt, project }: StoredRecord): Rejection | null {
  if (typeof body.claim !== 'string') return null;
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  const how = REJECTED_HOW.includes(body.how as RejectedHow) ? (body.how as RejectedHow) : 'rejected';
  return {
    id,
    how,
    project,
    at: createdAt,
    by: text(body.by) ?? '',
    why: text(body.why),
    from: text(body.from),
    record: text(body.record),
    kind: text(body.of) ?? 'memory',
    text: text(body.text),
  };
}
