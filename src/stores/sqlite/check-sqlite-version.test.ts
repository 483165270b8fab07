import { equal, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { checkSqliteVersion, isSafeSqliteVersion } from './connection.ts';

test('takes SQLite 3.51.3 and later', () => {
  for (const version of ['3.51.3', '3.51.10', '3.52.0', '3.100.0', '4.0.0'])
    equal(isSafeSqliteVersion(version), true, version);
});

test('refuses SQLite before 3.51.3, whose WAL can be corrupted by two writers', () => {
  for (const version of ['3.51.2', '3.51', '3.50.9', '3.7.0', '2.99.99', 'unknown', ''])
    equal(isSafeSqliteVersion(version), false, version);
  throws(() => checkSqliteVersion('3.50.4'), { code: 'storage_unsupported' });
});
