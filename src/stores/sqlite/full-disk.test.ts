import { deepEqual, equal } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ACTOR, put, SPACE } from '../../../test/stores/contract/sample-records.ts';
import { headOf } from '../../../test/stores/contract/store-under-test.ts';
import { CLOCK, makeTempFolder, SILENT } from '../../../test/stores/sqlite/fixtures/temp-store.ts';
import { openStore } from '../open-store.ts';

let folder = makeTempFolder();
let path = '';
beforeEach(async () => {
  folder = makeTempFolder();
  path = join(folder.path, 'ltm.db');
});
afterEach(() => folder.remove());

const open = (at: string) => openStore(at, { clock: CLOCK, log: SILENT });

const READER = fileURLToPath(new URL('../../../test/stores/sqlite/fixtures/read-head.ts', import.meta.url));
/** No file may grow past a kilobyte: to SQLite's shared memory the same as a disk without room. */
const WITHOUT_ROOM = `trap '' XFSZ; ulimit -f 1; exec "$0" "$@"`;

function startWithoutRoom() {
  return spawn('bash', ['-c', WITHOUT_ROOM, process.execPath, READER, path], { stdio: ['pipe', 'pipe', 'inherit'] });
}

test('opens for reading where there is no room for the files that processes share, and lets others in', {
  skip: process.platform !== 'linux' && 'needs a bash that limits the size of files as Linux does',
}, async () => {
  const store = await open(path);
  headOf(await store.commit(SPACE, [put(), put({ content: 'two' })], ACTOR));
  await store.close();
  equal(existsSync(`${path}-shm`), false);

  const readers = Array.from({ length: 3 }, startWithoutRoom);
  const outputs = readers.map(({ stdout }) => text(stdout));
  await Promise.all(readers.map(({ stdout }) => once(stdout, 'data')));
  const writer = await open(path);
  equal(headOf(await writer.commit(SPACE, [put({ content: 'three' })], ACTOR)), 3);
  for (const { stdin } of readers) stdin.end();
  deepEqual(await Promise.all(outputs), ['2\n3\n', '2\n3\n', '2\n3\n']);
  await writer.close();
});

test('opens a file whose checkpoint was cut short: with its log it is whole', async () => {
  const store = await open(path);
  headOf(await store.commit(SPACE, [put()], ACTOR));
  const copy = join(folder.path, 'copy.db');
  copyFileSync(`${path}-wal`, `${copy}-wal`);
  await store.close();
  writeFileSync(copy, readFileSync(path).subarray(0, 4096));
  const mended = await open(copy);
  equal(await mended.head(SPACE), 1);
  deepEqual(await mended.verify(), { database: [], checkedRecords: 1, damaged: [] });
  await mended.close();
});
