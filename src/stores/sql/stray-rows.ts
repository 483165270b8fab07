import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import { type SqlDatabase, type Steps, select, write } from './statements.ts';

interface Hanging {
  table: string;
  /** The column that names the record. */
  by: string;
}

const PASSAGES: Hanging = { table: 'passages', by: 'record_id' };
const VERSIONS: Hanging = { table: 'record_versions', by: 'record_id' };

/** What hangs on a record and goes with it, by the foreign keys: without it only where these were not heeded. */
const HANGING: readonly Hanging[] = [
  { table: 'vectors', by: 'record_id' },
  PASSAGES,
  VERSIONS,
  { table: 'relations', by: 'from_id' },
  { table: 'relations', by: 'to_id' },
  { table: 'read_statistics', by: 'record_id' },
];

/** Records that are not there although nobody purged them: their passages or earlier versions are. */
export async function listLost(database: SqlDatabase, space: SpaceId): Promise<RecordId[]> {
  const lost = new Set<RecordId>();
  for (const hanging of [PASSAGES, VERSIONS])
    for await (const ids of readStrays(database, space, hanging))
      for (const id of await database.read({ space }, () => withoutGraves(space, ids))) lost.add(id);
  return [...lost];
}

/** Removes what hangs on records that are not there; how many rows that were. */
export async function dropStrays(database: SqlDatabase, space: SpaceId): Promise<number> {
  let dropped = 0;
  for (const hanging of HANGING)
    for await (const ids of readStrays(database, space, hanging))
      dropped += await database.write({ space }, () => removeRows(space, hanging, ids), {
        weight: ids.length,
        frees: true,
      });
  return dropped;
}

const PAGE = 1_000;

/** A page at a time, so that the program goes on answering. */
async function* readStrays(database: SqlDatabase, space: SpaceId, hanging: Hanging): AsyncGenerator<RecordId[]> {
  for (let last: RecordId | undefined = ''; last !== undefined; await nextTurn()) {
    const after: RecordId = last;
    const page = await database.read({ space }, () => readPage(space, hanging, after));
    if (page.strays.length > 0) yield page.strays;
    last = page.last;
  }
}

function* readPage(
  space: SpaceId,
  { table, by }: Hanging,
  after: RecordId,
): Steps<{ strays: RecordId[]; last: RecordId | undefined }> {
  const rows = yield* select<{ id: RecordId }>(
    `SELECT DISTINCT ${by} AS id FROM ${table} WHERE space_id = $1 AND ${by} > $2 ORDER BY ${by} LIMIT ${PAGE}`,
    space,
    after,
  );
  const ids = rows.map(({ id }) => id);
  const there = yield* select<{ id: RecordId }>(
    'SELECT id FROM records WHERE space_id = $1 AND id = ANY ($2::text[])',
    space,
    ids,
  );
  const known = new Set(there.map(({ id }) => id));
  return { strays: ids.filter((id) => !known.has(id)), last: ids.at(-1) };
}

function* withoutGraves(space: SpaceId, ids: readonly RecordId[]): Steps<RecordId[]> {
  const graves = yield* select<{ id: RecordId }>(
    'SELECT record_id AS id FROM graves WHERE space_id = $1 AND record_id = ANY ($2::text[])',
    space,
    ids,
  );
  const purged = new Set(graves.map(({ id }) => id));
  return ids.filter((id) => !purged.has(id));
}

function removeRows(space: SpaceId, { table, by }: Hanging, ids: readonly RecordId[]): Steps<number> {
  return write(`DELETE FROM ${table} WHERE space_id = $1 AND ${by} = ANY ($2::text[])`, space, ids);
}
