import { deepEqual, equal } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ACTOR, put, SPACE } from '../contract/sample-records.ts';
import { headOf } from '../contract/store-under-test.ts';
import { openStore } from '../open-store.ts';
import { createCommitWatch } from './commit-watch.ts';
import { type Connection, openConnection } from './connection.ts';
import { CLOCK, makeTempFolder, SILENT } from './fixtures/temp-store.ts';

const folder = makeTempFolder();
const path = join(folder.path, 'ltm.db');
const store = await openStore(path, { clock: CLOCK, log: SILENT });
after(async () => {
  await store.close();
  folder.remove();
});

/** Longer than the time between two looks. */
const A_LOOK_MS = 600;

test('asks the database nothing while nobody listens', async () => {
  const connection = openConnection(path);
  let asked = 0;
  const counting: Connection = {
    ...connection,
    statement(sql) {
      asked++;
      return connection.statement(sql);
    },
  };
  const watch = createCommitWatch(counting, SILENT);
  await sleep(A_LOOK_MS);
  equal(asked, 0);
  const end = watch.watch(() => {});
  await sleep(A_LOOK_MS);
  equal(asked > 2, true);
  end();
  asked = 0;
  await sleep(A_LOOK_MS);
  equal(asked, 0);
  connection.close();
});

test('notices what was committed while its connection was renewed', async () => {
  const connection = openConnection(path);
  const watch = createCommitWatch(connection, SILENT);
  const told: string[] = [];
  watch.watch((space) => told.push(space));
  connection.discard();
  headOf(await store.commit(SPACE, [put()], ACTOR));
  await sleep(A_LOOK_MS);
  deepEqual(told, [SPACE]);
  watch.close();
  connection.close();
});

test('keeps no program running that has nothing else to do', () => {
  const script = `
    const { openStore } = await import(${JSON.stringify(new URL('../open-store.ts', import.meta.url).href)});
    const store = await openStore(process.argv[1], { clock: { now: Date.now }, log: { info() {}, warn() {}, error() {} } });
    store.watch(() => {});`;
  equal(spawnSync(process.execPath, ['--input-type=module', '-e', script, path], { timeout: 8_000 }).status, 0);
});
