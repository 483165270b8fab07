import type { Grave } from '../../model/change.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import { loseWeight } from './change-records.ts';
import { type Applying, appendToFeed, type CommitWork, missing, type Of, readStanding } from './commit-work.ts';
import { tallyRow } from './label-counts.ts';
import { refuseRevision } from './mark-records.ts';
import { listVersions } from './read-records.ts';
import { deleteReceiptsWith } from './receipts.ts';
import { isAsWritten, type RecordRowWithSums } from './record-row.ts';
import { removeAnyTags } from './record-tags.ts';
import { deleteStamps, dropRelationsTo } from './stamp-writes.ts';
import { count, type Steps, select, send, sendRows } from './statements.ts';
import { GRAVES, summedColumns, withSum } from './sums.ts';

/** Tags, versions, passages, vectors, relations and statistics go with the row (foreign keys, and a trigger where there is no index of tags by record); feed and grave keep that it was there. */
export function* applyPurge(work: CommitWork, { id, revision }: Of<'purge'>): Applying {
  const { space, index, now, tally } = work;
  const { row, buried } = yield* readStanding(work, id);
  if (row === undefined) return missing(index, id);
  const conflict = refuseRevision(revision, row, index);
  if (conflict !== null) return conflict;
  tally.change.graves += buried === 0 ? 1 : 0;
  yield* dropRelationsTo(space, row, yield* listFrom(space, id));
  yield* removeRow(work, row);
  yield* writeGrave(space, { id, generation: row.generation, purgedAt: now });
  appendToFeed(work, { op: 'purged', id, kind: row.kind, revision: null });
  work.revisions.delete(id);
  return null;
}

/** The record with its tags, versions, passages, vectors, relations, statistics, receipts and stamps. */
export function* removeRow(work: CommitWork, row: RecordRowWithSums): Steps<void> {
  const { space, tally } = work;
  const { id } = row;
  if (!isAsWritten(row)) {
    tally.isUnsure = true;
    yield* removeAnyTags(space, id);
  }
  const leave = () => {
    tally.isUnsure = true;
  };
  const versions = yield* listVersions(space, id, leave);
  yield* deleteReceiptsWith(space, id, [row.content, ...versions.map(({ record }) => record.content)]);
  tallyRow(tally.labels, row, undefined);
  if (row.deleted_at === null) yield* loseWeight(work, id);
  tally.change.records--;
  tally.change.live -= row.deleted_at === null ? 1 : 0;
  tally.change.versions -= versions.length;
  tally.change.relations -= yield* count(COUNT_RELATIONS, space, id);
  yield* send('DELETE FROM records WHERE space_id = $1 AND id = $2', space, id);
  yield* deleteStamps(space, id);
}

/** One that is dug deep enough already makes no entry. */
export function* applyBury(work: CommitWork, { grave }: Of<'bury'>): Applying {
  const { id, generation } = grave;
  const { row, buried, stamps } = yield* readStanding(work, id);
  if (row !== undefined && row.generation <= generation) return { reason: 'exists', index: work.index, id };
  if (buried >= generation) return null;
  work.tally.change.graves += buried === 0 ? 1 : 0;
  yield* writeGrave(work.space, grave);
  yield* dropRelationsTo(work.space, grave, []);
  if (stamps !== null && stamps.generation <= generation) yield* deleteStamps(work.space, id);
  appendToFeed(work, { op: 'purged', id, kind: null, revision: null });
  return null;
}

const COUNT_RELATIONS = 'SELECT count(*) AS n FROM relations WHERE space_id = $1 AND (from_id = $2 OR to_id = $2)';
const WRITE_GRAVE = {
  table: 'graves',
  columns: summedColumns(GRAVES),
  conflict:
    'ON CONFLICT (space_id, record_id) DO UPDATE SET generation = excluded.generation, purged_at = excluded.purged_at, crc = excluded.crc',
};

function* writeGrave(space: SpaceId, { id, generation, purgedAt }: Grave): Steps<void> {
  yield* sendRows({ into: WRITE_GRAVE, space, rows: [withSum([id, generation, purgedAt])] });
}

/** Where the relations begin that end at a record. */
function* listFrom(space: SpaceId, id: RecordId): Steps<RecordId[]> {
  const rows = yield* select<{ from_id: RecordId }>(
    'SELECT DISTINCT from_id FROM relations WHERE space_id = $1 AND to_id = $2',
    space,
    id,
  );
  return rows.map(({ from_id }) => from_id);
}
