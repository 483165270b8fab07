import type { RowCounts, Salvage } from '../../model/damage.ts';
import { EngineError } from '../../model/errors.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { StoredRecord } from '../../model/record.ts';
import { dropUnsoundChunks } from './chunks.ts';
import { dropLeftTags } from './compare-tags.ts';
import { correctBit } from './correct-bit.ts';
import { lockHead, writeHead, writeLastNumber } from './feed.ts';
import { leaveLabelsUncounted } from './label-counts.ts';
import { RECORD_COLUMNS } from './record-columns.ts';
import { ALL_RECORD_COLUMNS, type RecordRowWithSums, toEarlierRow, toRow, toStoredRecord } from './record-row.ts';
import { matchesChecksum } from './row-checksum.ts';
import { countRows } from './row-counts.ts';
import { createSealedStore, markSealed } from './sealed.ts';
import { count, find, type SqlDatabase, type Steps, select, write } from './statements.ts';
import {
  checkHead,
  countsOf,
  HEAD_COLUMNS,
  type HeadRow,
  LINKS,
  matchesSum,
  RECEIPTS,
  SEALED,
  STAMPS,
  type SummedTable,
  summedColumns,
  VECTORS,
} from './sums.ts';
import { findUnsound, WALKS } from './walk-sums.ts';

/** What people wrote first: it is the longest, and so the most likely. */
const RECORD_NAMES = RECORD_COLUMNS.map(({ name }) => name).sort(
  (a, b) => Number(b === 'content') - Number(a === 'content'),
);

export function* salvage(space: SpaceId, id: RecordId): Steps<Salvage | null> {
  const row = yield* find<RecordRowWithSums>(
    `SELECT ${ALL_RECORD_COLUMNS.join(', ')} FROM records WHERE space_id = $1 AND id = $2`,
    space,
    id,
  );
  if (row === undefined) return null;
  return {
    revision: row.revision,
    found: readWherePossible(row),
    matches: (record) => [toRow(record), toEarlierRow(record)].some((each) => matchesChecksum(each, row.checksum)),
    correct() {
      const right = correctBit(row, RECORD_NAMES, (candidate) => matchesChecksum(candidate, row.checksum));
      return right === null ? null : readWherePossible(right);
    },
  };
}

function readWherePossible(row: RecordRowWithSums): StoredRecord | null {
  try {
    return toStoredRecord(row);
  } catch (error) {
    if (error instanceof EngineError && error.code === 'storage_damaged') return null;
    throw error;
  }
}

/** The head, the vectors and the pieces of one space. */
export async function mendSpace(database: SqlDatabase, space: SpaceId): Promise<string[]> {
  const done: string[] = [];
  if (await database.write({ space }, () => mendHead(space)))
    done.push(`The head of the feed of the space ${space} was made anew.`);
  const left = await dropLeftTags(database, space);
  if (left > 0) done.push(`Tags of records that are not there were removed from the space ${space} (${left}).`);
  const dropped = await dropUnsoundVectors(database, space);
  if (dropped > 0) await database.write({ space }, () => leaveLabelsUncounted(space));
  if (dropped > 0) done.push(`${dropped} damaged vectors of the space ${space} were removed; they will be made anew.`);
  const pieces = await dropUnsoundChunks(database, space);
  if (pieces > 0)
    done.push(
      `${pieces} damaged pieces of transcripts in the space ${space} were removed: uploading the sessions again brings them back.`,
    );
  const unsealed = await dropUnsoundUploads(database, space);
  if (unsealed > 0)
    done.push(
      `${unsealed} damaged sealed uploads of the space ${space} were removed: machines that have the key bring them again.`,
    );
  for (const side of SIDE_ROWS) {
    const count = await database.write({ space }, () => dropUnsound(space, side), { frees: true });
    if (count === 0) continue;
    const what =
      count === 1
        ? `1 damaged ${side.name} of the space ${space} was`
        : `${count} damaged ${side.plural} of the space ${space} were`;
    done.push(`${what} removed: ${side.effect}`);
  }
  return done;
}

/** There may be very many of them. */
async function dropUnsoundUploads(database: SqlDatabase, space: SpaceId): Promise<number> {
  const walk = WALKS.find(({ table }) => table === SEALED)!;
  const unsound = await findUnsound(database, space, walk);
  // Lists of keys stay: each is needed to believe the next.
  const names = unsound.filter(({ slot }) => slot !== '').map(({ upload }) => String(upload));
  if (names.length === 0) return 0;
  return createSealedStore(database).drop(space, names);
}

