import { deepEqual, equal, notEqual } from 'node:assert/strict';
import type { ImportChange } from '../../../src/model/change.ts';
import type { RecordVersion, StoredRecord } from '../../../src/model/record.ts';
import { ACTOR, change, getOne, store as keep, put, SPACE, START } from './sample-records.ts';
import { type FullStore, headOf, type Promises } from './store-under-test.ts';

const OTHER = 'other';

function importOf(record: StoredRecord, versions: readonly RecordVersion[] = []): ImportChange {
  return { op: 'import', record, versions, passages: [{ ordinal: 0, text: record.content }], vectors: [] };
}

async function purge(store: FullStore, id: string): Promise<void> {
  headOf(await store.commit(SPACE, [{ op: 'purge', id }], ACTOR));
}

export function promiseReplicas(promise: Promises): void {
  promise('leaves a grave behind a purge, without a word of the record', async (store) => {
    const record = await keep(store);
    await purge(store, record.id);
    const [grave, ...more] = await store.listGraves(SPACE, null, 10);
    deepEqual({ ...grave, purgedAt: 0 }, { id: record.id, generation: 1, purgedAt: 0 });
    deepEqual(
      [more, await store.listGraves(SPACE, record.id, 10), await store.listGraves(OTHER, null, 10)],
      [[], [], []],
    );
    equal((await store.inspect(SPACE)).graves, 1);
  });

  promise('refuses to import what was purged, alone and among others', async (store) => {
    const record = await keep(store);
    await purge(store, record.id);
    const conflict = { reason: 'purged', index: 0, id: record.id };
    deepEqual(await store.commit(SPACE, [importOf(record)], ACTOR), { outcome: 'conflict', conflict });
    const fresh = importOf({ ...record, id: put().id });
    const together = await store.commit(SPACE, [fresh, importOf(record)], ACTOR);
    deepEqual(together, { outcome: 'conflict', conflict: { ...conflict, index: 1 } });
    equal((await store.listRecords(SPACE, {}, { limit: 5 })).total, 0);
    headOf(await store.commit(OTHER, [importOf(record)], ACTOR));
  });

  promise('begins the next generation where a purged id is written anew', async (store) => {
    const record = await keep(store);
    await purge(store, record.id);
    const again = await keep(store, {}, { id: record.id });
    deepEqual([again.generation, again.revision], [2, 1]);
    const changed = change(again, { content: 'changed' });
    headOf(await store.commit(SPACE, [changed], ACTOR));
    equal((await getOne(store, record.id)).generation, 2);
    equal((await store.listVersions(SPACE, record.id))[0]?.record.generation, 2);
    await purge(store, record.id);
    equal((await store.listGraves(SPACE, null, 10))[0]?.generation, 2);
    headOf(await store.commit(SPACE, [importOf({ ...record, generation: 3 })], ACTOR));
    deepEqual((await store.verify()).database, []);
  });

  promise('purges and writes anew in one commit', async (store) => {
    const record = await keep(store);
    const again = put({ content: 'clean' }, { id: record.id });
    headOf(await store.commit(SPACE, [{ op: 'purge', id: record.id }, again], ACTOR));
    const { generation, content } = await getOne(store, record.id);
    deepEqual([generation, content], [2, 'clean']);
  });

  promise('takes in a grave of another database, unless the record is here', async (store) => {
    const here = await keep(store);
    const grave = { id: here.id, generation: 1, purgedAt: START };
    deepEqual(await store.commit(SPACE, [{ op: 'bury', grave }], ACTOR), {
      outcome: 'conflict',
      conflict: { reason: 'exists', index: 0, id: here.id },
    });
    const gone = { ...grave, id: put().id, generation: 4 };
    headOf(await store.commit(SPACE, [{ op: 'bury', grave: gone }], ACTOR));
    headOf(await store.commit(SPACE, [{ op: 'bury', grave: { ...gone, generation: 3 } }], ACTOR));
    deepEqual(await store.listGraves(SPACE, null, 10), [gone]);
    equal((await keep(store, {}, { id: gone.id })).generation, 5);
    equal((await store.changesAfter(SPACE, 1, 10)).map(({ op }) => op).join(), 'purged,created');
  });

  promise('gives every write a dot of its own, and keeps those of imported records', async (store) => {
    const { replica } = await store.inspect(SPACE);
    const first = await keep(store);
    headOf(await store.commit(SPACE, [change(first, { content: 'second' })], ACTOR));
    headOf(await store.commit(SPACE, [{ op: 'delete', id: first.id, at: START }], ACTOR));
    const record = await getOne(store, first.id);
    const versions = await store.listVersions(SPACE, first.id);
    deepEqual([first.dot, record.dot], [`${replica}:1`, `${replica}:3`]);
    deepEqual(
      versions.map(({ record: earlier }) => earlier.dot),
      [first.dot],
    );
    headOf(await store.commit(OTHER, [importOf(record, versions)], ACTOR));
    const [there] = await store.getRecords(OTHER, [first.id]);
    deepEqual({ ...there, space: SPACE }, record);
    const kept = await store.listVersions(OTHER, first.id);
    deepEqual(
      kept.map((version) => ({ ...version, record: { ...version.record, space: SPACE } })),
      versions,
    );
  });

  promise('gives dots to what is imported without them', async (store) => {
    const { replica } = await store.inspect(SPACE);
    const first = await keep(store);
    headOf(await store.commit(SPACE, [change(first, { content: 'b' })], ACTOR));
    headOf(await store.commit(SPACE, [change(await getOne(store, first.id), { content: 'c' })], ACTOR));
    const record = { ...(await getOne(store, first.id)), dot: null };
    const versions = (await store.listVersions(SPACE, first.id)).map((version) => ({
      ...version,
      record: { ...version.record, dot: null },
    }));
    const imported: ImportChange = { ...importOf(first), record, versions };
    headOf(await store.commit(OTHER, [imported], ACTOR));
    equal((await store.getRecords(OTHER, [first.id]))[0]?.dot, `${replica}:1`);
    const [newer, older] = await store.listVersions(OTHER, first.id);
    notEqual(newer?.record.dot, older?.record.dot);
  });

  promise('names both ends of a relation in the feed, also of one that is removed', async (store) => {
    const [from, to] = [await keep(store), await keep(store, { content: 'other' })];
    const relation = { from: from.id, to: to.id, type: 'about', weight: 1, body: {}, createdAt: START };
    headOf(await store.commit(SPACE, [{ op: 'relate', relation }], ACTOR));
    headOf(await store.commit(SPACE, [{ op: 'unrelate', from: from.id, to: to.id, type: 'about' }], ACTOR));
    const ends = { to: to.id, type: 'about' };
    deepEqual(
      (await store.changesAfter(SPACE, 1, 10)).map(({ op, id, relation: told }) => [op, id, told]),
      [
        ['created', to.id, null],
        ['related', from.id, ends],
        ['unrelated', from.id, ends],
      ],
    );
  });

  promise('is one replica however often it is opened', async (store, { reopen }) => {
    const [here, there] = [await store.inspect(SPACE), await (await reopen()).inspect(SPACE)];
    deepEqual([there.replica, there.epoch], [here.replica, here.epoch]);
    equal(store.transfer.replica, here.replica);
    notEqual(here.replica, here.epoch);
  });
}
