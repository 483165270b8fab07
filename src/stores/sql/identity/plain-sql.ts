import type { SqlDatabase } from '../sql-database.ts';
import { type SqlValue, select, write } from '../statements.ts';

/** One statement at a time over the tables that belong to no space. */
export interface PlainSql {
  select<Row>(sql: string, ...values: SqlValue[]): Promise<readonly Row[]>;
  /** Kept at once; returns how many rows changed. */
  change(sql: string, ...values: SqlValue[]): Promise<number>;
}

export function openPlainSql(database: SqlDatabase): PlainSql {
  return {
    select: <Row>(sql: string, ...values: SqlValue[]) => database.read('no_space', () => select<Row>(sql, ...values)),
    change: (sql, ...values) => database.write('no_space', () => write(sql, ...values)),
  };
}
