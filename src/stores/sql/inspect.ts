import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DamageReport, StoreFacts } from '../../engine/ports.ts';
import { EngineError } from '../../model/errors.ts';
import type { Dot, RecordId, SpaceId } from '../../model/ids.ts';
import type { Passage } from '../../model/passage.ts';
import { readHead } from './feed.ts';
import { readPassages } from './passages.ts';
import { listSpaces } from './read-records.ts';
import {
  ALL_RECORD_COLUMNS,
  checksumPassages,
  checksumVersion,
  matchesChecksum,
  type RecordRowWithSums,
  type VersionRow,
} from './record-row.ts';
import { count, find, type SqlDatabase, type Steps, select, selectAll } from './statements.ts';

/** What an adapter knows of its database as a whole. */
export type DatabaseFacts = Pick<StoreFacts, 'store' | 'location' | 'bytes' | 'schemaVersion'>;

/** Few records are deleted: counting all and taking theirs off is far cheaper than asking each whether it lives. */
const DELETED = 'r.space_id = $1 AND r.deleted_at IS NOT NULL';

const COUNTS = {
  records: 'FROM records WHERE space_id = $1 AND deleted_at IS NULL',
  deleted: 'FROM records WHERE space_id = $1 AND deleted_at IS NOT NULL',
  superseded: 'FROM records WHERE space_id = $1 AND deleted_at IS NULL AND superseded_by IS NOT NULL',
  passages: 'FROM passages WHERE space_id = $1',
  deletedPassages: `FROM records AS r JOIN passages AS p ON p.space_id = r.space_id AND p.record_id = r.id WHERE ${DELETED} AND p.space_id = $1`,
  relations: 'FROM relations WHERE space_id = $1',
  versions: 'FROM record_versions WHERE space_id = $1',
  graves: 'FROM graves WHERE space_id = $1',
} as const;
const COUNTED = Object.keys(COUNTS) as (keyof typeof COUNTS)[];

/** Of live records, like `passages`, so that the two can be compared. */
const COUNT_VECTORS = `
  SELECT embedder, CAST(sum(n) AS bigint) AS passages FROM (
    SELECT embedder, count(*) AS n FROM vectors WHERE space_id = $1 GROUP BY embedder
    UNION ALL
    SELECT v.embedder, -count(*) FROM records AS r JOIN vectors AS v ON v.space_id = r.space_id AND v.record_id = r.id
    WHERE ${DELETED} AND v.space_id = $1 GROUP BY v.embedder) AS counted
  GROUP BY embedder HAVING sum(n) > 0 ORDER BY embedder`;

export function* inspect(space: SpaceId): Steps<Omit<StoreFacts, keyof DatabaseFacts | 'replica' | 'epoch'>> {
  const answers = yield* selectAll<{ n: number }[]>(
    ...COUNTED.map((what) => ({ sql: `SELECT count(*) AS n ${COUNTS[what]}`, values: [space] })),
  );
  const counts = Object.fromEntries(COUNTED.map((what, i) => [what, answers[i]?.[0]?.n ?? 0]));
  const { deletedPassages, ...counted } = counts as Record<keyof typeof COUNTS, number>;
  const [segments] = yield* select<{ n: number; bytes: number | null }>(
    "SELECT count(*) AS n, CAST(sum(bytes) AS bigint) AS bytes FROM segments WHERE space_id = $1 AND state = 'live'",
    space,
  );
  return {
    ...counted,
    passages: counted.passages - deletedPassages,
    vectors: [...(yield* select<StoreFacts['vectors'][number]>(COUNT_VECTORS, space))],
    segments: segments?.n ?? 0,
    segmentBytes: segments?.bytes ?? 0,
    head: yield* readHead(space),
  };
}

/** Records of one transaction, and between two pauses, so that the program goes on answering while it checks. */
const BATCH = 200;

interface Verification {
  database: SqlDatabase;
  report: DamageReport;
  progress: (done: number) => void;
}

/** Space by space, each behind its own wall. `checkDatabase`: what the database says of itself. */
export async function verify(
  database: SqlDatabase,
  checkDatabase: () => Promise<string[]>,
  progress: (done: number, total: number) => void = () => {},
): Promise<DamageReport> {
  const report: DamageReport = { database: [], checkedRecords: 0, damaged: [] };
  await noteDamage(report, async () => void report.database.push(...(await checkDatabase())));
  await noteDamage(report, async () => {
    const spaces = await database.read('list_of_spaces', listSpaces);
    let total = 0;
    for (const space of spaces) total += await database.read({ space }, () => countRecords(space));
    const work: Verification = {
      database,
      report,
      progress(done) {
        report.checkedRecords += done;
        progress(report.checkedRecords, Math.max(report.checkedRecords, total));
      },
    };
    for (const space of spaces) await noteDamage(report, () => checkSpace(work, space));
  });
  return report;
}

