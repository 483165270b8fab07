import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { expectMode } from '../../../test/expect-mode.ts';
import { ACTOR, change, store as keep, put, SPACE } from '../../../test/stores/contract/sample-records.ts';
import { type FullStore, headOf } from '../../../test/stores/contract/store-under-test.ts';
import { CLOCK, makeTempStore, SILENT } from '../../../test/stores/sqlite/fixtures/temp-store.ts';
import type { Damage } from '../../model/damage.ts';
import type { StoredRecord } from '../../model/record.ts';
import { openStore } from '../open-store.ts';

function edit(location: string, sql: string): void {
  const database = new DatabaseSync(location);
  database.exec(sql);
  database.close();
}

const DAMAGE: readonly [sql: string, part: string][] = [
  ["UPDATE records SET content = 'altered' WHERE content = 'second'", 'the record'],
  ["UPDATE records SET body = '{}'", 'the record'],
  ['UPDATE records SET tags = \'["other"]\'', 'the record'],
  ['UPDATE records SET created_at = created_at + 1', 'the record'],
  ["UPDATE records SET trust = 'user'", 'the record'],
  ['UPDATE records SET deleted_at = 5', 'the record'],
  ["UPDATE passages SET text = 'altered'", 'its passages'],
  ["UPDATE record_tags SET tag = 'altered'", 'its tags'],
  ['DELETE FROM record_tags', 'its tags'],
  ["UPDATE record_versions SET state = replace(state, 'first', 'fabricated')", 'an earlier version'],
  ['UPDATE record_versions SET replaced_at = 1', 'an earlier version'],
  ['UPDATE vectors SET scale = 0.5', 'its vectors'],
  ["UPDATE vectors SET bytes = x'010203ff'", 'its vectors'],
  ['UPDATE relations SET weight = 0.25', 'its relations'],
];

/** A record with everything that may hang on one, and another space beside it. */
async function keepWhole(store: FullStore): Promise<StoredRecord> {
  const said = { content: 'first', tags: ['t'], trust: 'agent', body: { metadata: { a: 1 } } } as const;
  const vector = { embedder: 'e', ordinal: 0, scale: 0.25, bytes: Int8Array.of(1, 2, 3) };
  const first = await keep(store, said, { vectors: [vector] });
  const relation = { from: first.id, to: first.id, type: 'about', weight: 0.5, body: {}, createdAt: 7 };
  headOf(
    await store.commit(
      SPACE,
      [change(first, { content: 'second' }, { vectors: [vector] }), { op: 'relate', relation }],
      ACTOR,
    ),
  );
  headOf(await store.commit('other', [put({ content: 'x', tags: [], body: {} })], ACTOR));
  return first;
}

function alter(location: string, sql: string): void {
  edit(location, `${sql} ${sql.includes('WHERE') ? 'AND' : 'WHERE'} space_id = '${SPACE}'`);
}

for (const [sql, part] of DAMAGE) {
  test(`finds a record altered behind its back: ${sql}`, async () => {
    const { store, location, destroy } = await makeTempStore();
    const { id } = await keepWhole(store);
    alter(location, sql);
    const { checkedRecords, damaged } = await store.verify();
    deepEqual({ checkedRecords, damaged }, { checkedRecords: 2, damaged: [{ space: SPACE, id, parts: [part] }] });
    await destroy();
  });
}

for (const [sql] of DAMAGE.filter(([, part]) => part === 'the record')) {
  test(`serves no record altered behind its back: ${sql}`, async () => {
    const { store, location, destroy } = await makeTempStore();
    const { id } = await keepWhole(store);
    alter(location, sql);
    const noted: Damage[] = [];
    const note = (damage: Damage) => void noted.push(damage);
    await rejects(store.getRecords(SPACE, [id]), { code: 'storage_damaged', details: { what: 'record', id } });
    deepEqual(await store.getRecords(SPACE, [id], note), []);
    const { items } = await store.listRecords(SPACE, { deleted: 'include' }, { limit: 9 }, note);
    deepEqual([items, noted], [[], Array(2).fill({ what: 'record', id })]);
    const [entry] = await store.readIndexEntries(SPACE, [id]);
    deepEqual(entry, { id, record: null, passages: [], vectors: [], damaged: 'record' });
    await destroy();
  });
}

test('serves nothing else that was altered behind its back', async () => {
  const { store, location, destroy } = await makeTempStore();
  const { id } = await keepWhole(store);
  for (const [sql, part] of DAMAGE) if (part !== 'the record') alter(location, sql);
  alter(location, 'UPDATE feed SET at = at + 1 WHERE seq = 2');
  const noted: Damage[] = [];
  const note = (damage: Damage) => void noted.push(damage);
  deepEqual(await store.listVersions(SPACE, id, note), []);
  deepEqual(await store.listRelations(SPACE, [id], note), []);
  deepEqual(
    (await store.changesAfter(SPACE, 0, 9, note)).map(({ seq }) => seq),
    [1, 3],
  );
  deepEqual(
    noted.map(({ what }) => what),
    ['version', 'relation', 'change'],
  );
  equal((await store.readPassages(SPACE, [id])).size, 0);
  const [entry] = await store.readIndexEntries(SPACE, [id]);
  deepEqual([entry?.damaged, entry?.passages, entry?.vectors], ['passages', [], []]);
  await destroy();
});

