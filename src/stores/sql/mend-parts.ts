import type { ImportedVersion } from '../../model/change.ts';
import type { MendedParts } from '../../model/damage.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { Relation } from '../../model/relation.ts';
import { correctBit, differInOneBit } from './correct-bit.ts';
import { lockHead } from './feed.ts';
import { checksumVersion, countVersions, type RelationRow, sumVersions, VERSION_COLUMNS } from './record-row.ts';
import { find, type Steps, select, send, sendRows } from './statements.ts';
import { matchesSum, RELATIONS, summedColumns, withSum } from './sums.ts';
import { sumVersionsAnew } from './version-sums.ts';

type Version = {
  dot: string;
  revision: number;
  replaced_at: number;
  reason: string | null;
  checksum: Uint8Array;
  state: string;
};

const isSoundVersion = (row: Version) => checksumVersion(row).equals(row.checksum);

/** Earlier versions of a record: what is off by a bit is put right, what `given` has is taken from there. The rest stays as it is. */
export function* mendVersions(space: SpaceId, id: RecordId, given: readonly ImportedVersion[]): Steps<MendedParts> {
  yield* lockHead(space);
  const rows = yield* select<Version>(
    `SELECT ${VERSION_COLUMNS.join(', ')} FROM record_versions WHERE space_id = $1 AND record_id = $2`,
    space,
    id,
  );
  const mended: MendedParts = { corrected: 0, taken: 0, left: 0 };
  const sound: Version[] = rows.filter(isSoundVersion);
  for (const row of rows) {
    if (isSoundVersion(row)) continue;
    const corrected = correctVersion(row);
    const next = corrected ?? takeVersion(row, given);
    if (next === null) mended.left++;
    else {
      mended[corrected === null ? 'taken' : 'corrected']++;
      sound.push(next);
      yield* send(
        `UPDATE record_versions SET replaced_at = $4, reason = $5, checksum = $6, state = $7
         WHERE space_id = $1 AND record_id = $2 AND dot = $3`,
        space,
        id,
        row.dot,
        next.replaced_at,
        next.reason,
        next.checksum,
        next.state,
      );
    }
  }
  if (mended.left > 0) return mended;
  const vanished = yield* takeVanished(space, id, { sound, given });
  if (vanished === null) mended.gone = true;
  else mended.taken += vanished;
  yield* sumVersionsAnew(space, id);
  return mended;
}

function correctVersion(row: Version): Version | null {
  const checksum = checksumVersion(row);
  if (differInOneBit(checksum, row.checksum)) return { ...row, checksum };
  return correctBit(row, ['state', 'replaced_at', 'reason'], isSoundVersion);
}

/** The same one, by its number; what the row says of itself may be what is damaged, but the number is a column of its own. */
function takeVersion(row: Version, given: readonly ImportedVersion[]): Version | null {
  const found = given.find(({ record }) =>
    record.dot === null ? record.revision === row.revision : record.dot === row.dot,
  );
  return found === undefined ? null : toRow(found, row.dot);
}

function toRow({ record, replacedAt, reason }: ImportedVersion, dot: string): Version {
  const state = JSON.stringify({ ...record, dot: record.dot ?? dot });
  const checksum = checksumVersion({ state, replaced_at: replacedAt, reason });
  return { dot, revision: record.revision, replaced_at: replacedAt, reason, checksum, state };
}

/** Rows that are gone altogether come back where the sum that the record keeps of its versions proves that they are the ones; null where none does. */
function* takeVanished(
  space: SpaceId,
  id: RecordId,
  { sound, given }: { sound: readonly Version[]; given: readonly ImportedVersion[] },
): Steps<number | null> {
  const owner = yield* find<{ versions_sum: number | null }>(
    'SELECT versions_sum FROM records WHERE space_id = $1 AND id = $2',
    space,
    id,
  );
  const sum = owner?.versions_sum ?? null;
  const sumOf = (rows: readonly Version[]) => sumVersions(rows.map(({ checksum }) => checksum));
  if (sum === null || countVersions(sum) === sound.length) return 0;
  const dots = new Set(sound.map(({ dot }) => dot));
  const gone = given.flatMap((one) =>
    one.record.dot === null || dots.has(one.record.dot) ? [] : [toRow(one, one.record.dot)],
  );
  if (sumOf([...sound, ...gone]) !== sum) return null;
  yield* sendRows({
    into: { table: 'record_versions', columns: ['record_id', ...VERSION_COLUMNS] },
    space,
    rows: gone.map((row) => [id, row.dot, row.revision, row.replaced_at, row.reason, row.checksum, row.state]),
  });
  return gone.length;
}

/** Relations that begin at a record, likewise. */
export function* mendRelations(space: SpaceId, id: RecordId, given: readonly Relation[]): Steps<MendedParts> {
  yield* lockHead(space);
  const rows = yield* select<RelationRow>(
    `SELECT ${summedColumns(RELATIONS).join(', ')} FROM relations WHERE space_id = $1 AND from_id = $2`,
    space,
    id,
  );
  const mended: MendedParts = { corrected: 0, taken: 0, left: 0 };
  for (const row of rows) {
    if (matchesSum(row, RELATIONS)) continue;
    const corrected = correctBit(row, [...RELATIONS.columns, 'crc'], (candidate) => matchesSum(candidate, RELATIONS));
    const next = corrected ?? takeRelation(row, { rows, given });
    if (next === null) {
      mended.left++;
      continue;
    }
    mended[corrected === null ? 'taken' : 'corrected']++;
    yield* send(
      'DELETE FROM relations WHERE space_id = $1 AND from_id = $2 AND to_id = $3 AND type = $4',
      space,
      row.from_id,
      row.to_id,
      row.type,
    );
    yield* sendRows({ into: { table: 'relations', columns: summedColumns(RELATIONS) }, space, rows: [valuesOf(next)] });
  }
  return mended;
}

function valuesOf(row: RelationRow) {
  return withSum([row.from_id, row.to_id, row.type, row.weight, row.created_at, row.body]);
}

/** The one whose sum the row bears, else the one between the same two. */
function takeRelation(
  row: RelationRow,
  { rows, given }: { rows: readonly RelationRow[]; given: readonly Relation[] },
): RelationRow | null {
  const candidates = given.map(({ from, to, type, weight, body, createdAt }): RelationRow => {
    const cells = { from_id: from, to_id: to, type, weight, created_at: createdAt, body: JSON.stringify(body) };
    return { ...cells, crc: Number(valuesOf({ ...cells, crc: null }).at(-1)) };
  });
  const isElsewhere = (one: RelationRow) =>
    rows.some((other) => other !== row && other.to_id === one.to_id && other.type === one.type);
  const free = candidates.filter((one) => !isElsewhere(one));
  return (
    free.find(({ crc }) => crc === row.crc) ??
    free.find(({ to_id, type }) => to_id === row.to_id && type === row.type) ??
    null
  );
}
