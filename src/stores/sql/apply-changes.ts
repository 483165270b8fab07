import type { Change, CommitConflict, Grave, ImportChange, PutChange } from '../../model/change.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { StoredVector } from '../../model/passage.ts';
import type { RecordKind, RecordVersion } from '../../model/record.ts';
import { readPassagesOf } from './passages.ts';
import {
  appendToFeed,
  type CommitWork,
  claimOfImport,
  claimOfPut,
  claimOfRestore,
  missing,
  moveImport,
  nextDot,
  planMark,
  planPassages,
  planRecord,
  type RecordWrite,
  type RowWrite,
  recordOfPut,
  refuseDelete,
  refuseImport,
  refusePut,
  refuseRestore,
  versionOf,
} from './plan-writes.ts';
import { listVersions } from './read-records.ts';
import { deleteReceiptsWith } from './receipts.ts';
import { VERSION_COLUMNS, versionValues } from './record-row.ts';
import { findRival, readStanding, writeRow, writeTags } from './record-table.ts';
import { find, insertRows, type SqlValue, type Steps, select, send, sendRows, write } from './statements.ts';

const VERSIONS = { table: 'record_versions', columns: ['record_id', ...VERSION_COLUMNS] };
const PASSAGES = { table: 'passages', columns: ['record_id', 'ordinal', 'text'] };

export function* applyPut(work: CommitWork, change: PutChange): Steps<CommitConflict | null> {
  const { space, index } = work;
  const { id, passages, vectors } = change;
  const standing = yield* readStanding(work, id);
  const conflict = refusePut(change, standing.row, index) ?? (yield* findRival(index, claimOfPut(space, change)));
  if (conflict !== null) return conflict;
  const previous = standing.row;
  const record = recordOfPut(change, standing, { space, dot: nextDot(work) });
  yield* writeRecord(work, { record, passages, vectors, previous });
  if (previous !== undefined) yield* writeVersions(work, id, [versionOf(previous, work.now, change)]);
  return null;
}

export function* applyImport(work: CommitWork, change: ImportChange): Steps<CommitConflict | null> {
  const { space, index } = work;
  const { record, versions } = moveImport(change, { space, dot: nextDot(work) });
  const standing = yield* readStanding(work, record.id);
  const conflict = refuseImport(record, standing, index) ?? (yield* findRival(index, claimOfImport(record)));
  if (conflict !== null) return conflict;
  const { passages, vectors } = change;
  yield* writeRecord(work, { record, passages, vectors, previous: undefined });
  yield* writeVersions(work, record.id, versions);
  return null;
}

function* writeRecord(work: CommitWork, write: RecordWrite): Steps<void> {
  const { record, passages, vectors, previous } = write;
  const { id, revision } = record;
  const { row, passagesChecksum, note } = planRecord(write);
  yield* writeRow(row, { feedSeq: appendToFeed(work, note), passagesChecksum });
  yield* writeTags(row, record.tags, previous?.tags);
  const before = previous === undefined ? [] : yield* readPassagesOf(work.space, id);
  yield* writePassages(work, id, planPassages(before, passages));
  yield* replaceVectors(work.space, id, vectors);
  work.revisions[id] = revision;
}

function* writeVersions({ space }: CommitWork, id: RecordId, versions: readonly RecordVersion[]): Steps<void> {
  const rows = versions.map((version) => [id, ...versionValues(version)]);
  yield* sendRows({ into: VERSIONS, space, rows });
}

function* writePassages(
  { space }: CommitWork,
  id: RecordId,
  { gone, fresh }: ReturnType<typeof planPassages>,
): Steps<void> {
  if (gone.length > 0)
    yield* send(
      'DELETE FROM passages WHERE space_id = $1 AND record_id = $2 AND ordinal = ANY ($3::bigint[])',
      ...[space, id, gone],
    );
  const rows = fresh.map(({ ordinal, text }) => [id, ordinal, text]);
  yield* sendRows({ into: PASSAGES, space, rows });
}

/** Passages and vectors stay, so that a restore brings everything back. */
export function* applyDelete(
  work: CommitWork,
  change: Extract<Change, { op: 'delete' }>,
): Steps<CommitConflict | null> {
  const { row } = yield* readStanding(work, change.id);
  if (row === undefined) return missing(work.index, change.id);
  const conflict = refuseDelete(change, row, work.index);
  if (conflict === null) yield* rewrite(work, planMark(row, 'deleted', { deletedAt: change.at, dot: nextDot(work) }));
  return conflict;
}

export function* applyRestore(
  work: CommitWork,
  change: Extract<Change, { op: 'restore' }>,
): Steps<CommitConflict | null> {
  const { row } = yield* readStanding(work, change.id);
  if (row === undefined) return missing(work.index, change.id);
  const conflict = refuseRestore(change, row, work.index) ?? (yield* findRival(work.index, claimOfRestore(row)));
  if (conflict === null) yield* rewrite(work, planMark(row, 'restored', { deletedAt: null, dot: nextDot(work) }));
  return conflict;
}

function* rewrite(work: CommitWork, { row, passagesChecksum, note }: RowWrite): Steps<void> {
  yield* writeRow(row, { feedSeq: appendToFeed(work, note), passagesChecksum });
  work.revisions[row.id] = row.revision;
}

