import { deepEqual, equal, ok, throws } from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeTempFolder } from '../../../test/stores/sqlite/fixtures/temp-store.ts';
import { foldCase } from '../../model/fold-case.ts';
import { checkSqliteVersion, isSafeSqliteVersion, openConnection } from './connection.ts';
import { foundation } from './migrations/0001-foundation.ts';

const folder = makeTempFolder();
after(() => folder.remove());

const SETTINGS = {
  journal_mode: 'wal',
  synchronous: 2,
  foreign_keys: 1,
  trusted_schema: 0,
  mmap_size: 0,
  cell_size_check: 1,
  secure_delete: 1,
  journal_size_limit: 64 * 1024 * 1024,
};

test('has every safety setting on each connection, a renewed one included', () => {
  const connection = openConnection(join(folder.path, 'settings.db'));
  for (const round of ['first', 'renewed']) {
    const actual = Object.keys(SETTINGS).map((name) => [name, connection.statement(`PRAGMA ${name}`).get()?.[name]]);
    deepEqual(Object.fromEntries(actual), SETTINGS, round);
    connection.discard();
  }
  equal(connection.statement('PRAGMA busy_timeout').get()?.timeout, 0);
  connection.close();
});

test('keeps a prepared statement', () => {
  const connection = openConnection(':memory:');
  equal(connection.statement('SELECT 1'), connection.statement('SELECT 1'));
  connection.close();
});

test('has one case for every letter', () => {
  for (const [a, b] of [
    ['STRASSE', 'straße'],
    ['ΟΔΟΣ', 'οδος'],
    ['ÀÉ', 'àé'],
    ['ДОМ', 'дом'],
    ['İ', 'i̇'],
  ])
    equal(foldCase(a!), foldCase(b!));
});

test('never reads a whole space where an index knows better', () => {
  const connection = openConnection(':memory:');
  connection.exec(foundation);
  const queries = [
    'SELECT id FROM records WHERE space_id = ? AND content_hash = ? AND deleted_at IS NULL ORDER BY created_at, id',
    'SELECT id FROM records WHERE space_id = ? AND key = ? ORDER BY created_at DESC, id DESC',
    'SELECT id FROM records WHERE space_id = ? AND session = ? ORDER BY created_at DESC, id DESC',
    'SELECT * FROM relations WHERE space_id = ? AND to_id = ?',
    'SELECT record_id FROM record_tags WHERE space_id = ? AND tag = ?',
  ];
  for (const sql of queries) {
    const [plan] = connection.statement(`EXPLAIN QUERY PLAN ${sql}`).all('s', 'x') as { detail: string }[];
    ok(/space_id=\? AND \w+=\?/.test(plan!.detail), `${sql}: ${plan!.detail}`);
  }
  connection.close();
});

test('takes SQLite 3.51.3 and later', () => {
  for (const version of ['3.51.3', '3.51.10', '3.52.0', '3.100.0', '4.0.0'])
    equal(isSafeSqliteVersion(version), true, version);
});

test('refuses SQLite before 3.51.3, whose WAL can be corrupted by two writers', () => {
  for (const version of ['3.51.2', '3.51', '3.50.9', '3.7.0', '2.99.99', 'unknown', ''])
    equal(isSafeSqliteVersion(version), false, version);
  throws(() => checkSqliteVersion('3.50.4'), { code: 'storage_unsupported' });
});
