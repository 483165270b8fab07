import type { DamageReport } from '../../engine/ports.ts';
import type { Instant, RecordId, SpaceId } from '../../model/ids.ts';
import type { Passage } from '../../model/passage.ts';
import { ALL_RECORD_COLUMNS, checksumPassages, checksumRow, type RecordRowWithSums } from '../rows/record-row.ts';
import { checksumVersion } from '../rows/version-row.ts';
import type { Session } from './database.ts';
import { readHead } from './feed.ts';
import { readPassages } from './passages.ts';
import { listSpaces } from './read-records.ts';
import type { Transactions } from './transactions.ts';

/** Records of one transaction. */
const BATCH = 200;

type VersionRow = {
  record_id: RecordId;
  revision: number;
  replaced_at: Instant;
  reason: string | null;
  checksum: Uint8Array;
  state: string;
};
type Progress = (done: number, total: number) => void;

/** Space by space, each behind its own wall. What the server can tell of its files is its own business (checksums of pages, amcheck). */
export async function verify(transactions: Transactions, progress: Progress = () => {}): Promise<DamageReport> {
  const report: DamageReport = {
    database: await transactions.read('no_space', findInvalidIndexes),
    checkedRecords: 0,
    damaged: [],
  };
  const spaces = await transactions.read('list_of_spaces', listSpaces);
  let total = 0;
  for (const space of spaces) total += await transactions.read({ space }, (session) => countRecords(session, space));
  for (const space of spaces) {
    report.database.push(...(await transactions.read({ space }, (session) => checkFeed(session, space))));
    const damaged = new Set<RecordId>();
    const done = (count: number) => {
      report.checkedRecords += count;
      progress(report.checkedRecords, Math.max(report.checkedRecords, total));
    };
    await checkRecords(transactions, space, { damaged, done });
    await checkVersions(transactions, space, damaged);
    report.damaged.push(...[...damaged].map((id) => ({ space, id })));
  }
  return report;
}

async function findInvalidIndexes(session: Session): Promise<string[]> {
  const { rows } = await session.query<{ name: string }>(
    `SELECT c.relname::text AS name FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
     WHERE c.relnamespace = current_schema()::regnamespace AND NOT (i.indisvalid AND i.indisready)`,
  );
  return rows.map(({ name }) => `The index ${name} is not valid; REINDEX it.`);
}

async function countRecords(session: Session, space: SpaceId): Promise<number> {
  return (
    (await session.query<{ n: number }>('SELECT count(*) AS n FROM records WHERE space_id = $1', [space])).rows[0]?.n ??
    0
  );
}

async function checkFeed(session: Session, space: SpaceId): Promise<string[]> {
  const head = await readHead(session, space);
  const { rows } = await session.query<{ last: number | null; n: number }>(
    'SELECT max(seq) AS last, count(*) AS n FROM feed WHERE space_id = $1',
    [space],
  );
  const { last, n } = rows[0] ?? { last: null, n: 0 };
  return (last ?? 0) === head && n === head
    ? []
    : [`The feed of space ${space} has ${n} entries up to ${last ?? 0}; its head says ${head}.`];
}

async function checkRecords(
  transactions: Transactions,
  space: SpaceId,
  { damaged, done }: { damaged: Set<RecordId>; done: (count: number) => void },
): Promise<void> {
  for (let last: RecordId | undefined = ''; last !== undefined; ) {
    const after: RecordId = last;
    const batch = await transactions.read({ space }, async (session) => {
      const { rows } = await session.query<RecordRowWithSums>(
        `SELECT ${ALL_RECORD_COLUMNS.join(', ')} FROM records WHERE space_id = $1 AND id > $2 ORDER BY id LIMIT ${BATCH}`,
        [space, after],
      );
      const ids = rows.map(({ id }) => id);
      const [passages, tags] = await Promise.all([readPassages(session, space, ids), readTags(session, space, ids)]);
      const unsound = rows.filter((row) => !isSound(row, passages.get(row.id) ?? [], tags.get(row.id) ?? new Set()));
      return { ids, unsound: unsound.map(({ id }) => id) };
    });
    for (const id of batch.unsound) damaged.add(id);
    last = batch.ids.at(-1);
    if (last !== undefined) done(batch.ids.length);
  }
}

function isSound(row: RecordRowWithSums, passages: readonly Passage[], tags: ReadonlySet<string>): boolean {
  if (!checksumRow(row).equals(row.checksum)) return false;
  if (!checksumPassages(passages).equals(row.passages_checksum)) return false;
  const listed = new Set(JSON.parse(row.tags) as string[]);
  return tags.size === listed.size && [...listed].every((tag) => tags.has(tag));
}

async function readTags(
  session: Session,
  space: SpaceId,
  ids: readonly RecordId[],
): Promise<Map<RecordId, Set<string>>> {
  const { rows } = await session.query<{ record_id: RecordId; tag: string }>(
    'SELECT record_id, tag FROM record_tags WHERE space_id = $1 AND record_id = ANY ($2::text[])',
    [space, ids],
  );
  const found = new Map<RecordId, Set<string>>(ids.map((id) => [id, new Set()]));
  for (const { record_id, tag } of rows) found.get(record_id)?.add(tag);
  return found;
}

async function checkVersions(transactions: Transactions, space: SpaceId, damaged: Set<RecordId>): Promise<void> {
  let place = { id: '', revision: 0 };
  for (;;) {
    const after = place;
    const rows = await transactions.read({ space }, (session) => readVersions(session, space, after));
    for (const row of rows) if (!checksumVersion(row).equals(row.checksum)) damaged.add(row.record_id);
    const end = rows.at(-1);
    if (end === undefined) return;
    place = { id: end.record_id, revision: end.revision };
  }
}

async function readVersions(
  session: Session,
  space: SpaceId,
  after: { id: RecordId; revision: number },
): Promise<VersionRow[]> {
  const { rows } = await session.query<VersionRow>(
    `SELECT record_id, revision, replaced_at, reason, checksum, state FROM record_versions
     WHERE space_id = $1 AND (record_id, revision) > ($2, $3) ORDER BY record_id, revision LIMIT ${BATCH}`,
    [space, after.id, after.revision],
  );
  return rows;
}
