import { deepEqual, equal } from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { ACTOR, change, store as keep, SPACE } from '../../../test/stores/contract/sample-records.ts';
import { headOf } from '../../../test/stores/contract/store-under-test.ts';
import { makeTempStore } from '../../../test/stores/sqlite/fixtures/temp-store.ts';

function ask(location: string, sql: string): unknown[] {
  const database = new DatabaseSync(location);
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}

function listTags(location: string): string[] {
  const rows = ask(location, 'SELECT tag, record_id FROM record_tags ORDER BY tag, record_id');
  return (rows as { tag: string; record_id: string }[]).map(({ tag, record_id }) => `${tag} ${record_id}`);
}

test('keeps the tags of a record once beside it, without an index of them by record', async () => {
  const { location, destroy } = await makeTempStore();
  deepEqual(ask(location, "SELECT name FROM sqlite_schema WHERE tbl_name = 'record_tags' AND type = 'index'"), []);
  await destroy();
});

test('a record that is changed is found by the tags it has now, and one that is purged by none', async () => {
  const { store, location, destroy } = await makeTempStore();
  const kept = await keep(store, { content: 'kept', tags: ['b'] });
  const first = await keep(store, { content: 'first', tags: ['a', 'b'] });
  headOf(await store.commit(SPACE, [change(first, { tags: ['b', 'c'] })], ACTOR));
  deepEqual(listTags(location), [`b ${kept.id}`, `b ${first.id}`, `c ${first.id}`].sort());
  headOf(await store.commit(SPACE, [{ op: 'purge', id: first.id }], ACTOR));
  deepEqual(listTags(location), [`b ${kept.id}`]);
  await store.dropSpace(SPACE);
  deepEqual(listTags(location), []);
  await destroy();
});

for (const tags of ['["other"]', 'no JSON at all'])
  test(`a purge leaves no tag behind although the record says that its tags are ${tags}`, async () => {
    const { store, location, destroy } = await makeTempStore();
    const { id } = await keep(store, { content: 'first', tags: ['a', 'b'] });
    ask(location, `UPDATE records SET tags = '${tags}' RETURNING id`);
    headOf(await store.commit(SPACE, [{ op: 'purge', id }], ACTOR));
    deepEqual(listTags(location), []);
    await destroy();
  });

test('tags of records that are not there are told of, and removed by a repair', async () => {
  const { store, location, destroy } = await makeTempStore();
  const { id } = await keep(store, { content: 'first', tags: ['a'] });
  ask(location, `INSERT INTO record_tags VALUES ('${SPACE}', 'a', 'nobody') RETURNING tag`);
  deepEqual((await store.verify()).database, [`Space ${SPACE} has tags of records that are not there (1).`]);
  deepEqual(await store.mendDerived([SPACE]), [
    `Tags of records that are not there were removed from the space ${SPACE} (1).`,
  ]);
  deepEqual((await store.verify()).database, []);
  deepEqual(listTags(location), [`a ${id}`]);
  await destroy();
});

test('of many records those are named whose tags are wrong, and no others', async () => {
  const { store, location, destroy } = await makeTempStore();
  const ids: string[] = [];
  for (let i = 0; i < 230; i++) ids.push((await keep(store, { content: `text ${i}`, tags: ['all', `t${i}`] })).id);
  const wrong = [ids[3]!, ids[220]!];
  ask(location, `DELETE FROM record_tags WHERE tag = 'all' AND record_id = '${wrong[0]}' RETURNING tag`);
  ask(location, `UPDATE record_tags SET tag = 'v220' WHERE tag = 't220' RETURNING tag`);
  const { damaged } = await store.verify();
  deepEqual(damaged.map(({ id }) => id).sort(), wrong.sort());
  equal(
    damaged.every(({ parts }) => parts.join() === 'its tags'),
    true,
  );
  await destroy();
});
