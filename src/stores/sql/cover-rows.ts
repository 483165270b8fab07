import type { SpaceId } from '../../model/ids.ts';
import { lockHead } from './feed.ts';
import { exists, find, type SqlDatabase, type SqlValue, type Steps, select, send } from './statements.ts';
import { FEED, GRAVES, RECEIPTS, RELATIONS, type SummedTable, summedColumns, VECTORS, withSum } from './sums.ts';

/** The rows of a place are taken together; `key`: the columns by which a row is known. */
interface Covering {
  table: SummedTable;
  by: string;
  key: readonly string[];
  start: string | number;
}

/** In this order; what upkeep has come to is kept as the table's name and the last place. */
const COVERINGS: readonly Covering[] = [
  { table: RELATIONS, by: 'from_id', key: ['from_id', 'to_id', 'type'], start: '' },
  { table: GRAVES, by: 'record_id', key: ['record_id'], start: '' },
  { table: RECEIPTS, by: 'key', key: ['key'], start: '' },
  { table: FEED, by: 'seq', key: ['seq'], start: 0 },
  { table: VECTORS, by: 'record_id', key: ['record_id', 'ordinal', 'embedder'], start: '' },
];

const ALL_COVERED = 'all';
/** Places of one transaction: it must not hold up others. */
const AT_ONCE = 200;

function* isAllCovered(space: SpaceId): Steps<boolean> {
  return !(yield* exists(`SELECT 1 FROM feed_heads WHERE space_id = $1 AND covered <> '${ALL_COVERED}'`, space));
}

/** Gives sums to rows that an earlier release wrote without. True where nothing is left to do. */
export async function coverNext(database: SqlDatabase, space: SpaceId): Promise<boolean> {
  if (await database.read({ space }, () => isAllCovered(space))) return true;
  return database.write({ space }, () => coverSome(space), { weight: AT_ONCE });
}

/** What came from elsewhere may have rows without sums. */
export function* leaveUncovered(space: SpaceId): Steps<void> {
  yield* send("UPDATE feed_heads SET covered = '' WHERE space_id = $1", space);
}

function* coverSome(space: SpaceId): Steps<boolean> {
  // Nobody commits in this space meanwhile.
  yield* lockHead(space);
  const head = yield* find<{ covered: string }>('SELECT covered FROM feed_heads WHERE space_id = $1', space);
  if (head === undefined || head.covered === ALL_COVERED) return true;
  const at = readPlace(head.covered);
  const last = yield* coverTable(space, at.covering, at.after);
  const next = COVERINGS[COVERINGS.indexOf(at.covering) + 1];
  const covered =
    last !== null
      ? `${at.covering.table.table} ${last}`
      : next === undefined
        ? ALL_COVERED
        : `${next.table.table} ${next.start}`;
  yield* send('UPDATE feed_heads SET covered = $2 WHERE space_id = $1', space, covered);
  return covered === ALL_COVERED;
}

function readPlace(covered: string): { covering: Covering; after: string | number } {
  const [, name, place = ''] = /^(\w+) (.*)$/s.exec(covered) ?? [];
  const covering = COVERINGS.find(({ table }) => table.table === name);
  if (covering === undefined) return { covering: COVERINGS[0]!, after: COVERINGS[0]!.start };
  return { covering, after: typeof covering.start === 'number' ? Number(place) : place };
}

/** The last place that was looked at; null at the end of the table. */
function* coverTable(
  space: SpaceId,
  { table, by, key }: Covering,
  after: string | number,
): Steps<string | number | null> {
  const end = yield* find<{ place: string | number | null }>(
    `SELECT max(place) AS place FROM (
       SELECT DISTINCT ${by} AS place FROM ${table.table} WHERE space_id = $1 AND ${by} > $2 ORDER BY ${by} LIMIT ${AT_ONCE}) AS next`,
    space,
    after,
  );
  if (end?.place == null) return null;
  const rows = yield* select<Record<string, SqlValue>>(
    `SELECT ${summedColumns(table).join(', ')} FROM ${table.table} WHERE space_id = $1 AND ${by} > $2 AND ${by} <= $3 AND crc IS NULL`,
    space,
    after,
    end.place,
  );
  const which = key.map((column, i) => `${column} = $${i + 3}`).join(' AND ');
  for (const row of rows) {
    const sum = withSum(table.columns.map((column) => row[column]!)).at(-1)!;
    yield* send(
      `UPDATE ${table.table} SET crc = $2 WHERE space_id = $1 AND ${which}`,
      space,
      sum,
      ...key.map((column) => row[column]!),
    );
  }
  return end.place;
}
