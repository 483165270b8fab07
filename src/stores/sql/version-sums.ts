import type { RecordId, SpaceId } from '../../model/ids.ts';
import { sumVersions } from './record-row.ts';
import { type Steps, select, send } from './statements.ts';

/** What the versions that are there come to, sound or not; each record keeps what they should. */
export function* readVersionSums(space: SpaceId, ids: readonly RecordId[]): Steps<Map<RecordId, number>> {
  const rows = yield* select<{ record_id: RecordId; checksum: Uint8Array }>(
    'SELECT record_id, checksum FROM record_versions WHERE space_id = $1 AND record_id = ANY ($2::text[])',
    space,
    ids,
  );
  const byRecord = Map.groupBy(rows, ({ record_id }) => record_id);
  return new Map(ids.map((id) => [id, sumVersions((byRecord.get(id) ?? []).map(({ checksum }) => checksum))]));
}

/** What is there counts from now on. */
export function* sumVersionsAnew(space: SpaceId, id: RecordId): Steps<void> {
  const sums = yield* readVersionSums(space, [id]);
  yield* send('UPDATE records SET versions_sum = $3 WHERE space_id = $1 AND id = $2', space, id, sums.get(id)!);
}
