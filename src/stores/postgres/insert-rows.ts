import type { SpaceId } from '../../model/ids.ts';
import type { Session, Value } from './database.ts';

/** Rows of one statement, at most: 1, 2, 4 … up to this many, so that few different statements are ever prepared. */
const MAX_ROWS = 64;

export interface RowInsert {
  table: string;
  /** After `space_id`. */
  columns: readonly string[];
  /** What to do with rows that are there already. */
  conflict?: string;
  space: SpaceId;
  rows: readonly (readonly Value[])[];
}

/** Lists of values rather than a SELECT over arrays: these go straight to the space's own shard on a Citus cluster. */
function* statementsOf({
  table,
  columns,
  conflict = '',
  space,
  rows,
}: RowInsert): Generator<{ sql: string; values: Value[] }> {
  for (let done = 0; done < rows.length; ) {
    const count = Math.min(MAX_ROWS, 2 ** Math.floor(Math.log2(rows.length - done)));
    const lists = Array.from(
      { length: count },
      (_, row) => `($1, ${columns.map((_, i) => `$${row * columns.length + i + 2}`).join(', ')})`,
    );
    const sql = `INSERT INTO ${table} (space_id, ${columns.join(', ')}) VALUES ${lists.join(', ')} ${conflict}`;
    yield { sql, values: [space, ...rows.slice(done, done + count).flatMap((row) => [...row])] };
    done += count;
  }
}

export function sendRows(session: Session, insert: RowInsert): void {
  for (const { sql, values } of statementsOf(insert)) session.send(sql, values);
}

/** Returns how many rows were written. */
export async function insertRows(session: Session, insert: RowInsert): Promise<number> {
  const answers = await Promise.all([...statementsOf(insert)].map(({ sql, values }) => session.query(sql, values)));
  return answers.reduce((sum, { count }) => sum + count, 0);
}