interface SideRows {
  table: SummedTable;
  by: string;
  name: string;
  plural: string;
  effect: string;
}

/** What nobody can put right, and what can be done without. */
const SIDE_ROWS: readonly SideRows[] = [
  {
    table: RECEIPTS,
    by: 'key',
    name: 'receipt',
    plural: 'receipts',
    effect: 'a request that is sent again counts as new.',
  },
  {
    table: STAMPS,
    by: 'record_id',
    name: 'stamp',
    plural: 'stamps',
    effect: 'to other replicas such a record is as its last write left it.',
  },
  { table: LINKS, by: 'name', name: 'link', plural: 'links', effect: 'the exchange with it begins anew.' },
];

function* dropUnsound(space: SpaceId, { table, by }: SideRows): Steps<number> {
  const rows = yield* select<Record<string, string> & { crc: number | null }>(
    `SELECT ${summedColumns(table).join(', ')} FROM ${table.table} WHERE space_id = $1`,
    space,
  );
  const keys = rows.filter((row) => !matchesSum(row, table)).map((row) => row[by]!);
  if (keys.length === 0) return 0;
  return yield* write(`DELETE FROM ${table.table} WHERE space_id = $1 AND ${by} = ANY ($2::text[])`, space, keys);
}

/** False where it is as it should be. */
function* mendHead(space: SpaceId): Steps<boolean> {
  const row = yield* find<HeadRow>(`SELECT ${HEAD_COLUMNS} FROM feed_heads WHERE space_id = $1 FOR UPDATE`, space);
  const seq = yield* count('SELECT max(seq) AS n FROM feed WHERE space_id = $1', space);
  const isSound = row !== undefined && isSoundHead(space, row);
  if (isSound && row.seq === seq) return false;
  if (row === undefined)
    yield* write('INSERT INTO feed_heads (space_id, seq) VALUES ($1, $2) ON CONFLICT DO NOTHING', space, seq);
  yield* writeHead(space, { seq, counts: isSound ? countsOf(row) : null });
  // Each number was given with a change of its own: past the last of these, none is given twice.
  yield* writeLastNumber(space, seq);
  yield* markSealed(space);
  return true;
}

/** Takes what is there for what should be there. */
export function* recount(space: SpaceId): Steps<RowCounts> {
  const head = yield* lockHead(space);
  const counts = yield* countRows(space);
  if (head !== null) yield* writeHead(space, { ...head, counts });
  yield* leaveLabelsUncounted(space);
  return counts;
}

function isSoundHead(space: SpaceId, row: HeadRow): boolean {
  try {
    checkHead(space, row);
    return true;
  } catch (error) {
    if (error instanceof EngineError) return false;
    throw error;
  }
}

const AT_ONCE = 300;
type VectorKey = { record_id: RecordId; ordinal: number; embedder: string; crc: number | null };

async function dropUnsoundVectors(database: SqlDatabase, space: SpaceId): Promise<number> {
  let dropped = 0;
  for (let last: RecordId | undefined = ''; last !== undefined; ) {
    const after: RecordId = last;
    const step = await database.write({ space }, () => dropNext(space, after), { weight: AT_ONCE, frees: true });
    dropped += step.dropped;
    last = step.to;
  }
  return dropped;
}

function* dropNext(space: SpaceId, after: RecordId): Steps<{ dropped: number; to: RecordId | undefined }> {
  const ids = yield* select<{ record_id: RecordId }>(
    'SELECT DISTINCT record_id FROM vectors WHERE space_id = $1 AND record_id > $2 ORDER BY record_id LIMIT $3',
    space,
    after,
    AT_ONCE,
  );
  const rows = yield* select<VectorKey>(
    `SELECT ${summedColumns(VECTORS).join(', ')} FROM vectors WHERE space_id = $1 AND record_id = ANY ($2::text[])`,
    space,
    ids.map(({ record_id }) => record_id),
  );
  let dropped = 0;
  for (const row of rows) {
    if (matchesSum(row, VECTORS)) continue;
    dropped += yield* write(
      'DELETE FROM vectors WHERE space_id = $1 AND record_id = $2 AND ordinal = $3 AND embedder = $4',
      space,
      row.record_id,
      row.ordinal,
      row.embedder,
    );
  }
  return { dropped, to: ids.at(-1)?.record_id };
}
