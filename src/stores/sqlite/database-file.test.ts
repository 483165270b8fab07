import { deepEqual, equal, rejects } from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, test } from 'node:test';
import { CLOCK, makeTempFolder, SILENT } from '../../../test/stores/sqlite/fixtures/temp-store.ts';
import { openStore } from '../open-store.ts';
import { findNetworkDisk, networkFileSystem } from './database-file.ts';

let folder = makeTempFolder();
let path = '';
beforeEach(() => {
  folder = makeTempFolder();
  path = join(folder.path, 'some.db');
});
afterEach(() => folder.remove());

/** The store must refuse the folder's file, and leave it and its folder as they were. */
async function refusesUntouched(code: string): Promise<void> {
  const before = readAll();
  await rejects(openStore(path, { clock: CLOCK, log: SILENT }), { code });
  deepEqual(readAll(), before);
}

function readAll(): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder.path).map((name) => [name, readFileSync(join(folder.path, name)).toString('base64')]),
  );
}

async function makeOwn(): Promise<DatabaseSync> {
  await (await openStore(path, { clock: CLOCK, log: SILENT })).close();
  return new DatabaseSync(path);
}

test('refuses a file that is no database and does not touch it', async () => {
  writeFileSync(path, 'Dear diary, '.repeat(1000));
  await refusesUntouched('storage_damaged');
});

test('refuses the database of another program and does not touch it', async () => {
  const database = new DatabaseSync(path);
  database.exec('CREATE TABLE places (url TEXT); INSERT INTO places VALUES (1)');
  database.close();
  await refusesUntouched('storage_unsupported');
});

test('refuses the database of another program that uses WAL and an application id', async () => {
  const database = new DatabaseSync(path);
  database.exec(
    'PRAGMA journal_mode = WAL; PRAGMA application_id = 77; CREATE TABLE records (id TEXT); PRAGMA user_version = 1',
  );
  database.close();
  await refusesUntouched('storage_unsupported');
});

test('refuses a database of a newer ltm and does not touch it', async () => {
  const database = await makeOwn();
  database.exec('PRAGMA user_version = 99');
  database.close();
  await refusesUntouched('storage_unsupported');
});

test('takes an empty file and an empty database', async () => {
  writeFileSync(path, '');
  (await makeOwn()).close();
  const other = join(folder.path, 'other.db');
  const database = new DatabaseSync(other);
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (n); DROP TABLE t');
  database.close();
  await (await openStore(other, { clock: CLOCK, log: SILENT })).close();
});

test('refuses to write once a newer ltm has upgraded the database', async () => {
  const store = await openStore(path, { clock: CLOCK, log: SILENT });
  const newer = new DatabaseSync(path);
  newer.exec('PRAGMA user_version = 99');
  newer.close();
  await rejects(store.commit('owner', [], 'me'), { code: 'storage_unsupported' });
  equal(await store.head('owner'), 0);
  await store.close();
});

test('knows network and overlay file systems by their number', () => {
  equal(networkFileSystem(0x6969), 'nfs');
  equal(networkFileSystem(0x65735546), 'fuse');
  equal(networkFileSystem(0xef53), null);
});

test('finds nothing wrong with a local folder', () => {
  const folder = makeTempFolder();
  equal(findNetworkDisk(`${folder.path}/ltm.db`), null);
  folder.remove();
});
