import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import type { AuthStore } from '../src/auth/ports.ts';
import type { Engine } from '../src/engine/engine.ts';
import type { Movable, Store } from '../src/engine/ports.ts';
import { createEngine } from '../src/features/create-engine.ts';
import { DEFAULT_SETTINGS } from '../src/features/default-settings.ts';
import { createSharing } from '../src/server/open-engine.ts';
import { openStore } from '../src/stores/open-store.ts';
import { openStoreOn } from '../src/stores/postgres/open-postgres-store.ts';
import { makeCaller, makeFolder, makeWordEmbedder, silentLog } from './open-test-engine.ts';
import { findPostgres, type PrivatePostgres, startPrivatePostgres } from './postgres/private-postgres.ts';
import { openPgliteDatabase } from './stores/postgres/fixtures/pglite-database.ts';

const FOLDER = join(import.meta.dirname, 'fixtures', '0.1.0');
const OWNER = makeCaller('cli');
const clock = { now: () => Date.UTC(2026, 0, 16) };
const options = { clock, log: silentLog };

type OpenedStore = Store & AuthStore & Movable;
type Opened = { engine: Engine; store: OpenedStore };
type Open = () => Promise<OpenedStore>;

function readFixture(name: string): Buffer {
  return gunzipSync(readFileSync(join(FOLDER, `${name}.gz`)));
}

async function withEngine(open: Open, work: (opened: Opened) => Promise<void>): Promise<void> {
  const store = await open();
  const ports = { ...options, store, embedder: makeWordEmbedder(), sharing: createSharing(store) };
  const engine = createEngine(ports, DEFAULT_SETTINGS);
  try {
    await work({ engine, store });
  } finally {
    await engine.close();
  }
}

async function exportLines(engine: Engine): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of engine.exportRecords(OWNER, {})) lines.push(line);
  return lines;
}

