import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { ACTOR, change, getOne, store as keep, nextId, put, SPACE, START, vector } from './sample-records.ts';
import { headOf, type Promises } from './store-under-test.ts';

export function promiseUpkeep(promise: Promises): void {
  promise('counts reads apart from the record, which stays as it is', async (store) => {
    const record = await keep(store);
    await store.recordReads(SPACE, [record.id, nextId()], START + 2);
    await store.recordReads(SPACE, [record.id], START + 1);
    deepEqual(
      await store.readStatistics(SPACE, [record.id, nextId()]),
      new Map([[record.id, { reads: 2, lastReadAt: START + 2 }]]),
    );
    await store.recordReads(SPACE, [record.id], START + 3);
    deepEqual((await store.readStatistics(SPACE, [record.id])).get(record.id), { reads: 3, lastReadAt: START + 3 });
    deepEqual(await getOne(store, record.id), record);
  });

  promise('writes counted reads at the latest when it is closed', async (store, under) => {
    const { id } = await keep(store);
    await store.recordReads(SPACE, [id], START);
    await store.close();
    const again = await under.reopen();
    equal((await again.readStatistics(SPACE, [id])).get(id)?.reads, 1);
  });

  promise(
    'lists every space with its last number, and at least those that changed since a moment',
    async (store, under) => {
      const other = await under.reopen();
      deepEqual(await store.listHeads(null), []);
      headOf(await store.commit('b', [put(), put({ content: 'x' })], ACTOR));
      headOf(await store.commit('a', [{ op: 'receipt', key: 'k', fingerprint: 'f', answer: {}, at: START }], ACTOR));
      deepEqual(await store.listHeads(null), [
        { space: 'a', head: 0 },
        { space: 'b', head: 2 },
      ]);
      const since = performance.now();
      headOf(await other.commit('b', [put({ content: 'y' })], ACTOR));
      headOf(await other.commit('c', [put()], ACTOR));
      const changed = new Map((await store.listHeads(since)).map(({ space, head }) => [space, head]));
      deepEqual([changed.get('b'), changed.get('c')], [3, 1]);
    },
  );

  promise('takes nothing that hangs on a record for a stray', async (store) => {
    const { id } = await keep(store);
    const other = await keep(store, { content: 'another' });
    headOf(await store.commit(SPACE, [change(other, { content: 'changed' })], ACTOR));
    await store.recordReads(SPACE, [id], START);
    const counts = await store.recount(SPACE);
    deepEqual([await store.listLost(SPACE), await store.dropStrays(SPACE)], [[], 0]);
    deepEqual(await store.recount(SPACE), counts);
    equal((await getOne(store, other.id)).content, 'changed');
  });

  promise('gives a lease to one holder at a time, who may renew it', async (store, under) => {
    const other = await under.reopen();
    equal(await store.takeLease('upkeep', 'a', START + 10, START), true);
    equal(await other.takeLease('upkeep', 'b', START + 20, START + 9), false);
    equal(await store.takeLease('upkeep', 'a', START + 20, START + 9), true);
    equal(await other.takeLease('upkeep', 'b', START + 30, START + 19), false);
    equal(await other.takeLease('else', 'b', START + 30, START), true);
  });

  promise('gives a lease on when it has run out or was released by its holder', async (store) => {
    equal(await store.takeLease('upkeep', 'a', START + 10, START), true);
    equal(await store.takeLease('upkeep', 'b', START + 20, START + 10), true);
    await store.releaseLease('upkeep', 'a');
    equal(await store.takeLease('upkeep', 'a', START + 30, START + 11), false);
    await store.releaseLease('upkeep', 'b');
    equal(await store.takeLease('upkeep', 'a', START + 30, START + 11), true);
  });

  promise('gives a lease on that a clock has taken which was ahead of all others', async (store) => {
    const ahead = START + 1_000_000;
    equal(await store.takeLease('upkeep', 'a', ahead + 10, ahead), true);
    equal(await store.takeLease('upkeep', 'b', START + 10, START), true);
    equal(await store.takeLease('upkeep', 'c', START + 11, START + 1), false);
  });

  promise('begins its time with the first record and keeps what it is told of it', async (store, under) => {
    deepEqual(await store.readTime(), { believedAt: 0, doubtedAt: null, doubtRanMs: 0 });
    await keep(store);
    const { believedAt } = await store.readTime();
    equal(believedAt > 0, true);
    await store.commit('another', [put()], ACTOR);
    equal((await store.readTime()).believedAt, believedAt);
    const seen = { believedAt: START, doubtedAt: START + 5, doubtRanMs: 7 };
    await store.keepTime(seen);
    deepEqual(await (await under.reopen()).readTime(), seen);
    await store.keepTime({ ...seen, doubtedAt: null });
    deepEqual(await store.readTime(), { ...seen, doubtedAt: null });
  });

  promise('lists deletions of a space by their time, in pages', async (store) => {
    const ids = [nextId(), nextId(), nextId(), nextId()].toSorted();
    for (const [i, id] of ids.entries()) await keep(store, { content: `text ${i}` }, { id });
    await keep(store, { content: 'live' });
    headOf(await store.commit('other', [put({}, { id: ids[0] })], ACTOR));
    headOf(await store.commit('other', [{ op: 'delete', id: ids[0]!, at: START }], ACTOR));
    const times = [START + 2, START + 1, START + 2, START + 3];
    for (const [i, id] of ids.entries())
      headOf(await store.commit(SPACE, [{ op: 'delete', id, at: times[i]! }], ACTOR));
    const all = [1, 0, 2, 3].map((i) => ({ id: ids[i]!, deletedAt: times[i]! }));
    deepEqual(await store.listDeletions(SPACE, { limit: 10 }), all);
    deepEqual(await store.listDeletions(SPACE, { before: START + 3, limit: 2 }), all.slice(0, 2));
    deepEqual(await store.listDeletions(SPACE, { after: all[1]!, before: START + 3, limit: 9 }), all.slice(2, 3));
    deepEqual(await store.listDeletions(SPACE, { after: { deletedAt: START + 2, id: '' }, limit: 9 }), all.slice(1));
    deepEqual(await store.listDeletions('empty', { limit: 9 }), []);
  });

  promise('forgets receipts older than asked, the oldest first, a bounded number at once', async (store) => {
    const receipts = [3, 1, 2, 4].map((age) => ({
      op: 'receipt' as const,
      key: `k${age}`,
      fingerprint: 'f',
      answer: {},
      at: START + age,
    }));
    headOf(await store.commit(SPACE, receipts, ACTOR));
    headOf(await store.commit('other', receipts, ACTOR));
    equal(await store.pruneReceipts(SPACE, START + 4, 2), 2);
    const kept = async (space: string) =>
      (await Promise.all([1, 2, 3, 4].map((age) => store.findReceipt(space, `k${age}`)))).map(
        (receipt) => receipt !== null,
      );
    deepEqual(await kept(SPACE), [false, false, true, true]);
    equal(await store.pruneReceipts(SPACE, START + 4, 2), 1);
    equal(await store.pruneReceipts(SPACE, START + 4, 2), 0);
    deepEqual(await kept(SPACE), [false, false, false, true]);
    deepEqual(await kept('other'), [true, true, true, true]);
  });

  promise('tells sizes and counts of a space', async (store) => {
    const record = await keep(store, {}, { vectors: [vector(0)] });
    const deleted = await keep(store, { content: 'gone' }, { vectors: [vector(0)] });
    await keep(store, { supersededBy: record.id });
    const relation = { from: record.id, to: deleted.id, type: 'about', weight: 1, body: {}, createdAt: START };
    headOf(
      await store.commit(
        SPACE,
        [{ op: 'relate', relation }, { op: 'delete', id: deleted.id, at: START }, change(record, { tags: ['t'] })],
        ACTOR,
      ),
    );
    await store.replaceSegments(
      SPACE,
      [],
      [{ id: 's', from: 0, to: 6, passages: 2, embedder: null, bytes: new Uint8Array(7) }],
    );
    const {
      store: _store,
      location: _location,
      bytes,
      schemaVersion,
      replica,
      epoch,
      rowSecurity: _rowSecurity,
      ...facts
    } = await store.inspect(SPACE);
    deepEqual(facts, {
      records: 2,
      deleted: 1,
      superseded: 1,
      passages: 2,
      vectors: [{ embedder: 'toy@2', passages: 1 }],
      relations: 1,
      versions: 1,
      graves: 0,
      segments: 1,
      segmentBytes: 7,
      head: 6,
    });
    equal(bytes > 0 && schemaVersion > 0, true);
    match(`${replica} ${epoch}`, /^[0-9a-f]{16} [0-9a-f]{16}$/);
    equal((await store.inspect('empty')).records, 0);
  });

  promise('removes the vectors of one embedder and nothing else', async (store) => {
    const both = [vector(0), { ...vector(0), embedder: 'other@1' }];
    const record = await keep(store, {}, { vectors: both });
    for (let i = 0; i < 700; i += 100) {
      headOf(
        await store.commit(
          SPACE,
          Array.from({ length: 100 }, (_, j) => put({ content: `text ${i + j}` }, { vectors: both })),
          ACTOR,
        ),
      );
    }
    const head = await store.head(SPACE);
    equal(await store.dropVectors('another', 'other@1'), 0);
    equal(await store.dropVectors(SPACE, 'other@1'), 701);
    deepEqual((await store.inspect(SPACE)).vectors, [{ embedder: 'toy@2', passages: 701 }]);
    deepEqual((await store.listUnembedded(SPACE, 'other@1', 1)).length, 1);
    equal((await store.getRecords(SPACE, [record.id])).length, 1);
    equal(await store.head(SPACE), head);
  });

  promise('finds nothing damaged after every kind of change', async (store) => {
    const record = await keep(store, { tags: ['a'] }, { vectors: [vector(0)] });
    headOf(await store.commit(SPACE, [change(record, { content: 'new', tags: ['b', 'c'] })], ACTOR));
    headOf(await store.commit(SPACE, [{ op: 'delete', id: record.id, at: START }], ACTOR));
    headOf(await store.commit(SPACE, [{ op: 'restore', id: record.id, at: START }], ACTOR));
    await keep(store, { content: 'x', quality: 1, body: { metadata: { a: [1e21, 0.1, -0] } } });
    const steps: [number, number][] = [];
    deepEqual(await store.verify((done, total) => steps.push([done, total])), {
      database: [],
      checkedRecords: 2,
      damaged: [],
    });
    deepEqual(steps.at(-1), [2, 2]);
  });

  promise(
    'closes twice without complaint, finishes what was asked before and refuses what comes after',
    async (store, under) => {
      const first = store.commit(SPACE, [put()], ACTOR);
      await store.close();
      await store.close();
      equal(headOf(await first), 1);
      await rejects(store.head(SPACE), { name: 'EngineError' });
      await rejects(store.commit(SPACE, [], ACTOR), { name: 'EngineError' });
      equal(await (await under.reopen()).head(SPACE), 1);
    },
  );
}
