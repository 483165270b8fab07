import { doesNotMatch, equal, rejects } from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { expectMode } from '../../test/expect-mode.ts';
import { store as keep, SPACE } from '../../test/stores/contract/sample-records.ts';
import { CLOCK, makeTempFolder, SILENT } from '../../test/stores/sqlite/fixtures/temp-store.ts';
import { EngineError } from '../model/errors.ts';
import { openStore } from './open-store.ts';

const OPTIONS = { clock: CLOCK, log: SILENT };
let folder = makeTempFolder();
beforeEach(() => {
  folder = makeTempFolder();
});
afterEach(() => folder.remove());

test('makes the folder and the file, for their owner alone', async () => {
  const path = join(folder.path, 'a', 'b', 'ltm.db');
  const store = await openStore(path, OPTIONS);
  await keep(store);
  for (const names of [['a'], ['a', 'b']]) expectMode(join(folder.path, ...names), 0o700);
  for (const suffix of ['', '-wal', '-shm']) expectMode(path + suffix, 0o600);
  await store.close();
  equal(existsSync(`${path}-wal`), false);
});

test('opens a file: URL as the path it names', async () => {
  const path = join(folder.path, 'with space.db');
  await (await openStore(pathToFileURL(path).href, OPTIONS)).close();
  equal(existsSync(path), true);
});

test('keeps a database in memory alone', async () => {
  const store = await openStore(':memory:', OPTIONS);
  await keep(store);
  equal(await store.head(SPACE), 1);
  equal((await store.verify()).database.length, 0);
  await store.close();
});

test('never repeats the address of a database server, which may hold a password', async () => {
  const addresses = [
    'postgres://user:swordfish@127.0.0.1:9/ltm?schema=pg_x',
    'postgresql://user:swordfish@127.0.0.1:9:9/ltm',
    'postgres://user:swordfish@127.0.0.1:9/ltm?pool_size=0',
    'postgres://user:swordfish@127.0.0.1:9/ltm?prepare=maybe',
  ];
  for (const address of addresses) {
    await rejects(openStore(address, OPTIONS), (error: unknown) => {
      equal(error instanceof EngineError && error.code, 'storage_unsupported');
      doesNotMatch(inspect(error, { depth: 9, showHidden: true }), /swordfish/);
      return true;
    });
  }
});

test('refuses other addresses, an empty path and a folder', async () => {
  mkdirSync(join(folder.path, 'sub'));
  for (const location of [
    'mysql://db/ltm',
    'https://db/ltm',
    'file://elsewhere/x',
    '',
    '  ',
    join(folder.path, 'sub'),
  ]) {
    await rejects(openStore(location, OPTIONS), { code: 'storage_unsupported' }, location);
  }
});

test('says so when the folder cannot be made', async () => {
  const store = await openStore(join(folder.path, 'file'), OPTIONS);
  await store.close();
  await rejects(openStore(join(folder.path, 'file', 'below', 'ltm.db'), OPTIONS), { code: 'storage_unsupported' });
});
