import { deepEqual, equal, ok } from 'node:assert/strict';
import { appendFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { ACTOR, put, SPACE, START } from '../../../test/stores/contract/sample-records.ts';
import { openSqliteStore } from './open-sqlite-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'ltm-reads-'));
after(() => rmSync(folder, { recursive: true }));

const log = { info() {}, warn() {}, error() {} };
const open = (name: string, endsSoon: boolean) =>
  openSqliteStore(join(folder, name), { clock: { now: () => START }, log, endsSoon });

function countRows(name: string, sql: string): number {
  const database = new DatabaseSync(join(folder, name), { readOnly: true });
  const { n } = database.prepare(sql).get() as { n: number };
  database.close();
  return n;
}

test('a single command writes nothing for what it has read, and whoever asks next counts it', async () => {
  const record = put();
  const first = await open('one.db', false);
  await first.commit(SPACE, [record], ACTOR);
  await first.close();
  const writes = countRows('one.db', 'SELECT writes AS n FROM replica');
  for (const at of [START + 2, START + 1]) {
    const command = await open('one.db', true);
    await command.recordReads(SPACE, [record.id], at);
    await command.close();
  }
  const spool = join(folder, 'one.db-reads');
  equal(countRows('one.db', 'SELECT writes AS n FROM replica'), writes);
  if (process.platform !== 'win32') equal(statSync(spool).mode & 0o777, 0o600);
  appendFileSync(spool, `${SPACE}\t${record.id}\tmany\nhalf a li`);
  const asking = await open('one.db', true);
  deepEqual((await asking.readStatistics(SPACE, [record.id])).get(record.id), { reads: 2, lastReadAt: START + 2 });
  ok(!existsSync(spool));
  await asking.close();
  ok(!existsSync(spool));
});

test('reads that have piled up are written down by the command that finds them so', async () => {
  const records = Array.from({ length: 100 }, (_, i) => put({ content: `text ${i}` }));
  const ids = records.map(({ id }) => id);
  const command = await open('many.db', true);
  await command.commit(SPACE, records, ACTOR);
  await command.recordReads(SPACE, ids, START);
  await command.close();
  ok(existsSync(join(folder, 'many.db-reads')));
  const next = await open('many.db', true);
  await next.recordReads(SPACE, ids, START + 1);
  await next.close();
  ok(!existsSync(join(folder, 'many.db-reads')));
  equal(countRows('many.db', 'SELECT sum(reads) AS n FROM read_statistics'), 200);
});
