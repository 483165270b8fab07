import { deepEqual, equal, rejects } from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { runDifferential } from '../../../test/differential/run-differential.ts';
import { makeFolder } from '../../../test/open-test-engine.ts';
import { type CitusSchema, findCitus, makeCitusSchema } from '../../../test/postgres/citus-cluster.ts';
import { ACTOR, put, START, vector } from '../../../test/stores/contract/sample-records.ts';
import { headOf } from '../../../test/stores/contract/store-under-test.ts';
import { SPACE_TABLES } from './migrations/0001-foundation.ts';

/** A quick look in every run; scripts/differential.ts --to takes the cluster's address for a long one. */
const OPERATIONS = 300;
const found = findCitus();
const skip = 'missing' in found ? found.missing : false;

describe('on a Citus cluster', { skip }, () => {
  let schema: CitusSchema;
  before(async () => {
    schema = await makeCitusSchema('url' in found ? found.url : '');
  });
  after(() => schema.drop());

  async function fill(): Promise<() => Promise<void>> {
    const { store, destroy } = await schema.makeStore();
    for (const space of ['a', "b'\\", 'c', 'd']) {
      const [one, two] = [
        put({ content: `canary of ${space}`, tags: ['t'] }, { vectors: [vector(0)] }),
        put({ content: `other of ${space}` }),
      ];
      const relation = { from: one.id, to: two.id, type: 'about', weight: 1, body: {}, createdAt: START };
      headOf(await store.commit(space, [one, two, { op: 'relate', relation }], ACTOR));
    }
    return destroy;
  }

  async function asApplication<T>(space: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client(schema.url);
    await client.connect();
    try {
      const name = new URL(schema.url).searchParams.get('schema');
      await client.query(
        `BEGIN; SET LOCAL citus.propagate_set_commands = 'local'; SET LOCAL search_path = ${name}; SET LOCAL ltm.space = ${client.escapeLiteral(space)}`,
      );
      return await work(client);
    } finally {
      await client.end();
    }
  }

  const countWithoutFilter = (space: string) =>
    asApplication(space, async (client) => {
      const counts: Record<string, number> = {};
      for (const table of SPACE_TABLES) counts[table] = (await client.query(`SELECT 1 FROM ${table}`)).rowCount ?? 0;
      return counts;
    });

  test('row-level security gives nothing of another space away when the program forgets to name its own', async () => {
    const destroy = await fill();
    const own = await countWithoutFilter('a');
    deepEqual([own.records, own.feed, own.vectors, own.spaces, own.relations], [2, 3, 1, 1, 1]);
    deepEqual(await countWithoutFilter("b'\\"), own);
    const none = Object.fromEntries(SPACE_TABLES.map((table) => [table, 0]));
    deepEqual(await countWithoutFilter('nobody'), none);
    deepEqual(await countWithoutFilter(''), none);
    equal(
      await asApplication('a', async (client) => (await client.query("UPDATE records SET content = 'x'")).rowCount),
      2,
    );
    equal(await asApplication('a', async (client) => (await client.query('DELETE FROM records')).rowCount), 2);
    await rejects(
      asApplication('a', (client) => client.query("INSERT INTO spaces (space_id, created_at) VALUES ('theirs', 1)")),
      { code: '42501' },
    );
    await destroy();
  });

  test(`${OPERATIONS} random operations give the same answers as on SQLite`, async () => {
    await (await schema.makeStore()).destroy();
    const { differences, operations } = await runDifferential({
      locations: [join(makeFolder(), 'memory.db'), schema.url],
      operations: OPERATIONS,
      seed: 11,
    });
    deepEqual([differences, operations], [[], OPERATIONS]);
  });
});
