import { deepEqual, equal, rejects } from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, test } from 'node:test';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { store as keep, put, SPACE } from '../../../test/stores/contract/sample-records.ts';
import { CLOCK, makeTempFolder, SILENT } from '../../../test/stores/sqlite/fixtures/temp-store.ts';
import { createReadCounter } from '../sql/read-counter.ts';
import { type Ballast, NO_BALLAST } from './ballast.ts';
import { type Connection, openConnection } from './connection.ts';
import { openSqliteStore } from './open-sqlite-store.ts';
import { createSqlDatabase } from './run-steps.ts';
import { createWriterQueue } from './writer-queue.ts';

let folder = makeTempFolder();
let path = '';
beforeEach(() => {
  folder = makeTempFolder();
  path = join(folder.path, 'ltm.db');
});
afterEach(() => folder.remove());

const NO_COUNTER = { count() {}, keep() {}, close() {} };
const PARTS = {
  scrubber: { scrub() {}, close() {} },
  ballast: NO_BALLAST,
  counter: NO_COUNTER,
  longestWaitMs: 1000,
};

/** Counts the transactions that a queue commits on a table of one column. */
function openCounted(): { connection: Connection; commits: () => number; insert: (n: number | string) => void } {
  const connection = openConnection(path);
  connection.exec('CREATE TABLE t (n INTEGER) STRICT');
  let commits = 0;
  const counted: Connection = {
    ...connection,
    get database() {
      return connection.database;
    },
    statement(sql) {
      if (sql === 'COMMIT') commits++;
      return connection.statement(sql);
    },
  };
  return {
    connection: counted,
    commits: () => commits,
    insert: (n) => void connection.statement('INSERT INTO t VALUES (?)').run(n),
  };
}

test('puts writes that arrive together into one transaction', async () => {
  const { connection, commits, insert } = openCounted();
  const queue = createWriterQueue(connection, PARTS);
  await Promise.all(Array.from({ length: 100 }, (_, n) => queue.write(() => ({ keep: true, value: insert(n) }))));
  equal(commits(), 1);
  equal(connection.statement('SELECT count(*) AS n FROM t').get()?.n, 100);
  connection.close();
});

test('cuts a group before it makes the transaction long', async () => {
  const { connection, commits, insert } = openCounted();
  const queue = createWriterQueue(connection, PARTS);
  await Promise.all(
    Array.from({ length: 10 }, (_, n) => queue.write(() => ({ keep: true, value: insert(n) }), { weight: 200 })),
  );
  equal(commits(), 5);
  connection.close();
});

test('undoes only what failed or gave up, and acknowledges the others', async () => {
  const { connection, insert } = openCounted();
  const queue = createWriterQueue(connection, PARTS);
  const outcomes = await Promise.allSettled([
    queue.write(() => ({ keep: true, value: insert(1) })),
    queue.write(() => ({ keep: false, value: insert(2) })),
    queue.write(() => {
      insert(3);
      return { keep: true, value: insert('no number') };
    }),
    queue.write(() => ({ keep: true, value: insert(4) })),
  ]);
  deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  );
  deepEqual(
    connection
      .statement('SELECT n FROM t')
      .all()
      .map(({ n }) => n),
    [1, 4],
  );
  connection.close();
});

test('a write that is alone in its transaction and gives up or fails leaves nothing, and the next one is kept', async () => {
  const { connection, commits, insert } = openCounted();
  const queue = createWriterQueue(connection, PARTS);
  equal(await queue.write(() => ({ keep: false, value: insert(1) })), undefined);
  await rejects(
    queue.write(() => {
      insert(2);
      return { keep: true, value: insert('no number') };
    }),
  );
  equal(commits(), 0);
  await queue.write(() => ({ keep: true, value: insert(3) }));
  deepEqual(
    connection
      .statement('SELECT n FROM t')
      .all()
      .map(({ n }) => n),
    [3],
  );
  connection.close();
});

/** Writes a row in each of five turns of the event loop, on whatever connection it is given. */
const inTurns = (outcome: { keep: boolean; error?: Error }) => async (own: Connection) => {
  for (let n = 1; n <= 5; n++) {
    own.statement('INSERT INTO t VALUES (?)').run(n);
    await nextTurn();
  }
  if (outcome.error !== undefined) throw outcome.error;
  return { keep: outcome.keep, value: 5 };
};
const never = () => {
  throw new Error('It is done in turns.');
};

