import type { Transfer } from '../../engine/ports.ts';
import type { Instant, RecordId, ReplicaId, SpaceId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Row, RowSet, SidePart, TransferCounts, TransferStep } from '../../model/transfer.ts';
import { leaveUncovered } from './cover-rows.ts';
import { makeSpace, readHeadRow, writeEntries, writeHead, writeLastNumber } from './feed.ts';
import { IDENTITY_TABLES } from './identity/identity-tables.ts';
import { leaveLabelsUncounted } from './label-counts.ts';
import { PASSAGE_COLUMNS } from './passage-places.ts';
import { selectRecords } from './read-records.ts';
import { ALL_RECORD_COLUMNS, type CheckedRow, isAsWritten, parseColumn, VERSION_COLUMNS } from './record-row.ts';
import { removeTags, writeTags } from './record-tags.ts';
import { countPages, FEED_ROWS, RECORD_ROWS, RELATION_ROWS, type RowsOf, VERSION_ROWS } from './row-counts.ts';
import { markSealed } from './sealed.ts';
import { type SqlDatabase, type SqlValue, type Steps, select, selectAll, send, sendRows } from './statements.ts';
import { CHUNKS, GRAVES, RECEIPTS, RELATIONS, SEALED, STAMPS, summedColumns, VECTORS } from './sums.ts';

/** A step fills a transaction of its own. */
const ALONE = { weight: Number.MAX_SAFE_INTEGER };

export function createTransfer(database: SqlDatabase, replica: ReplicaId): Transfer {
  const { read, write } = database;
  return {
    replica,
    readRecordRows: (space, ids, what) =>
      read({ space }, () => readTables(space, what === 'records' ? RECORD_TABLES : [RELATION_TABLE], ids)),
    readSideRows: (space, part, { after, limit }) =>
      read({ space }, function* () {
        const [{ name, by }] = SIDE_TABLES[part];
        const sql = `SELECT ${by} AS place FROM ${name} WHERE space_id = $1 AND ${by} > $2 ORDER BY ${by} LIMIT $3`;
        const places = (yield* select<{ place: string }>(sql, space, after ?? '', limit)).map(({ place }) => place);
        return { rows: yield* readTables(space, SIDE_TABLES[part], places), last: places.at(-1) ?? null };
      }),
    countRows: (space) => countAll(database, space),
    readIdentityRows: () => read('no_space', () => readIdentities()),
    readState: (space) => read({ space }, () => readState(space)),
    takeIn: (space, step) => write({ space }, () => takeInStep(space, step, database.newMark()), ALONE),
    takeInIdentities: (rows) => write('no_space', () => replaceIdentities(rows, database.newMark()), ALONE),
  };
}

async function countAll(database: SqlDatabase, space: SpaceId): Promise<TransferCounts> {
  const count = async (rows: RowsOf): Promise<number> => (await countPages(database, space, rows)).rows;
  return {
    records: await count(RECORD_ROWS),
    versions: await count(VERSION_ROWS),
    passages: await count({ table: 'passages', by: ['record_id', 'ordinal'] }),
    vectors: await count({ table: 'vectors', by: ['record_id', 'ordinal', 'embedder'] }),
    relations: await count(RELATION_ROWS),
    changes: await count(FEED_ROWS),
  };
}

function* readState(space: SpaceId): Steps<{ createdAt: Instant; lastNumber: number; progress: JsonObject | null }> {
  const values = [space];
  const [[age], [head], [progress]] = yield* selectAll<
    [{ created_at: Instant }, { numbered: number }, { state: string }]
  >(
    { sql: 'SELECT created_at FROM spaces WHERE space_id = $1', values },
    { sql: 'SELECT numbered FROM feed_heads WHERE space_id = $1', values },
    { sql: 'SELECT state FROM transfer_progress WHERE space_id = $1', values },
  );
  return {
    createdAt: age?.created_at ?? 0,
    lastNumber: head?.numbered ?? 0,
    progress: progress === undefined ? null : parseColumn<JsonObject>(progress.state, space),
  };
}

function* readTables(space: SpaceId, tables: readonly TransferTable[], keys: readonly string[]): Steps<RowSet> {
  const statements = tables.map(({ name, by, columns }) => ({
    sql: `SELECT ${columns.join(', ')} FROM ${name} WHERE space_id = $1 AND ${by} = ANY ($2::text[])`,
    values: [space, keys],
  }));
  const answers = yield* selectAll<Row[]>(...statements);
  return Object.fromEntries(tables.map(({ name }, i) => [name, answers[i]!]));
}