async function* linesOf(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

function oldExport(): string[] {
  return readFixture('export.jsonl').toString().trimEnd().split('\n');
}

/** The texts of the space, as anybody would look for them. */
async function expectContents({ engine }: Opened): Promise<void> {
  const find = async (query: string) => (await engine.search(OWNER, { query })).hits[0]?.snippet;
  equal(await find('crane'), 'The harbour crane lifts forty tonnes.');
  equal(await find('when does the ferry leave'), 'The ferry leaves at ten.');
  equal(await find('lighthouse keeper'), 'The lighthouse keeper is called Bruno.');
  notEqual(await find('seagull'), 'A seagull stole the sandwich.');
  const { memories } = await engine.getMemories(OWNER, { refs: ['crane'], project: 'port' });
  deepEqual(memories[0]?.metadata, { source: 'manual', page: 12, nested: { deep: [1, null, true] } });
  const [ferry] = (await engine.listMemories(OWNER, { filter: { tags: ['timetable'] } })).items;
  deepEqual(
    (await engine.listVersions(OWNER, ferry!.id)).map(({ record, reason }) => [
      record.content,
      record.revision,
      reason,
    ]),
    [
      ['The ferry leaves at ten.', 2, null],
      ['The ferry leaves at nine.', 1, 'new timetable'],
    ],
  );
  equal((await engine.listPackets(OWNER, {})).total, 2);
}

async function expectSound(engine: Engine): Promise<void> {
  const report = await engine.examine(OWNER, {});
  ok(report.sound, JSON.stringify(report.checks));
}

/** How many rows of each table there are, and how many of them have no checksum. */
async function countUncovered({
  transfer,
  listIds,
}: OpenedStore): Promise<Record<string, [rows: number, without: number]>> {
  const ids = await listIds('owner', { after: null, limit: 1000, of: 'all' });
  const page = { after: null, limit: 1000 };
  const { vectors = [] } = await transfer.readRecordRows('owner', ids, 'records');
  const { relations = [] } = await transfer.readRecordRows('owner', ids, 'relations');
  const { graves = [] } = (await transfer.readSideRows('owner', 'graves', page)).rows;
  const { receipts = [] } = (await transfer.readSideRows('owner', 'receipts', page)).rows;
  return Object.fromEntries(
    Object.entries({ vectors, relations, graves, receipts }).map(([table, rows]) => [
      table,
      [rows.length, rows.filter(({ crc }) => crc === null).length],
    ]),
  );
}

function promiseOldDatabase(name: string, open: Open, openEmpty: Open): void {
  describe(`A database of 0.1.0 on ${name}`, () => {
    test('opens, is sound and holds what it held', () =>
      withEngine(open, async (opened) => {
        const { engine, store } = opened;
        await expectSound(engine);
        await expectContents(opened);
        equal((await store.findToken('ab'.repeat(32)))?.userId, 'ann');
        equal((await store.listMembers('crew')).length, 2);
        const head = await store.head('owner');
        await engine.storeMemory(OWNER, { content: 'The tide table is on the wall.', idempotencyKey: 'tide-1' });
        equal(await store.head('owner'), head);
        ok((await store.listSegments('owner')).length > 0);
        equal((await store.listGraves('owner', null, 10)).length, 1);
        const dots = (await store.getRecords('owner', await store.listIds('owner', { after: null, limit: 100 }))).map(
          ({ dot }) => dot,
        );
        equal(new Set(dots).size, dots.length);
      }));

    test('goes on being written to, and stays sound', () =>
      withEngine(open, async ({ engine }) => {
        const [ferry] = (await engine.listMemories(OWNER, { filter: { tags: ['timetable'] } })).items;
        await engine.updateMemory(OWNER, { ref: ferry!.id, content: 'The ferry leaves at eleven.' });
        equal((await engine.listVersions(OWNER, ferry!.id)).length, 3);
        const { items } = await engine.listMemories(OWNER, { filter: { deleted: 'only' } });
        equal((await engine.restoreMemories(OWNER, [items[0]!.id])).restored.length, 1);
        await expectSound(engine);
      }));

    test('gets checksums for all its rows in the background', () =>
      withEngine(open, async ({ engine, store }) => {
        const before = await countUncovered(store);
        for (const [table, [rows, without]] of Object.entries(before)) ok(rows > 0 && without > 0, table);
        await engine.runUpkeep();
        const after = await countUncovered(store);
        for (const [table, [rows, without]] of Object.entries(after)) ok(rows > 0 && without === 0, table);
        equal(await store.catchUp('owner'), true);
        await expectSound(engine);
      }));

    test('exports what an empty one takes in', () =>
      withEngine(open, async ({ engine }) => {
        const lines = await exportLines(engine);
        await withEngine(openEmpty, async ({ engine: other }) => {
          const report = await other.importRecords(OWNER, linesOf(lines), {});
          deepEqual([report.problems, report.conflicts], [[], []]);
          ok(report.records > 0 && report.versions > 0 && report.relations > 0);
          await expectSound(other);
        });
      }));
  });

  test(`An export of 0.1.0 is taken in by ${name}, once`, () =>
    withEngine(openEmpty, async (opened) => {
      const { engine } = opened;
      const first = await engine.importRecords(OWNER, linesOf(oldExport()), {});
      deepEqual([first.problems, first.conflicts], [[], []]);
      await expectContents(opened);
      await expectSound(engine);
      const again = await engine.importRecords(OWNER, linesOf(oldExport()), {});
      deepEqual([again.records, again.unchanged, again.conflicts], [0, first.records, []]);
    }));
}

const file = join(makeFolder(), 'old.db');
writeFileSync(file, readFixture('sqlite.db'), { mode: 0o600 });
promiseOldDatabase(
  'SQLite',
  () => openStore(file, options),
  () => openStore(':memory:', options),
);

test('What changes in an old database after that is noticed', async () => {
  const database = new DatabaseSync(file);
  const tables = ['vectors', 'relations', 'graves', 'receipts', 'feed'];
  deepEqual(
    tables.map((table) => database.prepare(`SELECT count(*) AS n FROM ${table} WHERE crc IS NULL`).get()?.n),
    tables.map(() => 0),
  );
  database.exec(`UPDATE feed SET actor = 'nobody' WHERE seq = 2; UPDATE receipts SET fingerprint = 'another'`);
  database.close();
  const open = () => openStore(file, options);
  await withEngine(open, async ({ engine }) => {
    const told = (await engine.examine(OWNER, {})).checks.map(({ detail }) => detail).join(' ');
    match(told, /The change 2 of space owner is damaged/);
    match(told, /The receipt .+ of space owner is damaged/);
    const { repaired } = await engine.examine(OWNER, { repair: true, backupPath: null });
    match(repaired.join(' '), /1 damaged receipt of the space owner was removed/);
  });
});

/** Without what only psql understands. */
const dump = readFixture('postgres.sql')
  .toString()
  .replaceAll(/^\\.*$/gm, '');

const pglite = new PGlite();
before(() => pglite.exec(`${dump}; RESET ALL`));
after(() => pglite.close());
let made = 0;
promiseOldDatabase(
  'PGlite',
  () => openStoreOn(openPgliteDatabase(pglite), 'ltm', options),
  () => openStoreOn(openPgliteDatabase(pglite), `empty_${++made}`, options),
);

const found = findPostgres();
if ('missing' in found) {
  test('A database of 0.1.0 on PostgreSQL', { skip: found.missing }, () => {});
} else {
  let postgres: PrivatePostgres;
  before(async () => {
    postgres = await startPrivatePostgres();
    // As the role that ltm runs as, which owns the tables then.
    await postgres.admin(`GRANT CREATE ON DATABASE app TO app; SET ROLE app; ${dump}; RESET ROLE`);
  });
  after(() => postgres.stop());
  promiseOldDatabase(
    'PostgreSQL',
    () => openStore(postgres.url(), options),
    () => openStore(postgres.url({ schema: `empty_${++made}` }), options),
  );
}
