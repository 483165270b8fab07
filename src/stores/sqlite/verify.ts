import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DamageReport } from '../../engine/ports.ts';
import type { Instant, RecordId, SpaceId } from '../../model/ids.ts';
import { ALL_RECORD_COLUMNS, checksumPassages, checksumRow, type RecordRowWithSums } from '../rows/record-row.ts';
import { checksumVersion } from '../rows/version-row.ts';
import type { Connection } from './connection.ts';
import { readPassagesOf } from './passages.ts';
import { retryWhileBusy } from './retry-while-busy.ts';
import { translateError } from './translate-error.ts';

/** Rows between two pauses, so that the program goes on answering while it checks. */
const BATCH = 100;

type Place = { space_id: SpaceId; id: RecordId };
type VersionRow = {
  space_id: SpaceId;
  record_id: RecordId;
  revision: number;
  replaced_at: Instant;
  reason: string | null;
  checksum: Uint8Array;
  state: string;
};

export async function verify(
  connection: Connection,
  progress: (done: number, total: number) => void = () => {},
): Promise<DamageReport> {
  const report: DamageReport = { database: [], checkedRecords: 0, damaged: [] };
  await noteDamage(report, async () => {
    report.database.push(...(await retryWhileBusy(() => checkDatabase(connection))));
  });
  await noteDamage(report, async () => {
    const total = await retryWhileBusy(() =>
      Number(connection.statement('SELECT count(*) AS n FROM records').get()?.n),
    );
    const damaged = await findDamaged(connection, (done) => {
      report.checkedRecords = done;
      progress(done, Math.max(done, total));
    });
    report.damaged.push(...damaged);
  });
  return report;
}

/** A database too damaged to be read through is a finding, not a failure of the check. */
async function noteDamage(report: DamageReport, check: () => Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    const damage = translateError(error);
    if (damage.code !== 'storage_damaged') throw damage;
    report.database.push(damage.message);
  }
}

function checkDatabase(connection: Connection): string[] {
  const problems = connection.database.prepare('PRAGMA integrity_check').all() as { integrity_check: string }[];
  const orphans = connection.database.prepare('PRAGMA foreign_key_check').all() as { table: string; parent: string }[];
  return [
    ...problems.map(({ integrity_check }) => integrity_check).filter((text) => text !== 'ok'),
    ...orphans.map(({ table, parent }) => `A row of ${table} belongs to a row of ${parent} that is not there.`),
  ];
}

async function findDamaged(
  connection: Connection,
  progress: (done: number) => void,
): Promise<{ space: SpaceId; id: RecordId }[]> {
  const damaged = new Map<string, { space: SpaceId; id: RecordId }>();
  const note = (space: SpaceId, id: RecordId) => damaged.set(`${id} ${space}`, { space, id });
  let done = 0;
  await forEachBatch(connection, readRows, (row) => {
    if (!isSound(connection, row)) note(row.space_id, row.id);
    progress(++done);
  });
  await forEachBatch(connection, readVersions, (row) => {
    if (!checksumVersion(row).equals(row.checksum)) note(row.space_id, row.record_id);
  });
  return [...damaged.values()];
}

async function forEachBatch<T>(
  connection: Connection,
  read: (connection: Connection, last: T | null) => T[],
  check: (row: T) => void,
): Promise<void> {
  let last: T | null = null;
  do {
    const rows: T[] = await retryWhileBusy(() => {
      const batch = read(connection, last);
      for (const row of batch) check(row);
      return batch;
    });
    last = rows.at(-1) ?? null;
    await nextTurn();
  } while (last !== null);
}

function readRows(connection: Connection, last: Place | null): RecordRowWithSums[] {
  return connection
    .statement(
      `SELECT ${ALL_RECORD_COLUMNS.join(', ')} FROM records WHERE (space_id, id) > (?, ?) ORDER BY space_id, id LIMIT ${BATCH}`,
    )
    .all(last?.space_id ?? '', last?.id ?? '') as RecordRowWithSums[];
}

function readVersions(connection: Connection, last: VersionRow | null): VersionRow[] {
  return connection
    .statement(
      `SELECT space_id, record_id, revision, replaced_at, reason, checksum, state FROM record_versions
       WHERE (space_id, record_id, revision) > (?, ?, ?) ORDER BY space_id, record_id, revision LIMIT ${BATCH}`,
    )
    .all(last?.space_id ?? '', last?.record_id ?? '', last?.revision ?? 0) as VersionRow[];
}

function isSound(connection: Connection, row: RecordRowWithSums): boolean {
  if (!checksumRow(row).equals(row.checksum)) return false;
  if (!checksumPassages(readPassagesOf(connection, row.space_id, row.id)).equals(row.passages_checksum)) return false;
  const tags = connection
    .statement('SELECT tag FROM record_tags WHERE space_id = ? AND record_id = ?')
    .all(row.space_id, row.id) as { tag: string }[];
  const listed = new Set(JSON.parse(row.tags) as string[]);
  return tags.length === listed.size && tags.every(({ tag }) => listed.has(tag));
}