function* readIdentities(): Steps<RowSet> {
  const answers = yield* selectAll<Row[]>(
    ...IDENTITY_TABLES.map(({ name, columns }) => ({ sql: `SELECT ${columns.join(', ')} FROM ${name}`, values: [] })),
  );
  return Object.fromEntries(IDENTITY_TABLES.map(({ name }, i) => [name, answers[i]!]));
}

function* replaceIdentities(given: RowSet, mark: string | null): Steps<void> {
  for (const { name } of IDENTITY_TABLES.toReversed()) {
    if (name === 'server_secrets') yield* send('DELETE FROM server_secrets WHERE name <> $1', ...OWN_SECRETS);
    else yield* send(`DELETE FROM ${name}`);
  }
  for (const { name, columns } of IDENTITY_TABLES) {
    const rows = (given[name] ?? []).filter(
      (row) => name !== 'server_secrets' || !OWN_SECRETS.includes(String(row.name)),
    );
    const marks = name === 'audit' && mark !== null ? { change_id: mark } : {};
    yield* sendRows({
      into: { table: name, columns: [...columns, ...Object.keys(marks)] },
      space: null,
      rows: rows.map((row) => [...valuesOf(row, columns), ...Object.values(marks)]),
    });
  }
}

interface TransferTable {
  name: string;
  /** Which of the columns names the record, or the place in the part's order. */
  by: string;
  /** All but `space_id`. */
  columns: readonly string[];
}

/** What is kept about a record; the first is the record itself, the others refer to it or to each other in this order. Its tags follow from it. */
const RECORD_TABLES: readonly TransferTable[] = [
  { name: 'records', by: 'id', columns: ALL_RECORD_COLUMNS.filter((column) => column !== 'space_id') },
  { name: 'record_versions', by: 'record_id', columns: ['record_id', ...VERSION_COLUMNS] },
  { name: 'passages', by: 'record_id', columns: ['record_id', ...PASSAGE_COLUMNS] },
  { name: 'vectors', by: 'record_id', columns: summedColumns(VECTORS) },
];

const RELATION_TABLE: TransferTable = {
  name: 'relations',
  by: 'from_id',
  columns: summedColumns(RELATIONS),
};

/** The first is the one whose order counts; removing its rows removes those of the others. */
const SIDE_TABLES: Readonly<Record<SidePart, readonly [TransferTable, ...TransferTable[]]>> = {
  graves: [{ name: 'graves', by: 'record_id', columns: summedColumns(GRAVES) }],
  stamps: [{ name: 'stamps', by: 'record_id', columns: summedColumns(STAMPS) }],
  waiting: [{ name: 'waiting', by: 'record_id', columns: ['name', 'record_id'] }],
  receipts: [
    { name: 'receipts', by: 'key', columns: summedColumns(RECEIPTS) },
    { name: 'receipt_records', by: 'key', columns: ['key', 'record_id'] },
  ],
  chunks: [{ name: 'chunks', by: 'sha256', columns: [...summedColumns(CHUNKS), 'clean', 'stored_at'] }],
  sealed: [{ name: 'sealed', by: 'upload', columns: summedColumns(SEALED) }],
  reads: [{ name: 'read_statistics', by: 'record_id', columns: ['record_id', 'reads', 'last_read_at'] }],
};

/** Secrets that say what is being copied into the database: they stay where they are. */
const OWN_SECRETS: readonly string[] = ['copied_from'];

function valuesOf(row: Row, columns: readonly string[]): SqlValue[] {
  return columns.map((column) => row[column] ?? null);
}

/** Runs inside a transaction; does no harm when it runs again after it has been committed. */
function* takeInStep(space: SpaceId, step: TransferStep, mark: string | null): Steps<void> {
  yield* makeSpace(space, step.spaceCreatedAt);
  yield* leaveUncounted(space);
  if (step.records !== undefined) yield* takeInRecords(space, step.records);
  if (step.relations !== undefined) yield* takeInRelations(space, step.relations);
  if (step.feed !== undefined) yield* takeInFeed(space, step.feed, mark);
  if (step.side !== undefined) yield* takeInSide(space, step.side);
  if (step.lastNumber !== undefined) yield* writeLastNumber(space, step.lastNumber);
  yield* send(
    'INSERT INTO transfer_progress (space_id, state) VALUES ($1, $2) ON CONFLICT (space_id) DO UPDATE SET state = excluded.state',
    space,
    JSON.stringify(step.progress),
  );
}

