// Rows N14 to N18 of the networked server's checklist, with the tools of the core family.
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { type McpProcess, startMcpProcess } from './mcp-process.ts';

let ltm: McpProcess;
before(async () => {
  ltm = await startMcpProcess();
});
after(() => ltm.close());

test('N14 and N17: what is stored has an id and survives a restart', async () => {
  const { id } = await ltm.call('memory_store', { content: 'the harbour opens at six', project: 'port' });
  await ltm.restart();
  assert.equal((await ltm.call('memory_get', { id })).memories[0].content, 'the harbour opens at six');
});

test('N15: a memory is found by query, by key and by id, and the same key replaces it', async () => {
  const first = await ltm.call('memory_store', {
    content: 'the ferry leaves from pier four',
    project: 'port',
    key: 'ferry',
  });
  const second = await ltm.call('memory_store', {
    content: 'the ferry leaves from pier seven',
    project: 'port',
    key: 'ferry',
  });
  assert.deepEqual([second.outcome, second.id], ['updated', first.id]);
  assert.equal(
    (await ltm.call('memory_get', { key: 'ferry', project: 'port' })).memories[0].content,
    'the ferry leaves from pier seven',
  );
  assert.equal(
    (await ltm.call('memory_get', { id: first.id })).memories[0].content,
    'the ferry leaves from pier seven',
  );
  assert.equal(
    (await ltm.call('memory_search', { query: 'which pier does the ferry use', project: 'port' })).hits[0].id,
    first.id,
  );
  assert.equal((await ltm.call('memory_search', { query: 'ferry', project: 'elsewhere' })).hits.length, 0);
});

test('N16: a deleted memory is gone, and deleting it again removes nothing', async () => {
  const { id } = await ltm.call('memory_store', { content: 'the lighthouse is painted red' });
  assert.equal((await ltm.call('memory_delete', { id })).count, 1);
  assert.equal((await ltm.call('memory_delete', { id })).count, 0);
});

test('N18: the database is in WAL mode', () => {
  const database = new DatabaseSync(ltm.db, { readOnly: true });
  assert.equal(database.prepare('PRAGMA journal_mode').get()?.journal_mode, 'wal');
  database.close();
});