/** A database too damaged to be read through is a finding, not a failure of the check. */
async function noteDamage(report: DamageReport, check: () => Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'storage_damaged') throw error;
    report.database.push(error.message);
  }
}

function countRecords(space: SpaceId): Steps<number> {
  return count('SELECT count(*) AS n FROM records WHERE space_id = $1', space);
}

async function checkSpace({ database, report, progress }: Verification, space: SpaceId): Promise<void> {
  report.database.push(...(await database.read({ space }, () => checkFeed(space))));
  report.database.push(...(await database.read({ space }, () => checkGraves(space))));
  const damaged = new Set<RecordId>();
  try {
    for (let last: RecordId | undefined = ''; last !== undefined; await nextTurn()) {
      const after: RecordId = last;
      const batch = await database.read({ space }, () => checkRecords(space, after));
      for (const id of batch.unsound) damaged.add(id);
      if (batch.ids.length > 0) progress(batch.ids.length);
      last = batch.ids.at(-1);
    }
    for (let last: VersionPlace | undefined = { record_id: '', dot: '' }; last !== undefined; await nextTurn()) {
      const after: VersionPlace = last;
      const rows = await database.read({ space }, () => readVersions(space, after));
      for (const row of rows) if (!checksumVersion(row).equals(row.checksum)) damaged.add(row.record_id);
      last = rows.at(-1);
    }
  } finally {
    report.damaged.push(...[...damaged].map((id) => ({ space, id })));
  }
}

function* checkFeed(space: SpaceId): Steps<string[]> {
  const head = yield* readHead(space);
  const feed = yield* find<{ last: number | null; n: number }>(
    'SELECT max(seq) AS last, count(*) AS n FROM feed WHERE space_id = $1',
    space,
  );
  const { last, n } = feed ?? { last: null, n: 0 };
  return (last ?? 0) === head && n === head
    ? []
    : [`The feed of space ${space} has ${n} entries up to ${last ?? 0}; its head says ${head}.`];
}

function* checkGraves(space: SpaceId): Steps<string[]> {
  const back = yield* select<{ id: RecordId }>(
    `SELECT r.id FROM graves AS g JOIN records AS r ON r.space_id = g.space_id AND r.id = g.record_id
     WHERE g.space_id = $1 AND r.space_id = $1 AND r.generation <= g.generation`,
    space,
  );
  return back.map(({ id }) => `The record ${id} of space ${space} was purged and is there again.`);
}

function* checkRecords(space: SpaceId, after: RecordId): Steps<{ ids: RecordId[]; unsound: RecordId[] }> {
  const rows = yield* select<RecordRowWithSums>(
    `SELECT ${ALL_RECORD_COLUMNS.join(', ')} FROM records WHERE space_id = $1 AND id > $2 ORDER BY id LIMIT ${BATCH}`,
    ...[space, after],
  );
  const ids = rows.map(({ id }) => id);
  const passages = yield* readPassages(space, ids);
  const tags = yield* readTags(space, ids);
  const unsound = rows.filter((row) => !isSound(row, passages.get(row.id) ?? [], tags.get(row.id) ?? new Set()));
  return { ids, unsound: unsound.map(({ id }) => id) };
}

function isSound(row: RecordRowWithSums, passages: readonly Passage[], tags: ReadonlySet<string>): boolean {
  if (!matchesChecksum(row, row.checksum)) return false;
  if (!checksumPassages(passages).equals(row.passages_checksum)) return false;
  const listed = new Set(JSON.parse(row.tags) as string[]);
  return tags.size === listed.size && [...listed].every((tag) => tags.has(tag));
}

function* readTags(space: SpaceId, ids: readonly RecordId[]): Steps<Map<RecordId, Set<string>>> {
  const rows = yield* select<{ record_id: RecordId; tag: string }>(
    'SELECT record_id, tag FROM record_tags WHERE space_id = $1 AND record_id = ANY ($2::text[])',
    ...[space, ids],
  );
  const found = new Map<RecordId, Set<string>>(ids.map((id) => [id, new Set()]));
  for (const { record_id, tag } of rows) found.get(record_id)?.add(tag);
  return found;
}

type VersionPlace = { record_id: RecordId; dot: Dot };

function readVersions(
  space: SpaceId,
  { record_id, dot }: VersionPlace,
): Steps<readonly (VersionRow & VersionPlace & { checksum: Uint8Array })[]> {
  return select(
    `SELECT record_id, dot, replaced_at, reason, checksum, state FROM record_versions
     WHERE space_id = $1 AND (record_id, dot) > ($2, $3) ORDER BY record_id, dot LIMIT ${BATCH}`,
    ...[space, record_id, dot],
  );
}