/** Rows come and go here without a commit that would count and sum them: upkeep does when it is over. */
function* leaveUncounted(space: SpaceId): Steps<void> {
  yield* leaveLabelsUncounted(space);
  yield* leaveUncovered(space);
  const head = yield* readHeadRow(space);
  if (head !== null && head.counts !== null) yield* writeHead(space, { ...head, counts: null });
}

/** The record's own row is replaced and not removed first: relations of other records that end at it would go with it. */
function* takeInRecords(space: SpaceId, { ids, rows }: NonNullable<TransferStep['records']>): Steps<void> {
  const present = new Set((rows.records ?? []).map(({ id }) => id));
  const gone = ids.filter((id) => !present.has(id));
  const { sql, values } = selectRecords(space, ids);
  for (const before of yield* select<CheckedRow>(sql, ...values)) yield* removeTags(space, before);
  if (gone.length > 0) yield* send('DELETE FROM records WHERE space_id = $1 AND id = ANY ($2::text[])', space, gone);
  for (const { name } of RECORD_TABLES.slice(1))
    yield* send(`DELETE FROM ${name} WHERE space_id = $1 AND record_id = ANY ($2::text[])`, space, ids);
  for (const table of RECORD_TABLES) yield* insert(space, table, rows[table.name] ?? []);
  for (const row of rows.records ?? []) yield* takeInTags(space, { ...row, space_id: space } as unknown as CheckedRow);
}

/** A damaged record is copied as it is; what its tags are nobody knows. */
function* takeInTags(space: SpaceId, row: CheckedRow): Steps<void> {
  if (isAsWritten(row)) yield* writeTags(space, row.id, parseColumn<string[]>(row.tags, row.id));
}

function* takeInRelations(space: SpaceId, { ids, rows }: NonNullable<TransferStep['relations']>): Steps<void> {
  const relations = rows.relations ?? [];
  yield* send('DELETE FROM relations WHERE space_id = $1 AND from_id = ANY ($2::text[])', space, ids);
  const ends = relations.flatMap(({ from_id, to_id }) => [String(from_id), String(to_id)]);
  const here = yield* findPresent(space, ends);
  const complete = relations.filter(({ from_id, to_id }) => here.has(String(from_id)) && here.has(String(to_id)));
  yield* insert(space, RELATION_TABLE, complete);
}

function* takeInFeed(space: SpaceId, entries: NonNullable<TransferStep['feed']>, mark: string | null): Steps<void> {
  yield* writeEntries(space, entries, { mark, unlessThere: true });
  const [first, last] = [entries[0], entries.at(-1)];
  if (first === undefined || last === undefined) return;
  // What the source no longer keeps is not kept here either.
  const head = yield* readHeadRow(space);
  if (first.seq > (head?.seq ?? 0) + 1)
    yield* send('UPDATE feed_heads SET pruned = $2 WHERE space_id = $1', space, first.seq - 1);
  yield* writeHead(space, { seq: last.seq, counts: null });
}

function* takeInSide(space: SpaceId, { part, after, to, rows }: NonNullable<TransferStep['side']>): Steps<void> {
  const [{ name, by }] = SIDE_TABLES[part];
  const range = to === null ? `${by} > $2` : `${by} > $2 AND ${by} <= $3`;
  const values = [space, after ?? '', ...(to === null ? [] : [to])];
  yield* send(`DELETE FROM ${name} WHERE space_id = $1 AND ${range}`, ...values);
  const reads = (rows.read_statistics ?? []).map(({ record_id }) => String(record_id));
  const here = yield* findPresent(space, reads);
  for (const table of SIDE_TABLES[part]) {
    const all = rows[table.name] ?? [];
    yield* insert(space, table, part === 'reads' ? all.filter(({ record_id }) => here.has(String(record_id))) : all);
  }
  if (part === 'sealed') yield* markSealed(space);
}

function* findPresent(space: SpaceId, ids: readonly RecordId[]): Steps<Set<RecordId>> {
  if (ids.length === 0) return new Set();
  const rows = yield* select<{ id: RecordId }>(
    'SELECT id FROM records WHERE space_id = $1 AND id = ANY ($2::text[])',
    space,
    [...new Set(ids)],
  );
  return new Set(rows.map(({ id }) => id));
}

function* insert(space: SpaceId, { name, columns }: TransferTable, rows: readonly Row[]): Steps<void> {
  const update = columns.map((column) => `${column} = excluded.${column}`).join(', ');
  const conflict = name === 'records' ? `ON CONFLICT (space_id, id) DO UPDATE SET ${update}` : '';
  yield* sendRows({ into: { table: name, columns, conflict }, space, rows: rows.map((row) => valuesOf(row, columns)) });
}
