import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DamagedPart } from '../../model/damage.ts';
import type { SpaceId } from '../../model/ids.ts';
import { find, type SqlDatabase, type Steps, select } from './statements.ts';
import {
  CHUNKS,
  FEED,
  GRAVES,
  LINKS,
  matchesSum,
  RECEIPTS,
  RELATIONS,
  SEALED,
  STAMPS,
  type SummedTable,
  summedColumns,
  VECTORS,
} from './sums.ts';

type SummedRow = Readonly<Record<string, unknown>> & { crc: number | null };

/** A table whose rows have sums, gone through by one of its columns. */
interface Walk {
  table: SummedTable;
  by: string;
  start: string | number;
  /** What of a record the rows are; null: they are described on their own. */
  part: DamagedPart | null;
  describe(space: SpaceId, row: SummedRow): string;
  /** How many at a time, where rows are large. */
  places?: number;
}

const nothing = () => '';
export const CHUNK_WALK: Walk = {
  table: CHUNKS,
  by: 'sha256',
  start: '',
  part: null,
  places: 50,
  describe: (space, { sha256 }) => `A piece of a transcript in space ${space} is damaged (${sha256}).`,
};
export const WALKS: readonly Walk[] = [
  { table: VECTORS, by: 'record_id', start: '', part: 'its vectors', describe: nothing },
  { table: RELATIONS, by: 'from_id', start: '', part: 'its relations', describe: nothing },
  {
    table: GRAVES,
    by: 'record_id',
    start: '',
    part: null,
    describe: (space, { record_id }) => `The grave of ${record_id} in space ${space} is damaged.`,
  },
  {
    table: STAMPS,
    by: 'record_id',
    start: '',
    part: null,
    describe: (space, { record_id }) => `What replicas know of ${record_id} in space ${space} is damaged.`,
  },
  {
    table: LINKS,
    by: 'name',
    start: '',
    part: null,
    describe: (space, { name }) => `The link ${name} of space ${space} is damaged.`,
  },
  {
    table: RECEIPTS,
    by: 'key',
    start: '',
    part: null,
    describe: (space, { key }) => `The receipt ${key} of space ${space} is damaged.`,
  },
  CHUNK_WALK,
  {
    table: SEALED,
    by: 'upload',
    start: '',
    part: null,
    places: 50,
    describe: (space, { upload }) => `A sealed upload of space ${space} is damaged (${upload}).`,
  },
  {
    table: FEED,
    by: 'seq',
    start: 0,
    part: null,
    describe: (space, { seq }) => `The change ${seq} of space ${space} is damaged.`,
  },
];

/** Places are taken whole, so that the rows of one are never cut apart. */
const PLACES = 500;

export async function findUnsound(database: SqlDatabase, space: SpaceId, walk: Walk): Promise<SummedRow[]> {
  const unsound: SummedRow[] = [];
  const { table, by, start } = walk;
  for (let last: string | number | undefined = start; last !== undefined; await nextTurn()) {
    const after: string | number = last;
    const rows = await database.read({ space }, () => readPlaces(space, walk, after));
    unsound.push(...rows.filter((row) => !matchesSum(row, table)));
    last = rows.at(-1)?.[by] as string | number | undefined;
  }
  return unsound;
}

function* readPlaces(
  space: SpaceId,
  { table, by, places = PLACES }: Walk,
  after: string | number,
): Steps<readonly SummedRow[]> {
  const end = yield* find<{ place: string | number | null }>(
    `SELECT max(place) AS place FROM (
       SELECT DISTINCT ${by} AS place FROM ${table.table} WHERE space_id = $1 AND ${by} > $2 ORDER BY ${by} LIMIT ${places}) AS next`,
    space,
    after,
  );
  if (end?.place == null) return [];
  return yield* select<SummedRow>(
    `SELECT ${summedColumns(table).join(', ')} FROM ${table.table} WHERE space_id = $1 AND ${by} > $2 AND ${by} <= $3 ORDER BY ${by}`,
    space,
    after,
    end.place,
  );
}
