import { deepEqual, equal } from 'node:assert/strict';
import { ACTOR, change, getOne, store as keep, nextId, put, SPACE, START, vector } from './sample-records.ts';
import { headOf, type Promises } from './store-under-test.ts';

export function promiseFeedAndIndex(promise: Promises): void {
  promise('numbers the changes of a space from 1 without a gap, one entry for each, with who did it', async (store) => {
    const record = put({ content: 'one' });
    headOf(await store.commit(SPACE, [record, put({ content: 'two' })], ACTOR));
    const stored = await getOne(store, record.id);
    const changes = [
      change(stored, { content: 'three' }),
      { op: 'delete' as const, id: record.id, at: START },
      { op: 'restore' as const, id: record.id, at: START },
    ];
    equal(headOf(await store.commit(SPACE, changes, 'someone')), 5);
    const entries = await store.changesAfter(SPACE, 0, 10);
    deepEqual(
      entries.map(({ seq, op, revision, actor }) => [seq, op, revision, actor]),
      [
        [1, 'created', 1, ACTOR],
        [2, 'created', 1, ACTOR],
        [3, 'updated', 2, 'someone'],
        [4, 'deleted', 3, 'someone'],
        [5, 'restored', 4, 'someone'],
      ],
    );
    deepEqual([entries[2]?.id, entries[2]?.kind, typeof entries[2]?.at], [record.id, 'memory', 'number']);
  });

  promise('gives the changes after a number, in order, as many as asked for', async (store) => {
    for (let i = 0; i < 5; i++) await keep(store, { content: `text ${i}` });
    deepEqual(
      (await store.changesAfter(SPACE, 1, 2)).map(({ seq }) => seq),
      [2, 3],
    );
    deepEqual(await store.changesAfter(SPACE, 5, 10), []);
  });

  promise('has 0 as the head of a space nobody wrote to', async (store) => {
    equal(await store.head('nobody'), 0);
  });

  promise('makes no entry for receipts and reads', async (store) => {
    const { id } = await keep(store);
    headOf(await store.commit(SPACE, [{ op: 'receipt', key: 'k', fingerprint: 'f', answer: {}, at: START }], ACTOR));
    await store.recordReads(SPACE, [id], START);
    await store.readStatistics(SPACE, [id]);
    equal(await store.head(SPACE), 1);
  });

  promise(
    'shows a write to every other opening of the database as soon as it is acknowledged',
    async (store, under) => {
      const other = await under.reopen();
      equal(await other.head(SPACE), 0);
      const record = await keep(store);
      equal(await other.head(SPACE), 1);
      deepEqual(await other.getRecords(SPACE, [record.id]), [record]);
      const answer = await other.commit(SPACE, [change(record, { content: 'from the other' })], 'other');
      equal(headOf(answer), 2);
      equal((await getOne(store, record.id)).content, 'from the other');
    },
  );

  promise('keeps everything when it is closed and opened again', async (store, under) => {
    const record = await keep(store, { tags: ['t'] });
    await store.close();
    const again = await under.reopen();
    deepEqual(await again.getRecords(SPACE, [record.id]), [record]);
  });

  promise('gives records in the order asked for, passing over unknown ids', async (store) => {
    const [a, b] = [await keep(store, { content: 'a' }), await keep(store, { content: 'b' })];
    deepEqual(
      (await store.getRecords(SPACE, [b.id, nextId(), a.id])).map(({ id }) => id),
      [b.id, a.id],
    );
  });

  promise('forgets the feed up to a number, as far as no reader who is known wants it', async (store) => {
    for (let i = 0; i < 6; i++) await keep(store, { content: `text ${i}` });
    equal(await store.prunedTo(SPACE), 0);
    await store.keepPlace(SPACE, 'a', { seq: 3, until: START + 1000 });
    await store.keepPlace(SPACE, 'b', { seq: 1, until: START });
    await store.keepPlace(`${SPACE}2`, 'a', { seq: 0, until: START + 1000 });
    equal(await store.pruneFeed(SPACE, { upTo: 5, now: START }), 3);
    equal(await store.prunedTo(SPACE), 3);
    deepEqual(
      (await store.changesAfter(SPACE, 0, 10)).map(({ seq }) => seq),
      [4, 5, 6],
    );
    equal(await store.head(SPACE), 6);
    deepEqual((await store.verify()).database, []);
    equal(await store.pruneFeed(SPACE, { upTo: 99, now: START + 2000 }), 5);
    equal(headOf(await store.commit(SPACE, [put({ content: 'after all' })], ACTOR)), 7);
    deepEqual((await store.verify()).database, []);
  });

  promise('gives one index entry for each id; deleted and missing records have no passages', async (store) => {
    const live = await keep(store, { content: 'live' }, { vectors: [vector(0)] });
    const gone = await keep(store, { content: 'gone' }, { vectors: [vector(0)] });
    headOf(await store.commit(SPACE, [{ op: 'delete', id: gone.id, at: START }], ACTOR));
    const unknown = nextId();
    const entries = await store.readIndexEntries(SPACE, [gone.id, unknown, live.id]);
    deepEqual(entries, [
      { id: gone.id, record: await getOne(store, gone.id), passages: [], vectors: [] },
      { id: unknown, record: null, passages: [], vectors: [] },
      { id: live.id, record: live, passages: [{ ordinal: 0, text: 'live' }], vectors: [vector(0)] },
    ]);
  });

  promise('reads the passages of records, in order', async (store) => {
    const passages = [
      { ordinal: 1, text: 'second' },
      { ordinal: 0, text: 'first' },
    ];
    const { id } = await keep(store, {}, { passages });
    deepEqual(await store.readPassages(SPACE, [id, nextId()]), new Map([[id, passages.toReversed()]]));
  });

  promise('adds vectors later without a new revision, and leaves those that are there', async (store) => {
    const { id } = await keep(store, {}, { vectors: [vector(0, 'a@1', [1])] });
    const vectors = [vector(0, 'a@1', [2]), vector(0, 'b@1', [3])];
    deepEqual(await store.commit(SPACE, [{ op: 'embed', id, revision: 1, vectors }], ACTOR), {
      outcome: 'committed',
      head: 2,
      revisions: new Map([[id, 1]]),
    });
    const [entry] = await store.readIndexEntries(SPACE, [id]);
    deepEqual(entry?.vectors, [vector(0, 'a@1', [1]), vector(0, 'b@1', [3])]);
    equal((await store.changesAfter(SPACE, 1, 5))[0]?.op, 'embedded');
  });

  promise('ignores vectors of a text that has changed since', async (store) => {
    const record = await keep(store);
    headOf(await store.commit(SPACE, [change(record, { content: 'new' })], ACTOR));
    const committed = await store.commit(
      SPACE,
      [{ op: 'embed', id: record.id, revision: 1, vectors: [vector(0)] }],
      ACTOR,
    );
    deepEqual(committed, { outcome: 'committed', head: 2, revisions: new Map() });
    deepEqual((await store.readIndexEntries(SPACE, [record.id]))[0]?.vectors, []);
  });

  promise('names live records that lack a vector of an embedder for some passage, oldest first', async (store) => {
    const passages = [0, 1].map((ordinal) => ({ ordinal, text: `passage ${ordinal}` }));
    const newer = await keep(store, { createdAt: START + 10 });
    const half = await keep(store, { createdAt: START }, { passages, vectors: [vector(0)] });
    await keep(store, { createdAt: START }, { passages, vectors: [vector(0), vector(1)] });
    const deleted = await keep(store, { createdAt: START });
    headOf(await store.commit(SPACE, [{ op: 'delete', id: deleted.id, at: START }], ACTOR));
    deepEqual(await store.listUnembedded(SPACE, 'toy@2', 10), [half.id, newer.id]);
    deepEqual(await store.listUnembedded(SPACE, 'toy@2', 1), [half.id]);
    equal((await store.listUnembedded(SPACE, 'other@1', 10)).length, 3);
  });

  promise(
    'names a record that lost or never had its vectors after nothing was missing before',
    async (store, under) => {
      const record = await keep(store, {}, { vectors: [vector(0)] });
      const other = await under.reopen();
      deepEqual(await store.listUnembedded(SPACE, 'toy@2', 10), []);
      const fresh = await keep(other, { createdAt: START - 1 });
      headOf(await other.commit(SPACE, [change(record, { content: 'new' })], ACTOR));
      deepEqual(await store.listUnembedded(SPACE, 'toy@2', 10), [fresh.id, record.id]);
      headOf(await store.commit(SPACE, [{ op: 'embed', id: fresh.id, revision: 1, vectors: [vector(0)] }], ACTOR));
      deepEqual(await store.listUnembedded(SPACE, 'toy@2', 10), [record.id]);
      headOf(await store.commit(SPACE, [{ op: 'delete', id: record.id, at: START }], ACTOR));
      deepEqual(await store.listUnembedded(SPACE, 'toy@2', 10), []);
      headOf(await store.commit(SPACE, [{ op: 'restore', id: record.id, at: START }], ACTOR));
      deepEqual(await store.listUnembedded(SPACE, 'toy@2', 10), [record.id]);
    },
  );

  promise('lists the ids of live records, or of all, in ascending order, page by page', async (store) => {
    const ids = [];
    for (let i = 0; i < 4; i++) ids.push((await keep(store, { content: `text ${i}`, createdAt: START - i })).id);
    headOf(await store.commit(SPACE, [{ op: 'delete', id: ids[1]!, at: START }], ACTOR));
    deepEqual(await store.listIds(SPACE, { after: null, limit: 2 }), [ids[0], ids[2]]);
    deepEqual(await store.listIds(SPACE, { after: ids[2]!, limit: 2 }), [ids[3]]);
    deepEqual(await store.listIds(SPACE, { after: ids[0]!, limit: 2, of: 'all' }), [ids[1], ids[2]]);
  });
}
