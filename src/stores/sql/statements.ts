import type { SpaceId } from '../../model/ids.ts';

/** What the SQL calls $1, $2 …; a list stands where it says `= ANY ($n::type[])`. */
export type SqlValue = string | number | null | Uint8Array | readonly (string | number | null)[];

export interface Statement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

export interface InsertTarget {
  readonly table: string;
  /** After `space_id`, where there is a space. */
  readonly columns: readonly string[];
  /** What to do with rows that are there already. */
  readonly conflict?: string;
}

export interface RowInsert {
  /** Best one object for all times: what is made of it is kept with it. */
  into: InsertTarget;
  space: SpaceId | null;
  rows: readonly (readonly SqlValue[])[];
}

/** A step of some work: statements that need not wait for each other, rows to insert, or a lock for the rest of the transaction. */
export type Request =
  | { statements: readonly Statement[]; wants: 'rows' | 'count' | 'nothing' }
  | { insert: RowInsert; wants: 'count' | 'nothing' }
  | { lock: SqlLock; of: string };

/** What stands in line where a database does not keep one writer at a time anyway. */
type SqlLock = 'segments' | 'identities';

/** One for each statement. */
export interface Answer {
  rows: readonly unknown[];
  count: number;
}

/**
 * Work that asks one thing after another, in SQL that both databases read the same way. SQLite answers at once; PostgreSQL after a while, and
 * what wants nothing is sent without waiting. `FOR UPDATE`, `FOR KEY SHARE` and `changed_at = now()` are for many writers at a time: SQLite's
 * adapter, which knows one, leaves them out.
 */
export type Steps<T> = Generator<Request, T, readonly Answer[]>;

export function* select<Row>(sql: string, ...values: readonly SqlValue[]): Steps<readonly Row[]> {
  const [answer] = yield { statements: [{ sql, values }], wants: 'rows' };
  return answer!.rows as readonly Row[];
}

/** Several questions at once; the rows of each. */
export function* selectAll<Rows extends readonly unknown[]>(
  ...statements: { [K in keyof Rows]: Statement }
): Steps<{ [K in keyof Rows]: readonly Rows[K][] }> {
  const answers = yield { statements, wants: 'rows' };
  return answers.map(({ rows }) => rows) as { [K in keyof Rows]: readonly Rows[K][] };
}

export function* find<Row>(sql: string, ...values: readonly SqlValue[]): Steps<Row | undefined> {
  return (yield* select<Row>(sql, ...values))[0];
}

export function* exists(sql: string, ...values: readonly SqlValue[]): Steps<boolean> {
  return (yield* find(sql, ...values)) !== undefined;
}

/** The one number that the statement calls `n`; 0 where there is none. */
export function* count(sql: string, ...values: readonly SqlValue[]): Steps<number> {
  return Number((yield* find<{ n: number | null }>(sql, ...values))?.n ?? 0);
}

/** Returns how many rows changed. */
export function* write(sql: string, ...values: readonly SqlValue[]): Steps<number> {
  const [answer] = yield { statements: [{ sql, values }], wants: 'count' };
  return answer!.count;
}

/** A write whose outcome nobody waits for; where it fails, the transaction does. */
export function* send(sql: string, ...values: readonly SqlValue[]): Steps<void> {
  yield { statements: [{ sql, values }], wants: 'nothing' };
}

export function* sendRows(insert: RowInsert): Steps<void> {
  if (insert.rows.length > 0) yield { insert, wants: 'nothing' };
}

/** Returns how many rows were written. */
export function* insertRows(insert: RowInsert): Steps<number> {
  if (insert.rows.length === 0) return 0;
  const answers = yield { insert, wants: 'count' };
  return answers.reduce((sum, answer) => sum + answer.count, 0);
}

export function* lock(name: SqlLock, of: string): Steps<void> {
  yield { lock: name, of };
}

/** What rows work may see: those of one space; the list of spaces and nothing else; none (tables that belong to no space). */
export type Sight = { space: SpaceId } | 'list_of_spaces' | 'no_space';

export interface ReadOptions {
  /** It asks for one thing and rarely for a second; before that it tells nobody anything, so that it can begin anew. */
  isMostlyOne?: boolean;
}

export interface WriteOptions<T> {
  /** About how many rows it writes; 1 unless told. */
  weight?: number;
  /** What it deletes must leave the database's log too. */
  scrub?: boolean;
  /** It makes room, or takes something away from somebody: it is let through on a full disk as long as anything is. */
  frees?: boolean;
  /** It takes so long that others should have their turn while it goes on. */
  isLong?: boolean;
  /** False: all that was written is undone. */
  keeps?: (value: T) => boolean;
}

/** The little that the shared work wants of an adapter. Throws EngineErrors only. */
export interface SqlDatabase {
  /** How large the pieces are in which it keeps what the index consists of. */
  readonly pieceBytes: number;
  /** One state of the database throughout, whatever others write meanwhile. */
  read<T>(sight: Sight, work: () => Steps<T>, options?: ReadOptions): Promise<T>;
  /** All of it or nothing. May run more than once, also after it has been committed (when a connection broke before the answer): it must not mind. */
  write<T>(sight: Sight, work: () => Steps<T>, options?: WriteOptions<T>): Promise<T>;
  /** One try, for what may wait; false, with nothing written, where others are writing just now. */
  tryWrite(sight: Sight, work: () => Steps<unknown>): Promise<boolean>;
  /** A word of its own for one write, kept with it, by which a second try knows that the first was committed; null where no connection can break. */
  newMark(): string | null;
}
