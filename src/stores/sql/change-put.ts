import type { CommitConflict, ImportChange, PutChange } from '../../model/change.ts';
import type { RecordId } from '../../model/ids.ts';
import type { RecordVersion } from '../../model/record.ts';
import { VERSION_COLUMNS, versionValues } from '../rows/version-row.ts';
import { replaceVectors } from './change-vectors.ts';
import { appendToFeed, type CommitWork, nextDot } from './commit-work.ts';
import { claimOfImport, claimOfPut, refuseImport, refusePut } from './conflicts.ts';
import { readPassagesOf } from './passages.ts';
import { moveImport, planPassages, planRecord, type RecordWrite, recordOfPut, versionOf } from './plan-writes.ts';
import { findRival, readStanding, writeRow, writeTags } from './record-table.ts';
import { type Steps, send, sendRows } from './statements.ts';

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
