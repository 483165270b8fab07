import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { Row, TransferStep } from '../../model/transfer.ts';
import { makeSpace, writeEntries, writeHead } from './feed.ts';
import { type Steps, select, send, sendRows } from './statements.ts';
import { RECORD_TABLES, RELATION_TABLE, SIDE_TABLES, type TransferTable, valuesOf } from './transfer-tables.ts';

/** Runs inside a transaction; does no harm when it runs again after it has been committed. */
export function* takeInStep(space: SpaceId, step: TransferStep, mark: string | null): Steps<void> {
  yield* makeSpace(space, step.spaceCreatedAt);
  if (step.records !== undefined) yield* takeInRecords(space, step.records);
  if (step.relations !== undefined) yield* takeInRelations(space, step.relations);
  if (step.feed !== undefined) yield* takeInFeed(space, step.feed, mark);
  if (step.side !== undefined) yield* takeInSide(space, step.side);
  yield* send(
    'INSERT INTO transfer_progress (space_id, state) VALUES ($1, $2) ON CONFLICT (space_id) DO UPDATE SET state = excluded.state',
    ...[space, JSON.stringify(step.progress)],
  );
}

/** The record's own row is replaced and not removed first: relations of other records that end at it would go with it. */
function* takeInRecords(space: SpaceId, { ids, rows }: NonNullable<TransferStep['records']>): Steps<void> {
  const present = new Set((rows.records ?? []).map(({ id }) => id));
  const gone = ids.filter((id) => !present.has(id));
  if (gone.length > 0) yield* send('DELETE FROM records WHERE space_id = $1 AND id = ANY ($2::text[])', space, gone);
  for (const { name } of RECORD_TABLES.slice(1))
    yield* send(`DELETE FROM ${name} WHERE space_id = $1 AND record_id = ANY ($2::text[])`, space, ids);
  for (const table of RECORD_TABLES) yield* insert(space, table, rows[table.name] ?? []);
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
  const last = entries.at(-1);
  if (last !== undefined) yield* writeHead(space, last.seq);
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
}

function* findPresent(space: SpaceId, ids: readonly RecordId[]): Steps<Set<RecordId>> {
  if (ids.length === 0) return new Set();
  const rows = yield* select<{ id: RecordId }>(
    'SELECT id FROM records WHERE space_id = $1 AND id = ANY ($2::text[])',
    ...[space, [...new Set(ids)]],
  );
  return new Set(rows.map(({ id }) => id));
}

function* insert(space: SpaceId, { name, columns }: TransferTable, rows: readonly Row[]): Steps<void> {
  const update = columns.map((column) => `${column} = excluded.${column}`).join(', ');
  const conflict = name === 'records' ? `ON CONFLICT (space_id, id) DO UPDATE SET ${update}` : '';
  yield* sendRows({ into: { table: name, columns, conflict }, space, rows: rows.map((row) => valuesOf(row, columns)) });
}
