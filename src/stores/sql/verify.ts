import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DamagedPart, DamageReport, RowCounts } from '../../model/damage.ts';
import { EngineError } from '../../model/errors.ts';
import type { Dot, RecordId, SpaceId } from '../../model/ids.ts';
import type { Passage } from '../../model/passage.ts';
import { compareTags, createTagSum, type TagSum } from './compare-tags.ts';
import { findMiscounts } from './count-labels.ts';
import { type Head, readHeadRow } from './feed.ts';
import { matchesPassages } from './passage-places.ts';
import { readPassages } from './passages.ts';
import { listSpaces } from './read-records.ts';
import {
  ALL_RECORD_COLUMNS,
  checksumVersion,
  isAsWritten,
  type RecordRowWithSums,
  type VersionRow,
} from './record-row.ts';
import { matchesChecksum } from './row-checksum.ts';
import { type Counted, countPages, countRowsByPages, FEED_ROWS, RECORD_ROWS } from './row-counts.ts';
import { type SqlDatabase, type Steps, select } from './statements.ts';
import { COUNTED } from './sums.ts';
import { readVersionSums } from './version-sums.ts';
import { findUnsound, WALKS } from './walk-sums.ts';

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
    for (const space of spaces) total += (await countPages(database, space, RECORD_ROWS)).rows;
    const work: Verification = {
      database,
      report,
      progress(done) {
        report.checkedRecords += done;
        progress(report.checkedRecords, Math.max(report.checkedRecords, total));
      },
    };
    for (const space of spaces) await checkSpace(work, space);
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

type Parts = Map<RecordId, Set<DamagedPart>>;

/** Each look for itself: where one cannot be taken, the others still tell what they can. */
async function checkSpace({ database, report, progress }: Verification, space: SpaceId): Promise<void> {
  const damaged: Parts = new Map();
  const tags = createTagSum();
  const sight = { space };
  await noteDamage(report, async () => {
    report.database.push(...(await checkHead(database, space)));
  });
  await noteDamage(report, async () => {
    report.database.push(...(await database.read(sight, () => checkGraves(space))));
  });
  await noteDamage(report, async () => {
    report.database.push(...(await findMiscounts(database, space)));
  });
  await noteDamage(report, async () => {
    for (let last: RecordId | undefined = ''; last !== undefined; await nextTurn()) {
      const after: RecordId = last;
      const batch = await database.read(sight, () => checkRecords(space, after, { damaged, tags }));
      if (batch.length > 0) progress(batch.length);
      last = batch.at(-1);
    }
  });
  await noteDamage(report, async () => {
    const { wrong, left } = await compareTags(database, space, tags);
    for (const id of wrong) mark(damaged, id, 'its tags');
    if (left > 0) report.database.push(`Space ${space} has tags of records that are not there (${left}).`);
  });
  await noteDamage(report, async () => {
    for (let last: VersionPlace | undefined = { record_id: '', dot: '' }; last !== undefined; await nextTurn()) {
      const after: VersionPlace = last;
      const rows = await database.read(sight, () => readVersions(space, after));
      for (const row of rows)
        if (!checksumVersion(row).equals(row.checksum)) mark(damaged, row.record_id, 'an earlier version');
      last = rows.at(-1);
    }
  });
  for (const walk of WALKS)
    await noteDamage(report, async () => {
      for (const row of await findUnsound(database, space, walk)) {
        if (walk.part === null) report.database.push(walk.describe(space, row));
        else mark(damaged, String(row[walk.by]), walk.part);
      }
    });
  report.damaged.push(...Array.from(damaged, ([id, parts]) => ({ space, id, parts: [...parts] })));
}

function mark(damaged: Parts, id: RecordId, part: DamagedPart): void {
  damaged.set(id, (damaged.get(id) ?? new Set()).add(part));
}

/** Somebody may write while rows are counted page by page: then all are counted again, so often at most. */
const MAX_COUNTS = 5;

