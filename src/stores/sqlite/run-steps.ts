import { SEGMENT_PIECE_BYTES } from '../../model/segment.ts';
import { createPacer, type Pace, paceTurn } from '../../model/turn.ts';
import type {
  Answer,
  InsertTarget,
  Request,
  RowInsert,
  SqlDatabase,
  SqlValue,
  Statement,
  Steps,
} from '../sql/statements.ts';
import { type Connection, readSnapshot } from './connection.ts';
import { retryWhileBusy } from './translate-error.ts';
import type { WriterQueue } from './writer-queue.ts';

/** A file has no walls between its spaces: what may be seen is decided by the statements alone. */
export function createSqlDatabase(connection: Connection, queue: WriterQueue, longestWaitMs: number): SqlDatabase {
  return {
    pieceBytes: SEGMENT_PIECE_BYTES,
    async read(_sight, work, { isMostlyOne = false } = {}) {
      await paceTurn();
      const run = () => readSnapshot(connection, () => runSteps(connection, work()));
      return retryWhileBusy(isMostlyOne ? () => runFirst(connection, work, run) : run, longestWaitMs);
    },
    write(_sight, work, { keeps = () => true, isLong = false, ...options } = {}) {
      const judge = <T>(value: T, keepsIt: (value: T) => boolean) => ({ keep: keepsIt(value), value });
      return queue.write(() => judge(runSteps(connection, work()), keeps), {
        ...options,
        inTurns: isLong ? async (own) => judge(await runInTurns(own, work()), keeps) : undefined,
      });
    },
    tryWrite: async (_sight, work) => queue.tryWrite(() => void runSteps(connection, work())),
    newMark: () => null,
  };
}

type Cell = string | number | null | Uint8Array;

/** So many values of a list are handed over one by one, which takes half the time that a list takes. A page of hits has ten. */
const FEW = 10;

const NOTHING: readonly Answer[] = [];

export function runSteps<T>(connection: Connection, steps: Steps<T>): T {
  let step = steps.next();
  while (step.done !== true) step = steps.next(answer(connection, step.value));
  return step.value;
}

/** The same on a connection that nobody else uses meanwhile. */
async function runInTurns<T>(connection: Connection, steps: Steps<T>): Promise<T> {
  const pace = createPacer();
  let step = steps.next();
  while (step.done !== true) {
    const request = step.value;
    const answers =
      'insert' in request
        ? [{ rows: [], count: await insertInTurns(connection, request.insert, pace) }]
        : answer(connection, request);
    await pace();
    step = steps.next(answers);
  }
  return step.value;
}

/** One statement sees one state without a transaction around it, which takes longer than a short statement. Where more are asked for, all is done again. */
function runFirst<T>(connection: Connection, work: () => Steps<T>, runAll: () => T): T {
  const steps = work();
  const first = steps.next();
  if (first.done === true) return first.value;
  if (!('statements' in first.value) || first.value.statements.length > 1) return runAll();
  const second = steps.next(answer(connection, first.value));
  return second.done === true ? second.value : runAll();
}

function answer(connection: Connection, request: Request): readonly Answer[] {
  // One process writes at a time: whoever is here has every lock.
  if ('lock' in request) return NOTHING;
  if ('insert' in request) return [{ rows: [], count: insertAll(connection, request.insert) }];
  if (request.wants === 'rows') return request.statements.map((statement) => selectAll(connection, statement));
  return request.statements.map((statement) => {
    const { sql, values } = bind(statement);
    return { rows: [], count: Number(connection.statement(sql).run(...values).changes) };
  });
}

/** Naming the columns here takes less time than the driver takes for it. */
function selectAll(connection: Connection, asked: Statement): Answer {
  const { sql, values } = bind(asked);
  const { statement, columns } = connection.unnamed(sql);
  const found: unknown[] = statement.all(...values);
  const rows = (found as Cell[][]).map((cells) => {
    const row: Record<string, Cell> = {};
    for (let i = 0; i < columns.length; i++) row[columns[i]!] = cells[i]!;
    return row;
  });
  return { rows, count: rows.length };
}

/** By how many rows they take. */
const insertTexts = new WeakMap<InsertTarget, string[]>();

/** So many rows go in by one statement, in half the time; more would make too many statements. A memory counts for about as many labels. */
const MOST_TOGETHER = 8;

function insertAll(connection: Connection, { into, space, rows }: RowInsert): number {
  let count = 0;
  for (let at = 0; at < rows.length; at += MOST_TOGETHER)
    count += insertSome(connection, {
      into,
      space,
      rows: rows.length <= MOST_TOGETHER ? rows : rows.slice(at, at + MOST_TOGETHER),
    });
  return count;
}

async function insertInTurns(connection: Connection, { into, space, rows }: RowInsert, pace: Pace): Promise<number> {
  let count = 0;
  for (let at = 0; at < rows.length; at += MOST_TOGETHER) {
    await pace();
    count += insertSome(connection, { into, space, rows: rows.slice(at, at + MOST_TOGETHER) });
  }
  return count;
}

function insertSome(connection: Connection, { into, space, rows }: RowInsert): number {
  const some = rows as readonly Cell[][];
  const statement = connection.statement(insertText(into, space !== null, some.length));
  const cells = space === null ? some.flat() : some.flatMap((row) => [space, ...row]);
  return Number(statement.run(...cells).changes);
}