test('lets others read while a long write goes on, shows nothing of it before its end, and writes what came meanwhile after it', async () => {
  const { connection, insert } = openCounted();
  const queue = createWriterQueue(connection, PARTS);
  const list = () => connection.statement('SELECT n FROM t ORDER BY rowid').all() as { n: number }[];
  const seen = new Set<number>();
  let isOver = false;
  const long = queue.write(never, { inTurns: inTurns({ keep: true }) }).then(() => {
    isOver = true;
  });
  const short = queue.write(() => ({ keep: true, value: insert(6) }));
  let reads = 0;
  for (; !isOver; reads++) {
    await nextTurn();
    seen.add(list().length);
  }
  await Promise.all([long, short]);
  equal(reads >= 5, true, `${reads} reads`);
  deepEqual(
    [...seen].filter((rows) => rows > 0 && rows < 5),
    [],
  );
  deepEqual(
    list().map(({ n }) => n),
    [1, 2, 3, 4, 5, 6],
  );
  connection.close();
});

test('a long write that gives up or fails leaves nothing, and the next one is kept', async () => {
  const { connection, insert } = openCounted();
  const queue = createWriterQueue(connection, PARTS);
  equal(await queue.write(never, { inTurns: inTurns({ keep: false }) }), 5);
  await rejects(queue.write(never, { inTurns: inTurns({ keep: true, error: new Error('no') }) }), { code: 'internal' });
  await queue.write(() => ({ keep: true, value: insert(7) }));
  deepEqual(connection.statement('SELECT n FROM t').all(), [{ __proto__: null, n: 7 }]);
  connection.close();
});

test('a long write that finds the disk full is tried like any other', async () => {
  const { connection, insert } = openCounted();
  const queue = createWriterQueue(connection, PARTS);
  const error = Object.assign(new Error('database or disk is full'), { errcode: 13, code: 'ERR_SQLITE_ERROR' });
  const once = () => {
    insert(8);
    return { keep: true, value: 1 };
  };
  equal(await queue.write(once, { inTurns: inTurns({ keep: true, error }) }), 1);
  deepEqual(connection.statement('SELECT n FROM t').all(), [{ __proto__: null, n: 8 }]);
  connection.close();
});

test('a long write in memory, where there is one connection only, is done in one go', async () => {
  const connection = openConnection(':memory:');
  connection.exec('CREATE TABLE t (n INTEGER) STRICT');
  const queue = createWriterQueue(connection, PARTS);
  const once = () => ({ keep: true, value: Number(connection.statement('INSERT INTO t VALUES (9)').run().changes) });
  equal(await queue.write(once, { inTurns: inTurns({ keep: true }) }), 1);
  deepEqual(connection.statement('SELECT n FROM t').all(), [{ __proto__: null, n: 9 }]);
  connection.close();
});

test('lets what makes room have the ballast on a full disk, one group at a time, and nobody else', async () => {
  const { connection, insert } = openCounted();
  const full = Number(connection.statement('PRAGMA page_count').get()?.page_count);
  const limit = (pages: number) => connection.exec(`PRAGMA max_page_count = ${pages}`);
  const happened: string[] = [];
  // The limit of SQLite stands for the end of the disk: releasing the ballast moves it.
  const ballast: Ballast = {
    ...NO_BALLAST,
    release() {
      happened.push('released');
      limit(full + 1000);
      return true;
    },
    takeBack() {
      happened.push('taken back');
      limit(full);
    },
  };
  const queue = createWriterQueue(connection, { ...PARTS, ballast });
  limit(full);
  const grow = (name: string) => () => {
    connection.exec(`CREATE TABLE ${name} AS SELECT zeroblob(100000) AS bytes`);
    return { keep: true, value: happened.push(name) };
  };
  const outcomes = await Promise.allSettled([
    queue.write(() => ({ keep: true, value: insert(1) })),
    queue.write(grow('a'), { frees: true }),
    queue.write(grow('b'), { frees: true }),
  ]);
  deepEqual(
    outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code),
    ['storage_full', false, false],
  );
  await rejects(queue.write(grow('c')), { code: 'storage_full' });
  deepEqual(happened, ['released', 'a', 'b', 'taken back']);
  deepEqual(connection.statement('SELECT count(*) AS n FROM t').get()?.n, 0);
  connection.close();
});

