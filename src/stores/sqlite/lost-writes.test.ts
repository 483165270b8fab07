import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { ACTOR, put, SPACE } from '../../../test/stores/contract/sample-records.ts';
import { type FullStore, headOf } from '../../../test/stores/contract/store-under-test.ts';
import { CLOCK, makeTempFolder, SILENT } from '../../../test/stores/sqlite/fixtures/temp-store.ts';
import type { Log } from '../../engine/ports.ts';
import { openStore } from '../open-store.ts';
import { openSqliteStore } from './open-sqlite-store.ts';
import { keepLost, readLost } from './write-marks.ts';

let folder = makeTempFolder();
let opened: FullStore[] = [];
beforeEach(() => {
  folder = makeTempFolder();
  opened = [];
});
afterEach(async () => {
  for (const store of opened) await store.close();
  folder.remove();
});

const place = (name: string) => join(folder.path, name);
const ENDS = ['', '-wal', '-last'] as const;

async function open(name: string): Promise<FullStore> {
  const store = await openStore(place(name), { clock: CLOCK, log: SILENT });
  opened.push(store);
  return store;
}

async function write(store: FullStore, count = 1): Promise<void> {
  for (let i = 0; i < count; i++)
    headOf(await store.commit(SPACE, [put({ content: `${Math.random()}` }, { unlessDuplicate: true })], ACTOR));
}

/** What a kill at this moment would leave. */
function leave(from: string, to: string): void {
  for (const end of ENDS) if (existsSync(place(from + end))) copyFileSync(place(from + end), place(to + end));
}

/** What is said when the database is opened; the store is closed again. */
async function listen(name: string): Promise<string[]> {
  const said: string[] = [];
  const log: Log = { ...SILENT, error: (event, facts) => void said.push(`${event}: ${facts?.message}`) };
  const store = await openSqliteStore(place(name), { clock: CLOCK, log });
  deepEqual(
    (await store.verify()).database,
    said.map((text) => text.replace('writes_lost: ', '')),
  );
  await store.close();
  return said;
}

test('a log that is gone after a kill is noticed, and told until a repair accepts it', async () => {
  const store = await open('a');
  await write(store, 3);
  leave('a', 'killed');
  rmSync(place('killed-wal'));
  match((await listen('killed'))[0]!, /^writes_lost: \d acknowledged writes are missing/);
  for (const end of ENDS) rmSync(place(`killed${end}`), { force: true });
  await store.close();
  const again = await open('a');
  await write(again, 2);
  leave('a', 'killed');
  rmSync(place('killed-wal'));
  const [said, ...rest] = await listen('killed');
  match(
    said!,
    /^writes_lost: 2 acknowledged writes are missing from the database, made between .* and .*: its write-ahead log/,
  );
  deepEqual(rest, []);
  deepEqual(await listen('killed'), [said]);
  const told = await open('killed');
  await write(told);
  equal(told.lostWrites?.()?.count, 2);
  const [accepted] = await told.mendDerived([SPACE]);
  match(accepted!, /^Accepted: 2 acknowledged writes/);
  equal(told.lostWrites?.(), null);
  await told.close();
  deepEqual(await listen('killed'), []);
});

test('nothing is said after an end in good order, a kill, a kill after a checkpoint, or a loss of power that took the mark', async () => {
  const store = await open('a');
  await write(store, 3);
  leave('a', 'killed');
  deepEqual(await listen('killed'), []);
  leave('a', 'powerless');
  rmSync(place('powerless-last'));
  deepEqual(await listen('powerless'), []);
  deepEqual(await store.eraseTraces(), []);
  leave('a', 'checkpointed');
  rmSync(place('checkpointed-wal'));
  deepEqual(await listen('checkpointed'), []);
  await store.close();
  ok(!existsSync(place('a-last')));
  deepEqual(await listen('a'), []);
});

test('of several who use a file the one who stays goes on being watched', async () => {
  const stays = await open('a');
  await write(stays);
  const leaves = await open('a');
  await write(leaves, 2);
  await leaves.close();
  deepEqual(await listen('a'), []);
  ok(existsSync(place('a-last')));
  await write(stays);
  leave('a', 'killed');
  deepEqual(await listen('killed'), []);
  leave('a', 'killed');
  rmSync(place('killed-wal'));
  match((await listen('killed'))[0]!, /^writes_lost: One acknowledged write is missing/);
});

test('nothing is said of a copy that was put back as the documents say, nor of a new database in the same place', async () => {
  const store = await open('a');
  await write(store, 2);
  await store.backup(place('backup'));
  await write(store, 2);
  leave('a', 'killed');
  for (const end of ['-wal', '-last']) rmSync(place(`killed${end}`));
  copyFileSync(place('backup'), place('killed'));
  deepEqual(await listen('killed'), []);
  leave('a', 'new');
  for (const end of ['', '-wal']) rmSync(place(`new${end}`));
  deepEqual(await listen('new'), []);
});

test('a log that breaks off is noticed, and kept', async () => {
  const store = await open('a');
  await write(store, 2);
  await store.eraseTraces();
  await write(store, 5);
  leave('a', 'killed');
  const log = readFileSync(place('killed-wal'));
  log[Math.floor(log.length / 2)]! ^= 1;
  writeFileSync(place('killed-wal'), log);
  match((await listen('killed'))[0]!, /acknowledged writes? (is|are) missing/);
  deepEqual(readFileSync(place('killed-wal.damaged-1')), log);
});

test("another database's log is refused before anything is read from it, and nothing is changed", async () => {
  for (const name of ['a', 'b']) {
    const store = await open(name);
    await write(store, 3);
    await store.close();
  }
  const [a, b] = [await open('a'), await open('b')];
  await write(a, 2);
  await write(b, 4);
  leave('a', 'killed');
  copyFileSync(place('b-wal'), place('killed-wal'));
  const before = ENDS.map((end) => readFileSync(place(`killed${end}`)));
  await rejects(open('killed'), { code: 'storage_damaged', message: /-wal is not that of this database/ });
  deepEqual(
    ENDS.map((end) => readFileSync(place(`killed${end}`))),
    before,
  );
  copyFileSync(place('a-wal'), place('killed-wal'));
  deepEqual(await listen('killed'), []);
});

test('what was lost is still known where the name of the folder is not plain', () => {
  const lost = { replica: 'r', count: 3, after: 1, until: 2, keptLog: '/home/jörg/記憶-wal.damaged-1' };
  keepLost(place('a'), lost);
  deepEqual(readLost(place('a')), lost);
});
