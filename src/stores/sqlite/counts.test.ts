import { deepEqual, equal, match } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { ACTOR, put, SPACE, START } from '../../../test/stores/contract/sample-records.ts';
import { buildConditions } from '../sql/list-records.ts';
import { planTotal } from '../sql/list-total.ts';
import { openSqliteStore } from './open-sqlite-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'ltm-counts-'));
after(() => rmSync(folder, { recursive: true }));

const quiet = { info() {}, warn() {}, error() {} };
const open = (name: string) => openSqliteStore(join(folder, name), { clock: { now: () => START }, log: quiet });

test('doctor finds a count that is wrong, and counting again mends it', async () => {
  const store = await open('wrong.db');
  await store.commit(SPACE, [put({ tags: ['a'] }), put({ content: 'other', tags: ['a'] })], ACTOR);
  deepEqual((await store.verify()).database, []);
  const database = new DatabaseSync(join(folder, 'wrong.db'));
  database.exec("UPDATE label_counts SET live = 7 WHERE label = 'tag'");
  match((await store.verify()).database.join(' '), /counts that space owner keeps of its labels, 1 are wrong/);
  await store.recount(SPACE);
  while (!(await store.catchUp(SPACE)));
  deepEqual((await store.verify()).database, []);
  deepEqual(await store.countLabels(SPACE, 'tag'), [{ value: 'a', count: 2 }]);
  database.close();
  await store.close();
});

test('a purged tag leaves nothing behind in the counts', async () => {
  const store = await open('purged.db');
  const record = put({ tags: ['hidden-name'] });
  await store.commit(SPACE, [record], ACTOR);
  await store.commit(SPACE, [{ op: 'purge', id: record.id }], ACTOR);
  const database = new DatabaseSync(join(folder, 'purged.db'));
  equal(database.prepare('SELECT count(*) AS n FROM label_counts').get()?.n, 0);
  database.close();
  await store.close();
});

test('deletions are gone through, and what is valid for a time counted, by an index', async () => {
  const store = await open('plans.db');
  await store.close();
  const database = new DatabaseSync(join(folder, 'plans.db'));
  const planOf = (sql: string) =>
    database
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => detail)
      .join('; ');
  const deletions = planOf(
    "SELECT id, deleted_at FROM records WHERE space_id = 's' AND deleted_at IS NOT NULL AND (deleted_at, id) > (1, 'a') AND deleted_at < 9 ORDER BY deleted_at, id LIMIT 5",
  );
  match(deletions, /COVERING INDEX records_deleted/);
  equal(deletions.includes('TEMP B-TREE'), false);
  const conditions = "space_id = $1 AND deleted_at IS NULL AND project = 'p'";
  for (const { sql } of planTotal({ project: 'p' }, { sql: conditions, values: ['s'] })!) {
    const plan = planOf(sql.replaceAll('::text[]', '').replaceAll(/= ANY \((.*?)\)/g, '= $1'));
    match(plan, /records_valid_for_a_time|label_counts USING PRIMARY KEY \(space_id=\? AND label=\? AND value=\?/);
    equal(plan.includes('records_by'), false);
  }
  database.close();
});

test('a text is in the database once, and found by its hash in an index', async () => {
  const store = await open('once.db');
  const record = put(
    { content: 'a sentence that is kept once' },
    { passages: [{ ordinal: 0, text: 'that is kept once' }] },
  );
  await store.commit(SPACE, [record], ACTOR);
  const { contentHash } = (await store.getRecords(SPACE, [record.id]))[0]!;
  equal((await store.listRecords(SPACE, { contentHash }, { limit: 5 })).items.length, 1);
  equal(
    (await store.listRecords(SPACE, { contentHash: contentHash.replace(/.$/, 'x') }, { limit: 5 })).items.length,
    0,
  );
  await store.close();
  const database = new DatabaseSync(join(folder, 'once.db'));
  deepEqual(
    { ...database.prepare('SELECT text, starts_at, ends_at FROM passages').get() },
    { text: '', starts_at: 11, ends_at: 28 },
  );
  const { sql, values } = buildConditions(SPACE, { contentHash }, 0);
  const plan = database.prepare(`EXPLAIN QUERY PLAN SELECT id FROM records WHERE ${sql.replaceAll('$', '?')}`);
  match(
    String(plan.all(...(values as string[])).map(({ detail }) => detail)),
    /INDEX records_by_hash \(space_id=\? AND <expr>=\?\)/,
  );
  database.close();
});