/** Tags, versions, passages, vectors, relations and statistics go with the row (foreign keys); feed and grave keep that it was there. */
export function* applyPurge(work: CommitWork, { id }: Extract<Change, { op: 'purge' }>): Steps<CommitConflict | null> {
  const { space, index, now } = work;
  const { row } = yield* readStanding(work, id);
  if (row === undefined) return missing(index, id);
  const versions = yield* listVersions(space, id);
  yield* deleteReceiptsWith(space, id, [row.content, ...versions.map(({ record }) => record.content)]);
  yield* send('DELETE FROM records WHERE space_id = $1 AND id = $2', space, id);
  yield* writeGrave(space, { id, generation: row.generation, purgedAt: now });
  appendToFeed(work, { op: 'purged', id, kind: row.kind, revision: null });
  delete work.revisions[id];
  return null;
}

/** One that is dug deep enough already makes no entry. */
export function* applyBury(work: CommitWork, { grave }: Extract<Change, { op: 'bury' }>): Steps<CommitConflict | null> {
  const { id, generation } = grave;
  const { row, buried } = yield* readStanding(work, id);
  if (row !== undefined && row.generation <= generation) return { reason: 'exists', index: work.index, id };
  if (buried >= generation) return null;
  yield* writeGrave(work.space, grave);
  appendToFeed(work, { op: 'purged', id, kind: null, revision: null });
  return null;
}

function* writeGrave(space: SpaceId, { id, generation, purgedAt }: Grave): Steps<void> {
  yield* send(
    `INSERT INTO graves (space_id, record_id, generation, purged_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (space_id, record_id) DO UPDATE SET generation = excluded.generation, purged_at = excluded.purged_at`,
    ...[space, id, generation, purgedAt],
  );
}

/** Says it anew when the relation is already there. */
export function* applyRelate(
  work: CommitWork,
  { relation }: Extract<Change, { op: 'relate' }>,
): Steps<CommitConflict | null> {
  const { from, to, type, weight, body, createdAt } = relation;
  const kinds = yield* readKinds(work.space, [from, to]);
  for (const id of [from, to]) if (!kinds.has(id)) return missing(work.index, id);
  yield* send(
    `INSERT INTO relations (space_id, from_id, to_id, type, weight, created_at, body) VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (space_id, from_id, to_id, type) DO UPDATE SET weight = excluded.weight, created_at = excluded.created_at, body = excluded.body`,
    ...[work.space, from, to, type, weight, createdAt, JSON.stringify(body)],
  );
  appendToFeed(work, { op: 'related', id: from, kind: kinds.get(from)!, revision: null, relation: { to, type } });
  return null;
}

/** One that is not there is no obstacle and makes no entry. */
export function* applyUnrelate(
  work: CommitWork,
  { from, to, type }: Extract<Change, { op: 'unrelate' }>,
): Steps<CommitConflict | null> {
  const removed = yield* write(
    'DELETE FROM relations WHERE space_id = $1 AND from_id = $2 AND to_id = $3 AND type = $4',
    ...[work.space, from, to, type],
  );
  if (removed === 0) return null;
  const kind = (yield* readKinds(work.space, [from])).get(from) ?? null;
  appendToFeed(work, { op: 'unrelated', id: from, kind, revision: null, relation: { to, type } });
  return null;
}

function* readKinds(space: SpaceId, ids: readonly RecordId[]): Steps<Map<RecordId, RecordKind>> {
  const rows = yield* select<{ id: RecordId; kind: RecordKind }>(
    'SELECT id, kind FROM records WHERE space_id = $1 AND id = ANY ($2::text[])',
    ...[space, ids],
  );
  return new Map(rows.map(({ id, kind }) => [id, kind]));
}

const VECTORS = { table: 'vectors', columns: ['record_id', 'ordinal', 'embedder', 'scale', 'bytes'] };
const CONFLICT = 'ON CONFLICT (space_id, record_id, ordinal, embedder) DO';
const KEEP = { ...VECTORS, conflict: `${CONFLICT} NOTHING` };
const REPLACE = { ...VECTORS, conflict: `${CONFLICT} UPDATE SET scale = excluded.scale, bytes = excluded.bytes` };

/** Vectors of a text that has changed since would be wrong, so they are dropped without a word: the record is embedded again anyway. */
export function* applyEmbed(
  work: CommitWork,
  { id, revision, vectors }: Extract<Change, { op: 'embed' }>,
): Steps<null> {
  const row = yield* find<{ kind: RecordKind }>(
    'SELECT kind FROM records WHERE space_id = $1 AND id = $2 AND revision = $3 AND deleted_at IS NULL',
    ...[work.space, id, revision],
  );
  if (row === undefined) return null;
  const added = yield* insertRows({ into: KEEP, space: work.space, rows: rowsOf(id, vectors) });
  if (added > 0) appendToFeed(work, { op: 'embedded', id, kind: row.kind, revision });
  work.revisions[id] = revision;
  return null;
}

/** The last of several for one passage and embedder counts: a statement may not touch a row twice. */
function* replaceVectors(space: SpaceId, id: RecordId, vectors: readonly StoredVector[]): Steps<void> {
  const distinct = new Map(vectors.map((vector) => [`${vector.ordinal} ${vector.embedder}`, vector]));
  yield* sendRows({ into: REPLACE, space, rows: rowsOf(id, [...distinct.values()]) });
}

function rowsOf(id: RecordId, vectors: readonly StoredVector[]): SqlValue[][] {
  return vectors.map(({ ordinal, embedder, scale, bytes }) => [
    ...[id, ordinal, embedder, scale],
    new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  ]);
}
