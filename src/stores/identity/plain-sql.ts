/**
 * Identities are few, and what is asked of them is SQL that both databases read the same way: it is written once, with $1, $2 … for the values, and
 * each adapter runs it in its own manner.
 */
export type PlainValue = string | number | null;

export interface PlainSql {
  select<Row>(sql: string, ...values: PlainValue[]): Promise<Row[]>;
  /** One write, kept at once; returns how many rows changed. */
  change(sql: string, ...values: PlainValue[]): Promise<number>;
}

/** A statement inside a transaction. */
export interface PlainStatement {
  sql: string;
  values: readonly PlainValue[];
  wants: 'rows' | 'count';
}

export interface PlainAnswer {
  rows: readonly unknown[];
  count: number;
}

/** Work inside a transaction that asks one statement after another; SQLite answers at once, PostgreSQL after a while. */
export type Steps<T> = Generator<PlainStatement, T, PlainAnswer>;

/** Returns how many rows changed. */
export function* write(sql: string, ...values: PlainValue[]): Steps<number> {
  return (yield { sql, values, wants: 'count' }).count;
}

export function* find<Row>(sql: string, ...values: PlainValue[]): Steps<Row | undefined> {
  return (yield { sql, values, wants: 'rows' }).rows[0] as Row | undefined;
}

export function* exists(sql: string, ...values: PlainValue[]): Steps<boolean> {
  return (yield* find(sql, ...values)) !== undefined;
}
