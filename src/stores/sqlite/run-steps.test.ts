import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { select } from '../sql/statements.ts';
import { IN_MEMORY, openConnection } from './connection.ts';
import { createSqlDatabase } from './run-steps.ts';

test('a usual limit stands in the text of a statement, which SQLite would else plan anew each time; any limit holds', async () => {
  const connection = openConnection(IN_MEMORY);
  const asked: string[] = [];
  const listening = {
    ...connection,
    database: connection.database,
    unnamed(sql: string) {
      asked.push(sql);
      return connection.unnamed(sql);
    },
  };
  const database = createSqlDatabase(listening, null as never, 1000);
  connection.exec('CREATE TABLE numbers (n INTEGER); INSERT INTO numbers VALUES (1), (2), (3), (4)');
  const list = (sql: string, ...values: (number | number[])[]) =>
    database.read('no_space', function* () {
      return (yield* select<{ n: number }>(sql, ...values)).map(({ n }) => n);
    });
  const last = 'SELECT n FROM numbers WHERE n > $1 ORDER BY n LIMIT $2';
  assert.deepEqual(await list(last, 1, 2), [2, 3]);
  assert.deepEqual(await list(last, 1, 1), [2]);
  assert.deepEqual(await list(last, 1, 5000), [2, 3, 4]);
  assert.deepEqual(await list('SELECT n FROM numbers ORDER BY n LIMIT $1 OFFSET $2', 2, 1), [2, 3]);
  const some = 'SELECT n FROM numbers WHERE n = ANY ($1::bigint[]) ORDER BY n LIMIT $2';
  assert.deepEqual(await list(some, [4, 3, 1], 2), [1, 3]);
  assert.deepEqual(await list(some, [4], 2), [4]);
  assert.deepEqual(
    asked.map((sql) => sql.slice(sql.indexOf('LIMIT'))),
    ['LIMIT 2', 'LIMIT 1', 'LIMIT ?2 + 0', 'LIMIT 2 OFFSET ?2', 'LIMIT 2', 'LIMIT 2'],
  );
  connection.close();
});

test('a read that mostly asks one thing sees one state where it asks for a second', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ltm-steps-'));
  const [connection, other] = [openConnection(join(folder, 'a.db')), openConnection(join(folder, 'a.db'))];
  other.exec('CREATE TABLE numbers (n INTEGER); INSERT INTO numbers VALUES (1)');
  const database = createSqlDatabase(connection, null as never, 1000);
  const count = function* () {
    return (yield* select<{ n: number }>('SELECT n FROM numbers')).length;
  };
  assert.equal(await database.read('no_space', count, { isMostlyOne: true }), 1);
  const twice = function* () {
    const first = yield* count();
    other.exec('INSERT INTO numbers VALUES (2)');
    return [first, yield* count()];
  };
  const [first, second] = await database.read('no_space', twice, { isMostlyOne: true });
  assert.equal(second, first);
  assert.equal(await database.read('no_space', count), 3);
  for (const each of [connection, other]) each.close();
  rmSync(folder, { recursive: true });
});