test('acknowledges nothing when the disk is full, and works again when it is not', async () => {
  const { connection, insert } = openCounted();
  const queue = createWriterQueue(connection, PARTS);
  const pages = Number(connection.statement('PRAGMA page_count').get()?.page_count);
  connection.exec(`PRAGMA max_page_count = ${pages}`);
  const fill = () => connection.exec('CREATE TABLE big AS SELECT zeroblob(100000) AS bytes');
  const outcomes = await Promise.allSettled([
    queue.write(() => ({ keep: true, value: insert(1) })),
    queue.write(() => ({ keep: true, value: fill() })),
  ]);
  deepEqual(
    outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code),
    ['storage_full', 'storage_full'],
  );
  connection.exec('PRAGMA max_page_count = 1000000');
  await queue.write(() => ({ keep: true, value: insert(2) }));
  deepEqual(connection.statement('SELECT n FROM t').get()?.n, 2);
  connection.close();
});

test('waits for the writer of another process without stopping the event loop or any read', async () => {
  const store = await openSqliteStore(path, { clock: CLOCK, log: SILENT });
  const other = new DatabaseSync(path);
  other.exec('BEGIN IMMEDIATE');
  let done = false;
  const committed = store.commit(SPACE, [put()], 'me').then(() => {
    done = true;
  });
  // That SQLite itself never waits, which would stop all of this, is shown in connection.test.ts.
  for (let i = 0; i < 20; i++) {
    await sleep(5);
    equal(await store.head(SPACE), 0);
  }
  equal(done, false);
  other.exec('ROLLBACK');
  await committed;
  equal(await store.head(SPACE), 1);
  other.close();
  await store.close();
});

test('gives up with busy when another process writes for too long, and has changed nothing', async () => {
  const store = await openSqliteStore(path, { clock: CLOCK, log: SILENT, longestWaitMs: 60 });
  const other = new DatabaseSync(path);
  other.exec('BEGIN IMMEDIATE');
  await rejects(store.commit(SPACE, [put()], 'me'), { code: 'busy' });
  other.exec('ROLLBACK');
  other.close();
  equal(await store.head(SPACE), 0);
  await keep(store);
  await store.close();
});

test('counts reads later, not never, while another process writes', async () => {
  const store = await openSqliteStore(path, { clock: CLOCK, log: SILENT });
  const { id } = await keep(store);
  const other = new DatabaseSync(path);
  other.exec('BEGIN IMMEDIATE');
  await store.recordReads(SPACE, [id], 5);
  equal((await store.readStatistics(SPACE, [id])).size, 0);
  other.exec('ROLLBACK');
  other.close();
  equal((await store.readStatistics(SPACE, [id])).get(id)?.reads, 1);
  await store.close();
});

test('gives up counting reads, and says so in the log, when the disk is full', async () => {
  const warned: string[] = [];
  const log = { ...SILENT, warn: (event: string) => void warned.push(event) };
  const connection = openConnection(path);
  const full = () => {
    throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
  };
  const queue = { ...createWriterQueue(connection, PARTS), tryWrite: full };
  const counter = createReadCounter(createSqlDatabase(connection, queue, 1000), log);
  counter.count(SPACE, ['x'], 5);
  await counter.flush();
  deepEqual(warned, ['reads_not_counted']);
  connection.close();
});

test('does not acknowledge a commit that the disk failed, and goes on with a fresh connection', async () => {
  const { connection, insert } = openCounted();
  let discarded = 0;
  const failing: Connection = {
    ...connection,
    get database() {
      return connection.database;
    },
    statement(sql) {
      if (sql === 'COMMIT' && discarded === 0) throw Object.assign(new Error('disk I/O error'), { errcode: 1034 });
      return connection.statement(sql);
    },
    discard() {
      discarded++;
      connection.discard();
    },
  };
  const queue = createWriterQueue(failing, PARTS);
  await rejects(
    queue.write(() => ({ keep: true, value: insert(1) })),
    { code: 'storage_damaged' },
  );
  equal(discarded, 1);
  await queue.write(() => ({ keep: true, value: insert(2) }));
  deepEqual(
    connection
      .statement('SELECT n FROM t')
      .all()
      .map(({ n }) => n),
    [2],
  );
  connection.close();
});
