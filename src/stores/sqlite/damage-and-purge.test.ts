import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { ACTOR, change, store as keep, put, SPACE } from '../contract/sample-records.ts';
import { headOf } from '../contract/store-under-test.ts';
import { openStore } from '../open-store.ts';
import { CLOCK, makeTempStore, SILENT } from './fixtures/temp-store.ts';

function edit(location: string, sql: string): void {
  const database = new DatabaseSync(location);
  database.exec(sql);
  database.close();
}

const DAMAGE = [
  "UPDATE records SET content = 'altered' WHERE content = 'second'",
  "UPDATE records SET body = '{}'",
  'UPDATE records SET tags = \'["other"]\'',
  'UPDATE records SET created_at = created_at + 1',
  "UPDATE records SET trust = 'user'",
  'UPDATE records SET deleted_at = 5',
  "UPDATE passages SET text = 'altered'",
  "UPDATE record_tags SET tag = 'altered'",
  'DELETE FROM record_tags',
  "UPDATE record_versions SET state = replace(state, 'first', 'fabricated')",
  'UPDATE record_versions SET replaced_at = 1',
];

for (const sql of DAMAGE) {
  test(`finds a record altered behind its back: ${sql}`, async () => {
    const { store, location, destroy } = await makeTempStore();
    const first = await keep(store, { content: 'first', tags: ['t'], trust: 'agent', body: { metadata: { a: 1 } } });
    headOf(await store.commit(SPACE, [change(first, { content: 'second' })], ACTOR));
    headOf(await store.commit('other', [put({ content: 'x', tags: [], body: {} })], ACTOR));
    edit(location, `${sql} ${sql.includes('WHERE') ? 'AND' : 'WHERE'} space_id = '${SPACE}'`);
    deepEqual(await store.verify(), { database: [], checkedRecords: 2, damaged: [{ space: SPACE, id: first.id }] });
    await destroy();
  });
}

test('finds nothing wrong with records because a table has got a column more', async () => {
  const { store, location, reopen, destroy } = await makeTempStore();
  await keep(store);
  edit(location, 'ALTER TABLE records ADD COLUMN mood TEXT');
  await keep(store, { content: 'after' });
  deepEqual(await (await reopen()).verify(), { database: [], checkedRecords: 2, damaged: [] });
  await destroy();
});

test('finds a record that has risen from its grave', async () => {
  const { store, location, destroy } = await makeTempStore();
  const { id } = await keep(store);
  edit(location, `INSERT INTO graves VALUES ('${SPACE}', '${id}', 1, 5)`);
  deepEqual((await store.verify()).database, [`The record ${id} of space ${SPACE} was purged and is there again.`]);
  await destroy();
});

test('finds a single flipped bit of a content in the file', async () => {
  const { store, location, reopen, destroy } = await makeTempStore();
  const { id } = await keep(store, { content: 'a sentence to be flipped' }, { passages: [] });
  await store.close();
  const bytes = readFileSync(location);
  bytes[bytes.indexOf('a sentence to be flipped') + 3]! ^= 1;
  writeFileSync(location, bytes);
  deepEqual((await (await reopen()).verify()).damaged, [{ space: SPACE, id }]);
  await destroy();
});

test('reports a torn database instead of failing', async () => {
  const { store, location, reopen, destroy } = await makeTempStore();
  for (let i = 0; i < 40; i++) await keep(store, { content: `${i} `.repeat(2000) });
  await store.close();
  const bytes = readFileSync(location);
  bytes.fill(0xee, bytes.length / 2, bytes.length / 2 + 8192);
  writeFileSync(location, bytes);
  ok((await (await reopen()).verify()).database.length > 0);
  await destroy();
});

test('leaves no word of a purged record in any file', async () => {
  const { store, location, destroy } = await makeTempStore();
  const secrets = ['XYZZY-content', 'XYZZY-old', 'XYZZY-tag', 'XYZZY-passage', 'XYZZY-meta', 'XYZZY-title'];
  const long = ' filler'.repeat(3000);
  const record = await keep(
    store,
    { content: `XYZZY-old${long}` },
    { passages: [{ ordinal: 0, text: 'XYZZY-passage' }] },
  );
  await keep(store, { content: 'innocent' });
  const content = {
    content: `XYZZY-content${long}`,
    title: 'XYZZY-title',
    tags: ['XYZZY-tag'],
    body: { metadata: { k: 'XYZZY-meta' } },
  };
  headOf(await store.commit(SPACE, [change(record, content)], ACTOR));
  const found = () =>
    ['', '-wal'].map((suffix) =>
      existsSync(location + suffix) ? readFileSync(location + suffix).indexOf('XYZZY') : -1,
    );
  equal(secrets.length > 0 && found().some((at) => at >= 0), true);
  headOf(await store.commit(SPACE, [{ op: 'purge', id: record.id }], ACTOR));
  deepEqual(found(), [-1, -1]);
  await destroy();
});

test('leaves no word of a segment that was swapped out', async () => {
  const { store, location, destroy } = await makeTempStore();
  const segment = (id: string, text: string) => ({
    id,
    from: 0,
    to: 1,
    passages: 1,
    embedder: null,
    bytes: Buffer.from(text.repeat(1000)),
  });
  await store.replaceSegments(SPACE, [], [segment('a', 'XYZZY')]);
  await store.replaceSegments(SPACE, ['a'], [segment('b', 'clean')]);
  for (const suffix of ['', '-wal']) equal(readFileSync(location + suffix).indexOf('XYZZY'), -1, suffix);
  await destroy();
});

test('copies the database, for its owner alone, while others write, and never over a file', async () => {
  const { store, location, destroy } = await makeTempStore();
  const record = await keep(store);
  const copy = `${location}.copy`;
  await Promise.all([
    store.backup(copy),
    ...Array.from({ length: 20 }, (_, i) => keep(store, { content: `text ${i}` })),
  ]);
  equal(statSync(copy).mode & 0o777, 0o600);
  await rejects(store.backup(copy), { code: 'conflict' });
  const opened = await openStore(copy, { clock: CLOCK, log: SILENT });
  deepEqual(await opened.getRecords(SPACE, [record.id]), [record]);
  deepEqual((await opened.verify()).damaged, []);
  await opened.close();
  await destroy();
});
