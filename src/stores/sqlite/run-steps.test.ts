import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { insertRows, select } from '../sql/statements.ts';
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

test('rows go in together, few to a statement, and each counts', async () => {
  const connection = openConnection(IN_MEMORY);
  const texts = new Set<string>();
  const listening = {
    ...connection,
    database: connection.database,
    statement(sql: string) {
      if (sql.startsWith('INSERT')) texts.add(sql);
      return connection.statement(sql);
    },
  };
  const queue = { write: async (work: () => { value: unknown }) => work().value };
  const database = createSqlDatabase(listening, queue as never, 1000);
  connection.exec('CREATE TABLE sums (space_id TEXT, name TEXT, n INTEGER, PRIMARY KEY (space_id, name))');
  const conflict = 'ON CONFLICT (space_id, name) DO UPDATE SET n = sums.n + excluded.n';
  const into = { table: 'sums', columns: ['name', 'n'], conflict };
  const insert = (count: number) =>
    database.write('no_space', () =>
      insertRows({ into, space: 's', rows: Array.from({ length: count }, (_, i) => [`name ${i}`, 1]) }),
    );
  assert.deepEqual([await insert(1), await insert(3), await insert(20), await insert(3)], [1, 3, 20, 3]);
  const rows = connection.statement('SELECT n, count(*) AS names FROM sums GROUP BY n ORDER BY n').all();
  assert.deepEqual(
    rows.map(({ n, names }) => [n, names]),
    [
      [1, 17],
      [3, 2],
      [4, 1],
    ],
  );
  assert.equal(texts.size, 4);
  connection.close();
});
