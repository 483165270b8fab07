import { equal, ok } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { makeTempFolder } from '../../../test/stores/sqlite/fixtures/temp-store.ts';
import { EngineError } from '../../model/errors.ts';
import { endsTransaction, isBusy, translateError } from './translate-error.ts';

const folder = makeTempFolder();
const path = join(folder.path, 'some.db');

before(() => {
  const database = new DatabaseSync(path);
  database.exec('CREATE TABLE t (n INTEGER UNIQUE) STRICT');
  database.close();
});
after(() => folder.remove());

function errorOf(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('The work did not fail.');
}

function withErrcode(errcode: number): Error {
  return Object.assign(new Error('from SQLite'), { code: 'ERR_SQLITE_ERROR', errcode });
}

test('calls a lock of another connection busy, and worth another try', () => {
  const [first, second] = [new DatabaseSync(path), new DatabaseSync(path)];
  first.exec('BEGIN IMMEDIATE');
  const error = errorOf(() => second.exec('BEGIN IMMEDIATE'));
  first.close();
  second.close();
  equal(translateError(error).code, 'busy');
  ok(isBusy(error));
});

test('calls a full database storage_full, and the transaction lost', () => {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA max_page_count = 3');
  const error = errorOf(() => database.exec('CREATE TABLE big AS SELECT zeroblob(100000) AS bytes'));
  database.close();
  equal(translateError(error).code, 'storage_full');
  ok(endsTransaction(error));
});

test('calls a database without write access storage_read_only', () => {
  const database = new DatabaseSync(path, { readOnly: true });
  const error = errorOf(() => database.exec('INSERT INTO t VALUES (1)'));
  database.close();
  equal(translateError(error).code, 'storage_read_only');
});

test('calls a file that is no database storage_damaged', () => {
  const text = join(folder.path, 'text');
  writeFileSync(text, 'no database '.repeat(500));
  const database = new DatabaseSync(text);
  const error = errorOf(() => database.exec('SELECT * FROM sqlite_schema'));
  database.close();
  equal(translateError(error).code, 'storage_damaged');
});

test('takes a broken constraint for our own mistake, and the rest of the transaction for good', () => {
  const database = new DatabaseSync(path);
  const error = errorOf(() => database.exec('INSERT INTO t VALUES (7), (7)'));
  database.close();
  equal(translateError(error).code, 'internal');
  equal(endsTransaction(error), false);
});

test('knows the codes that a test cannot bring about', () => {
  const codes = {
    6: 'busy',
    15: 'busy',
    517: 'busy',
    10: 'storage_damaged',
    4874: 'storage_full',
    11: 'storage_damaged',
    18: 'too_large',
    14: 'storage_read_only',
  };
  for (const [errcode, code] of Object.entries(codes))
    equal(translateError(withErrcode(Number(errcode))).code, code, errcode);
});

test('translates errors of the file system', () => {
  const codes = {
    ENOSPC: 'storage_full',
    EDQUOT: 'storage_full',
    EROFS: 'storage_read_only',
    EACCES: 'storage_read_only',
    ENOTDIR: 'storage_unsupported',
    EWHAT: 'internal',
  };
  for (const [code, ours] of Object.entries(codes))
    equal(translateError(Object.assign(new Error(code), { code })).code, ours, code);
});

test('leaves our own errors as they are', () => {
  const error = new EngineError('invalid_cursor', 'x');
  equal(translateError(error), error);
});