function insertText(into: InsertTarget, hasSpace: boolean, rows: number): string {
  const known = insertTexts.get(into) ?? [];
  const text = known[rows] ?? writeInsert(into, hasSpace, rows);
  if (known[rows] === undefined) {
    known[rows] = text;
    insertTexts.set(into, known);
  }
  return text;
}

function writeInsert({ table, columns, conflict = '' }: InsertTarget, hasSpace: boolean, rows: number): string {
  const names = hasSpace ? ['space_id', ...columns] : columns;
  const places = Array.from({ length: rows }, () => `(${names.map(() => '?').join(', ')})`).join(', ');
  return `INSERT INTO ${table} (${names.join(', ')}) VALUES ${places} ${conflict}`;
}

function bind({ sql, values }: Statement): { sql: string; values: Cell[] } {
  const text = translateSql(sql, FEW);
  const bound = text.list === null ? { sql: text.many, values: values as Cell[] } : bindList(text, values);
  return text.limit === null ? bound : bindLimit(bound, text.limit);
}

/** Larger ones stay values: each would be a statement of its own. */
const LARGEST_WRITTEN = 1000;

/**
 * SQLite plans by the limit it is given, and plans a statement anew each time one is bound, which takes ten times as long as a short statement runs. So it
 * stands in the text.
 */
function bindLimit({ sql, values }: { sql: string; values: Cell[] }, place: number): { sql: string; values: Cell[] } {
  const limit = Number(values[place - 1]);
  const isUsual = Number.isInteger(limit) && limit >= 0 && limit <= LARGEST_WRITTEN;
  if (!isUsual) return { sql: sql.replace(`LIMIT ?${place}`, `LIMIT ?${place} + 0`), values };
  // No value may come after the last place that the text names.
  return { sql: writeLimit(sql, place, limit), values: place === values.length ? values.slice(0, -1) : values };
}

function writeLimit(sql: string, place: number, limit: number): string {
  const known = limited.get(sql);
  const written = known?.get(limit);
  if (written !== undefined) return written;
  const text = sql.replace(`LIMIT ?${place}`, `LIMIT ${limit}`);
  if (known === undefined && limited.size >= MAX_TEXTS) limited.clear();
  limited.set(sql, (known ?? new Map<number, string>()).set(limit, text));
  return text;
}

/** A list goes in as one JSON value, so that statements stay few; a short one value by value, filled up with its first. */
function bindList({ many, short, list }: SqliteText, values: readonly SqlValue[]): { sql: string; values: Cell[] } {
  const items = values[list! - 1] as readonly Cell[];
  if (short === null || items.length === 0 || items.length > FEW) {
    const cells = values.map((value): Cell => (Array.isArray(value) ? JSON.stringify(value) : (value as Cell)));
    return { sql: many, values: cells };
  }
  const cells = values.slice() as Cell[];
  cells[list! - 1] = items[0]!;
  if (items.length === 1) return { sql: short.one, values: cells };
  for (let i = 1; i < FEW; i++) cells.push(items[i] ?? items[0]!);
  return { sql: short.few, values: cells };
}

/** A shared statement as SQLite reads it. */
interface SqliteText {
  /** Its list, if there is one, is a JSON value. */
  many: string;
  /** Its list is one value, or a few, the first in the list's own place, the others after all other values; null where it has no list, or several. */
  short: { one: string; few: string } | null;
  /** The place of the list; of the first where there are several. */
  list: number | null;
  /** The place of the limit; null where there is none, or several. */
  limit: number | null;
}

/** Listings make statements of many shapes; more than this many are not worth keeping. */
const MAX_TEXTS = 500;
const LIMIT = /LIMIT \$(\d+)(?!\d)/g;
const LIST = /= ANY \(\$(\d+)::\w+\[\]\)/g;
const FOR_MANY_WRITERS = / FOR UPDATE| FOR KEY SHARE|, changed_at = now\(\)/g;

const texts = new Map<string, SqliteText>();
const limited = new Map<string, Map<number, string>>();

function translateSql(sql: string, fewValues: number): SqliteText {
  const kept = texts.get(sql);
  if (kept !== undefined) return kept;
  const text = translate(sql.replaceAll(FOR_MANY_WRITERS, ''), fewValues);
  if (texts.size >= MAX_TEXTS) texts.clear();
  texts.set(sql, text);
  return text;
}

function translate(sql: string, fewValues: number): SqliteText {
  const places = new Set(Array.from(sql.matchAll(LIST), (match) => Number(match[1])));
  const [list = null] = places;
  const limits = Array.from(sql.matchAll(LIMIT), (match) => Number(match[1]));
  const limit = limits.length === 1 ? limits[0]! : null;
  const number = (text: string) => text.replaceAll('$', '?');
  const many = number(sql.replaceAll(LIST, 'IN (SELECT value FROM json_each($$$1))'));
  if (places.size !== 1) return { many, short: null, list, limit };
  const last = Math.max(...Array.from(sql.matchAll(/\$(\d+)/g), (match) => Number(match[1])));
  const more = Array.from({ length: fewValues - 1 }, (_, i) => `, $$${last + 1 + i}`).join('');
  const short = { one: number(sql.replaceAll(LIST, '= $$$1')), few: number(sql.replaceAll(LIST, `IN ($$$1${more})`)) };
  return { many, short, list, limit };
}
