import { deepEqual, equal } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ACTOR, put, SPACE } from '../../../test/stores/contract/sample-records.ts';
import { headOf } from '../../../test/stores/contract/store-under-test.ts';
import { CLOCK, makeTempFolder, SILENT } from '../../../test/stores/sqlite/fixtures/temp-store.ts';
import { openStore } from '../open-store.ts';
import { createCommitWatch } from './commit-watch.ts';
import { type Connection, openConnection } from './connection.ts';

const folder = makeTempFolder();
const path = join(folder.path, 'ltm.db');
const store = await openStore(path, { clock: CLOCK, log: SILENT });
after(async () => {
  await store.close();
  folder.remove();
});

/** As long as it may take to notice what another process commits. */
const SOON_MS = 500;

test('asks the database nothing while nobody listens', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
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
  t.mock.timers.tick(SOON_MS);
  equal(asked, 0);
  const end = watch.watch(() => {});
  t.mock.timers.tick(SOON_MS);
  equal(asked > 2, true);
  end();
  asked = 0;
  t.mock.timers.tick(SOON_MS);
  equal(asked, 0);
  connection.close();
});

test('notices what was committed while its connection was renewed', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const connection = openConnection(path);
  const watch = createCommitWatch(connection, SILENT);
  const told: string[] = [];
  watch.watch((space) => told.push(space));
  connection.discard();
  headOf(await store.commit(SPACE, [put()], ACTOR));
  t.mock.timers.tick(SOON_MS);
  deepEqual(told, [SPACE]);
  watch.close();
  connection.close();
});

test('keeps no program running that has nothing else to do', async () => {
  const script = `
    const { openStore } = await import(${JSON.stringify(new URL('../open-store.ts', import.meta.url).href)});
    const store = await openStore(process.argv[1], { clock: { now: Date.now }, log: { info() {}, warn() {}, error() {} } });
    store.watch(() => {});`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, path], { stdio: 'inherit' });
  deepEqual(await once(child, 'exit'), [0, null]);
});
