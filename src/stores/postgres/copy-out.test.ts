import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { findPostgres, startPrivatePostgres } from '../../../test/postgres/private-postgres.ts';
import { copyOut } from './copy-out.ts';

const found = findPostgres();

test('hands bytes over as they are, row by row, and fails alone', {
  skip: 'missing' in found ? found.missing : false,
}, async (t) => {
  const server = await startPrivatePostgres();
  t.after(() => server.stop());
  const client = new pg.Client({ connectionString: server.url(), pipeline: true });
  await client.connect();
  const read = async (select: string) => {
    const rows: string[] = [];
    await copyOut(client, select, (bytes) => rows.push(Buffer.from(bytes).toString('hex')));
    return rows;
  };
  const everyByte = Buffer.from(Array.from({ length: 256 }, (_, i) => i)).toString('hex');
  assert.deepEqual(
    await read(
      `SELECT bytes FROM (VALUES (2, ''::bytea), (3, '\\x00ff'), (1, '\\x${everyByte}')) AS t (n, bytes) ORDER BY n`,
    ),
    [everyByte, '', '00ff'],
  );
  assert.deepEqual(await read("SELECT ''::bytea WHERE false"), []);
  const [failed, after] = await Promise.allSettled([
    read('SELECT bytes FROM no_such_table'),
    read("SELECT '\\x01'::bytea"),
  ]);
  assert.equal(failed.status === 'rejected' && failed.reason.code, '42P01');
  assert.deepEqual(after, { status: 'fulfilled', value: ['01'] });
  const stop = new Error('stop');
  await assert.rejects(
    copyOut(client, "SELECT '\\x01'::bytea", () => {
      throw stop;
    }),
    stop,
  );
  assert.deepEqual(await read("SELECT '\\x02'::bytea"), ['02']);
  await client.end();
});
