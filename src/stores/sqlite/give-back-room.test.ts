import { deepEqual, equal, ok } from 'node:assert/strict';
import { closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { ACTOR, store as keep, put, SPACE } from '../../../test/stores/contract/sample-records.ts';
import { headOf } from '../../../test/stores/contract/store-under-test.ts';
import { CLOCK, makeTempFolder, makeTempStore, SILENT } from '../../../test/stores/sqlite/fixtures/temp-store.ts';
import { openStore } from '../open-store.ts';

const MEMORIES = 60;
const longText = (i: number) => `Number ${i}. ${'A sentence that takes some room. '.repeat(100)}`;

async function fillAndPurge(store: Awaited<ReturnType<typeof makeTempStore>>['store']): Promise<string[]> {
  const changes = Array.from({ length: MEMORIES }, (_, i) => put({ content: longText(i) }));
  headOf(await store.commit(SPACE, changes, ACTOR));
  const [kept, ...gone] = changes.map(({ id }) => id);
  headOf(
    await store.commit(
      SPACE,
      gone.map((id) => ({ op: 'purge', id }) as const),
      ACTOR,
    ),
  );
  return [kept!];
}

test('what was purged gives its room back to the disk, and the rest is as it was', async () => {
  const { store, location, reopen, destroy } = await makeTempStore();
  const ids = await fillAndPurge(store);
  const before = await store.getRecords(SPACE, ids);
  await store.eraseTraces();
  const full = statSync(location).size;
  ok(Number(await store.giveBackRoom?.()) > 40);
  await store.close();
  ok(statSync(location).size < full * 0.7, `${statSync(location).size} of ${full}`);
  const opened = await reopen();
  deepEqual(await opened.getRecords(SPACE, ids), before);
  deepEqual(await opened.verify(), { database: [], checkedRecords: 1, damaged: [] });
  equal(await opened.giveBackRoom?.(), 0, 'few free pages stay for what is written next');
  await destroy();
});

test('a database whose pages cannot be moved stays as it is', async () => {
  const folder = makeTempFolder();
  const path = join(folder.path, 'data', 'ltm.db');
  mkdirSync(dirname(path));
  closeSync(openSync(path, 'wx', 0o600));
  const made = new DatabaseSync(path);
  made.exec('PRAGMA journal_mode = wal; CREATE TABLE made (it TEXT); DROP TABLE made');
  made.close();
  const store = await openStore(path, { clock: CLOCK, log: SILENT });
  await fillAndPurge(store);
  equal(await store.giveBackRoom?.(), 0);
  await keep(store);
  await store.close();
  folder.remove();
});