test('never gives what is damaged a checksum that fits', async () => {
  const { store, location, destroy } = await makeTempStore();
  const first = await keepWhole(store);
  const { id } = first;
  alter(location, "UPDATE records SET content = 'altered'");
  const damaged = { code: 'storage_damaged' };
  await rejects(store.commit(SPACE, [{ op: 'delete', id, at: 1 }], ACTOR), damaged);
  await rejects(store.commit(SPACE, [change({ ...first, revision: 2 }, { content: 'third' })], ACTOR), damaged);
  equal((await store.verify()).damaged.length, 1);
  headOf(await store.commit(SPACE, [{ op: 'purge', id }], ACTOR));
  deepEqual((await store.verify()).damaged, []);
  await destroy();
});

test('knows a record that can no longer be found from one that never was', async () => {
  const { store, location, destroy } = await makeTempStore();
  const { id } = await keepWhole(store);
  edit(location, `PRAGMA foreign_keys = OFF; DELETE FROM records WHERE id = '${id}'`);
  await rejects(store.getRecords(SPACE, [id]), { code: 'storage_damaged', details: { what: 'record', id } });
  deepEqual(await store.getRecords(SPACE, ['0'.repeat(20)]), []);
  const { database } = await store.verify();
  ok(database.includes(`Space ${SPACE} has 0 records; by its own count it should have 1.`), database.join('\n'));
  await destroy();
});

for (const [sql, found] of [
  ['UPDATE feed_heads SET seq = seq - 1', /head of the feed of space .* is damaged/],
  ['UPDATE feed_heads SET live = live + 1', /head of the feed of space .* is damaged/],
  ['DELETE FROM feed_heads', /head of the feed of space .* is missing/],
] as const) {
  test(`says so, and makes the head of a feed anew: ${sql}`, async () => {
    const { store, location, destroy } = await makeTempStore();
    await keepWhole(store);
    alter(location, sql);
    await rejects(store.head(SPACE), (error: Error) => found.test(error.message));
    ok((await store.verify()).database.some((problem) => found.test(problem)));
    deepEqual(await store.mendDerived([SPACE]), [`The head of the feed of the space ${SPACE} was made anew.`]);
    equal(await store.head(SPACE), 3);
    await store.recount(SPACE);
    deepEqual((await store.verify()).database, []);
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
  edit(location, `INSERT INTO graves (space_id, record_id, generation, purged_at) VALUES ('${SPACE}', '${id}', 1, 5)`);
  const { database } = await store.verify();
  ok(database.includes(`The record ${id} of space ${SPACE} was purged and is there again.`));
  await destroy();
});

test('finds a single flipped bit of a content in the file', async () => {
  const { store, location, reopen, destroy } = await makeTempStore();
  const { id } = await keep(store, { content: 'a sentence to be flipped' }, { passages: [] });
  await store.close();
  const bytes = readFileSync(location);
  bytes[bytes.indexOf('a sentence to be flipped') + 3]! ^= 1;
  writeFileSync(location, bytes);
  deepEqual((await (await reopen()).verify()).damaged, [{ space: SPACE, id, parts: ['the record'] }]);
  await destroy();
});

test('reports a torn database instead of failing', async () => {
  const { store, location, reopen, destroy } = await makeTempStore();
  for (let i = 0; i < 40; i++) await keep(store, { content: `${i} `.repeat(2000) });
  await store.close();
  const bytes = readFileSync(location);
  const records = bytes.length - 20 * 4096;
  bytes.fill(0xee, records, records + 8192);
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
  expectMode(copy, 0o600);
  await rejects(store.backup(copy), { code: 'conflict' });
  const opened = await openStore(copy, { clock: CLOCK, log: SILENT });
  deepEqual(await opened.getRecords(SPACE, [record.id]), [record]);
  deepEqual((await opened.verify()).damaged, []);
  await opened.close();
  await destroy();
});

test('refuses to open a database whose own description of a table is damaged', async () => {
  const { store, location, destroy } = await makeTempStore();
  await keepWhole(store);
  await store.close();
  const bytes = readFileSync(location);
  const at = bytes.indexOf('written_at');
  ok(at > 0);
  bytes[at + 6]! ^= 2;
  writeFileSync(location, bytes);
  await rejects(openStore(location, { clock: CLOCK, log: SILENT }), { code: 'storage_damaged' });
  await destroy();
});