/** The feed against its head, and all rows against the counts that commits keep. */
async function checkHead(database: SqlDatabase, space: SpaceId): Promise<string[]> {
  for (let attempt = 1; attempt <= MAX_COUNTS; attempt++) {
    const before = await database.read({ space }, () => readHeadRow(space));
    const feed = await countPages(database, space, FEED_ROWS);
    const there = await countRowsByPages(database, space);
    const head = await database.read({ space }, () => readHeadRow(space));
    if (before?.seq !== head?.seq) continue;
    return describeHead(space, { head, feed, there });
  }
  return [];
}

function describeHead(
  space: SpaceId,
  { head, feed, there }: { head: Head | null; feed: Counted; there: RowCounts },
): string[] {
  const seq = head?.seq ?? 0;
  const problems =
    (feed.last ?? 0) === seq && feed.rows === seq - (head?.pruned ?? 0)
      ? []
      : [`The feed of space ${space} has ${feed.rows} entries up to ${feed.last ?? 0}; its head says ${seq}.`];
  for (const name of head?.counts == null ? [] : COUNTED)
    if (there[name] !== head!.counts![name])
      problems.push(
        `Space ${space} has ${there[name]} ${ROW_NAMES[name]}; by its own count it should have ${head!.counts![name]}.`,
      );
  return problems;
}

const ROW_NAMES: Readonly<Record<keyof RowCounts, string>> = {
  records: 'records',
  live: 'records that are not deleted',
  versions: 'earlier versions',
  relations: 'relations',
  graves: 'graves',
};

function* checkGraves(space: SpaceId): Steps<string[]> {
  const back = yield* select<{ id: RecordId }>(
    `SELECT r.id FROM graves AS g JOIN records AS r ON r.space_id = g.space_id AND r.id = g.record_id
     WHERE g.space_id = $1 AND r.space_id = $1 AND r.generation <= g.generation`,
    space,
  );
  return back.map(({ id }) => `The record ${id} of space ${space} was purged and is there again.`);
}

/** Marks those that are not sound; the ids of all that were looked at. */
function* checkRecords(
  space: SpaceId,
  after: RecordId,
  { damaged, tags }: { damaged: Parts; tags: TagSum },
): Steps<RecordId[]> {
  const rows = yield* select<RecordRowWithSums>(
    `SELECT ${ALL_RECORD_COLUMNS.join(', ')} FROM records WHERE space_id = $1 AND id > $2 ORDER BY id LIMIT ${BATCH}`,
    space,
    after,
  );
  const ids = rows.map(({ id }) => id);
  const passages = yield* readPassages(space, new Map(rows.map(({ id, content }) => [id, content])));
  const versions = yield* readVersionSums(space, ids);
  for (const row of rows) {
    if (versions.get(row.id) !== (row.versions_sum ?? versions.get(row.id)))
      mark(damaged, row.id, 'an earlier version');
    const found = findDamage(row, passages.get(row.id) ?? []);
    for (const part of found) mark(damaged, row.id, part);
    if (!found.includes('the record')) tags.add(row);
  }
  return ids;
}

function findDamage(row: RecordRowWithSums, passages: readonly Passage[]): DamagedPart[] {
  if (!matchesChecksum(row, row.checksum) || !isAsWritten(row)) return ['the record'];
  return matchesPassages(passages, row.passages_checksum) ? [] : ['its passages'];
}

type VersionPlace = { record_id: RecordId; dot: Dot };

function readVersions(space: SpaceId, { record_id, dot }: VersionPlace): Steps<readonly (VersionRow & VersionPlace)[]> {
  return select(
    `SELECT record_id, dot, replaced_at, reason, checksum, state FROM record_versions
     WHERE space_id = $1 AND (record_id, dot) > ($2, $3) ORDER BY record_id, dot LIMIT ${BATCH}`,
    space,
    record_id,
    dot,
  );
}
