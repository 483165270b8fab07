import type { RowCounts } from '../../model/damage.ts';
import type { SpaceId } from '../../model/ids.ts';
import { count, type SqlDatabase, type SqlValue, type Steps, select } from './statements.ts';
import { COUNTED } from './sums.ts';

export interface RowsOf {
  table: string;
  /** Gone through in this order, which an index has; no two rows are alike in it. */
  by: readonly string[];
  where?: string;
}

export const FEED_ROWS: RowsOf = { table: 'feed', by: ['seq'] };
export const RECORD_ROWS: RowsOf = { table: 'records', by: ['id'] };
export const VERSION_ROWS: RowsOf = { table: 'record_versions', by: ['record_id', 'dot'] };
export const RELATION_ROWS: RowsOf = { table: 'relations', by: ['from_id', 'to_id', 'type'] };
const ROWS: Readonly<Record<keyof RowCounts, RowsOf>> = {
  records: RECORD_ROWS,
  live: { table: 'records', by: ['created_at', 'id'], where: 'deleted_at IS NULL' },
  versions: VERSION_ROWS,
  relations: RELATION_ROWS,
  graves: { table: 'graves', by: ['record_id'] },
};

/** Of one moment. */
export function* countRows(space: SpaceId): Steps<RowCounts> {
  const counts: Partial<RowCounts> = {};
  for (const name of COUNTED) {
    const { table, where = 'true' } = ROWS[name];
    counts[name] = yield* count(`SELECT count(*) AS n FROM ${table} WHERE space_id = $1 AND ${where}`, space);
  }
  return counts as RowCounts;
}

/** A few at a time, for a database that holds up the program while it counts; others may write meanwhile. */
export async function countRowsByPages(database: SqlDatabase, space: SpaceId): Promise<RowCounts> {
  const counts: Partial<RowCounts> = {};
  for (const name of COUNTED) counts[name] = (await countPages(database, space, ROWS[name])).rows;
  return counts as RowCounts;
}

export interface Counted {
  rows: number;
  /** The first column of the last row; null where there is none. */
  last: SqlValue;
}

const PAGE = 5_000;

export async function countPages(database: SqlDatabase, space: SpaceId, rows: RowsOf): Promise<Counted> {
  const counted: Counted = { rows: 0, last: null };
  for (let place: readonly SqlValue[] = []; ; ) {
    const after: readonly SqlValue[] = place;
    const page = await database.read({ space }, () => readPage(space, rows, after));
    counted.rows += page.length;
    const last = page.at(-1);
    if (last === undefined) return counted;
    place = rows.by.map((column) => last[column]!);
    counted.last = place[0]!;
    if (page.length < PAGE) return counted;
  }
}

function readPage(
  space: SpaceId,
  { table, by, where = 'true' }: RowsOf,
  after: readonly SqlValue[],
): Steps<readonly Record<string, SqlValue>[]> {
  const columns = by.join(', ');
  const place = after.length === 0 ? '' : `AND (${columns}) > (${after.map((_, i) => `$${i + 2}`).join(', ')})`;
  return select(
    `SELECT ${columns} FROM ${table} WHERE space_id = $1 AND ${where} ${place} ORDER BY ${columns} LIMIT ${PAGE}`,
    space,
    ...after,
  );
}
