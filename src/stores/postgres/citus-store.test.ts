import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { type CitusSchema, findCitus, makeCitusSchema } from '../../../test/postgres/citus-cluster.ts';
import type { LoggedStatement } from '../../../test/postgres/statement-log.ts';
import { CLOCK, SILENT } from '../../../test/stores/sqlite/fixtures/temp-store.ts';
import { runStoreContract } from '../../../test/stores/store-contract.ts';
import { createEngine } from '../../features/create-engine.ts';
import { DEFAULT_SETTINGS } from '../../features/default-settings.ts';
import { type Caller, ownerOf } from '../../model/caller.ts';

const found = findCitus();
if ('missing' in found) {
  test("Citus keeps the store's contract and plans each statement of a space on one shard", {
    skip: found.missing,
  }, () => {});
} else {
  let schema: CitusSchema;
  before(async () => {
    schema = await makeCitusSchema(found.url);
  });
  after(() => schema.drop());

  runStoreContract('Citus', () => schema.makeStore());

  describe('Citus answers from one shard', () => {
    test('the engine stores, searches, lists, changes and tends a space', () => useEngine(schema));
    test('every statement that any of this sent inside a space is one task', () => expectSingleTasks(schema));
  });
}

async function useEngine({ makeStore }: CitusSchema): Promise<void> {
  const { store, destroy } = await makeStore();
  const engine = createEngine(
    { store, embedder: null, clock: CLOCK, log: SILENT },
    { ...DEFAULT_SETTINGS, flushPassages: 4 },
  );
  const caller: Caller = {
    userId: 'ann',
    space: 'ann',
    spaces: ['ann', 'bob'],
    roles: ownerOf(['ann', 'bob']),
    scopes: new Set(['read', 'write', 'admin']),
    door: 'rest',
  };
  for (let i = 0; i < 12; i++)
    await engine.storeMemory(caller, {
      content: `The harbour light number ${i} is red.`,
      tags: ['harbour'],
      idempotencyKey: `k${i}`,
    });
  const found = await engine.search(caller, { query: 'harbour light' });
  assert.equal(found.hits.length, 10);
  const id = found.hits[0]!.id;
  await engine.updateMemory(caller, { ref: id, content: 'It is green now.' });
  await engine.deleteMemories(caller, { refs: [id] });
  await engine.restoreMemories(caller, [id]);
  assert.equal((await engine.listMemories(caller, { filter: { tags: ['harbour'] } })).total, 12);
  await engine.runUpkeep();
  await engine.purgeMemories(caller, [id]);
  assert.equal((await engine.search(caller, { query: 'green' })).hits.length, 0);
  assert.equal((await engine.checkHealth(caller)).status, 'healthy');
  await destroy();
}

/** What lists spaces asks all shards by its nature; everything else belongs to one space, or to tables that every node has whole. */
async function expectSingleTasks({ url, statements }: CitusSchema): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const logged = [...statements.values()].filter(
      ({ opening, sql }) => !opening.includes("lists_spaces = 'on'") && !/pg_|^SELECT 1$/.test(sql),
    );
    assert.ok(logged.length > 80, `only ${logged.length} statements were seen`);
    const wrong: string[] = [];
    for (const statement of logged) if (!(await isSingleTask(client, statement))) wrong.push(statement.sql);
    assert.deepEqual(wrong, []);
  } finally {
    await client.end();
  }
}

async function isSingleTask(client: pg.Client, { opening, sql, values }: LoggedStatement): Promise<boolean> {
  await client.query(opening);
  try {
    const { rows } = await client.query({ text: `EXPLAIN (FORMAT TEXT) ${sql}`, values: [...values] });
    const plan = rows.map((row) => String(Object.values(row)[0])).join('\n');
    const counts = [...plan.matchAll(/Task Count: (\d+)/g)].map((match) => match[1]);
    return counts.length > 0 ? counts.every((count) => count === '1') : !plan.includes('Citus');
  } finally {
    await client.query('ROLLBACK');
  }
}
