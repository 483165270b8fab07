import { deepEqual, equal, notEqual } from 'node:assert/strict';
import type { Change, ImportChange } from '../../../src/model/change.ts';
import { ACTOR, change, getOne, store as keep, nextId, put, SPACE, START, vector } from './sample-records.ts';
import { headOf, type Promises } from './store-under-test.ts';

const byFrom = (a: { from: string }, b: { from: string }) => (a.from < b.from ? -1 : 1);

export function promiseLifecycle(promise: Promises): void {
  promise('dates a deletion anew, and only what is deleted', async (store) => {
    const { id } = await keep(store);
    const redate = { op: 'delete', id, at: START + 9, redates: true } as const;
    deepEqual(await store.commit(SPACE, [redate], ACTOR), {
      outcome: 'conflict',
      conflict: { reason: 'missing', index: 0, id },
    });
    headOf(await store.commit(SPACE, [{ op: 'delete', id, at: START }], ACTOR));
    headOf(await store.commit(SPACE, [redate], ACTOR));
    equal((await getOne(store, id)).deletedAt, START + 9);
    deepEqual((await store.verify()).damaged, []);
  });

  promise('hides a deleted record but keeps it, one revision further', async (store) => {
    const record = await keep(store);
    const committed = await store.commit(SPACE, [{ op: 'delete', id: record.id, at: START + 5 }], ACTOR);
    deepEqual(committed, { outcome: 'committed', head: 2, revisions: new Map([[record.id, 2]]) });
    const { dot, ...deleted } = await getOne(store, record.id);
    notEqual(dot, record.dot);
    deepEqual({ ...deleted, dot: record.dot }, { ...record, revision: 2, deletedAt: START + 5 });
    equal((await store.listRecords(SPACE, {}, { limit: 5 })).total, 0);
    deepEqual(await store.listVersions(SPACE, record.id), []);
  });

  promise('refuses to delete what is not there, is deleted already or moved on', async (store) => {
    const { id } = await keep(store);
    const unknown = nextId();
    const refused = async (at: { id: string; revision?: number }) =>
      store.commit(SPACE, [{ op: 'delete', at: START, ...at }], ACTOR);
    deepEqual(await refused({ id: unknown }), {
      outcome: 'conflict',
      conflict: { reason: 'missing', index: 0, id: unknown },
    });
    deepEqual(await refused({ id, revision: 7 }), {
      outcome: 'conflict',
      conflict: { reason: 'revision', index: 0, id, actual: 1 },
    });
    headOf(await refused({ id, revision: 1 }));
    deepEqual(await refused({ id }), { outcome: 'conflict', conflict: { reason: 'missing', index: 0, id } });
  });

  promise('restores a record with its tags, passages and vectors', async (store) => {
    const record = await keep(store, { tags: ['kept'], key: 'k' }, { vectors: [vector(0)] });
    headOf(await store.commit(SPACE, [{ op: 'delete', id: record.id, at: START }], ACTOR));
    headOf(await store.commit(SPACE, [{ op: 'restore', id: record.id, at: START + 1, revision: 2 }], ACTOR));
    deepEqual({ ...(await getOne(store, record.id)), dot: record.dot }, { ...record, revision: 3 });
    const [entry] = await store.readIndexEntries(SPACE, [record.id]);
    deepEqual(entry?.vectors, [vector(0)]);
    equal(entry?.passages.length, 1);
    equal((await store.listRecords(SPACE, { tags: ['kept'] }, { limit: 5 })).total, 1);
  });

  promise('refuses to restore when another record took the key or the text meanwhile', async (store) => {
    const keyed = await keep(store, { key: 'k' });
    const texted = await keep(store, { content: 'same text' });
    const gone = [keyed, texted].map(({ id }) => ({ op: 'delete' as const, id, at: START }));
    headOf(await store.commit(SPACE, gone, ACTOR));
    const heir = await keep(store, { key: 'k', content: 'heir' });
    const twin = await keep(store, { content: 'same text' });
    const restore = (id: string) => store.commit(SPACE, [{ op: 'restore', id, at: START }], ACTOR);
    deepEqual(await restore(keyed.id), {
      outcome: 'conflict',
      conflict: { reason: 'key_taken', index: 0, id: heir.id },
    });
    deepEqual(await restore(texted.id), {
      outcome: 'conflict',
      conflict: { reason: 'duplicate', index: 0, id: twin.id },
    });
  });

  promise('restores beside a record of the same text that was there before the deletion', async (store) => {
    await keep(store, { conversation: 'c' });
    const twin = await keep(store, { conversation: 'c' });
    headOf(await store.commit(SPACE, [{ op: 'delete', id: twin.id, at: START }], ACTOR));
    headOf(await store.commit(SPACE, [{ op: 'restore', id: twin.id, at: START }], ACTOR));
  });

  promise('refuses to restore what is live, unknown or moved on', async (store) => {
    const { id } = await keep(store);
    const unknown = nextId();
    const restore = (of: string, revision?: number) =>
      store.commit(
        SPACE,
        [{ op: 'restore', id: of, at: START, ...(revision === undefined ? {} : { revision }) }],
        ACTOR,
      );
    deepEqual(await restore(id), { outcome: 'conflict', conflict: { reason: 'exists', index: 0, id } });
    deepEqual(await restore(unknown), { outcome: 'conflict', conflict: { reason: 'missing', index: 0, id: unknown } });
    headOf(await store.commit(SPACE, [{ op: 'delete', id, at: START }], ACTOR));
    deepEqual(await restore(id, 1), { outcome: 'conflict', conflict: { reason: 'revision', index: 0, id, actual: 2 } });
  });

  promise('does not change a deleted record until it is restored', async (store) => {
    const record = await keep(store);
    headOf(await store.commit(SPACE, [{ op: 'delete', id: record.id, at: START }], ACTOR));
    const committed = await store.commit(SPACE, [change(record, { content: 'new' }, { expect: 2 })], ACTOR);
    deepEqual(committed, { outcome: 'conflict', conflict: { reason: 'missing', index: 0, id: record.id } });
  });

  promise('purges a record with all that hangs on it; only the feed remembers', async (store) => {
    const record = await keep(store, { tags: ['t'] }, { vectors: [vector(0)] });
    const other = await keep(store, { content: 'other' });
    const relation = { from: other.id, to: record.id, type: 'about', weight: 1, body: {}, createdAt: START };
    headOf(await store.commit(SPACE, [change(record, { content: 'second' }), { op: 'relate', relation }], ACTOR));
    await store.recordReads(SPACE, [record.id], START);
    headOf(await store.commit(SPACE, [{ op: 'purge', id: record.id }], ACTOR));

    deepEqual(await store.getRecords(SPACE, [record.id]), []);
    deepEqual(await store.listVersions(SPACE, record.id), []);
    deepEqual(await store.listRelations(SPACE, [record.id, other.id]), []);
    deepEqual(await store.readPassages(SPACE, [record.id]), new Map());
    deepEqual(await store.readStatistics(SPACE, [record.id]), new Map());
    deepEqual(await store.countLabels(SPACE, 'tag'), []);
    const [last] = await store.changesAfter(SPACE, 4, 10);
    deepEqual(
      { ...last, at: 0 },
      { seq: 5, at: 0, op: 'purged', id: record.id, kind: 'memory', revision: null, actor: ACTOR, relation: null },
    );
    equal((await store.commit(SPACE, [{ op: 'purge', id: record.id }], ACTOR)).outcome, 'conflict');
  });

  promise('purges and writes anew in one commit, only at the revision that was read', async (store) => {
    const record = await keep(store, { content: 'old words' });
    const anew = (revision: number): Change[] => [
      { op: 'purge', id: record.id, revision },
      {
        op: 'import',
        record: { ...record, content: 'new words', revision: 2, generation: record.generation + 1, dot: null },
        versions: [],
        passages: [{ ordinal: 0, text: 'new words' }],
        vectors: [],
      },
    ];
    const refused = await store.commit(SPACE, anew(7), ACTOR);
    deepEqual(refused, { outcome: 'conflict', conflict: { reason: 'revision', index: 0, id: record.id, actual: 1 } });
    headOf(await store.commit(SPACE, anew(1), ACTOR));
    const { content, revision, generation } = await getOne(store, record.id);
    deepEqual([content, revision, generation], ['new words', 2, record.generation + 1]);
    for (const what of await store.eraseTraces()) equal(what.includes('old words'), false);
  });

  promise('purges receipts that repeat the words of the record, and keeps those that only name it', async (store) => {
    const record = await keep(store, { content: 'a "secret" sentence' });
    const receipt = { op: 'receipt' as const, fingerprint: 'f', at: START };
    const answers: Change[] = [
      { ...receipt, key: 'words', answer: { memory: { id: record.id, content: record.content } } },
      { ...receipt, key: 'name', answer: { id: record.id } },
    ];
    headOf(await store.commit(SPACE, answers, ACTOR));
    headOf(await store.commit(SPACE, [change(record, { content: 'harmless by now' })], ACTOR));
    headOf(await store.commit(SPACE, [{ op: 'purge', id: record.id }], ACTOR));
    equal(await store.findReceipt(SPACE, 'words'), null);
    deepEqual((await store.findReceipt(SPACE, 'name'))?.answer, { id: record.id });
  });

  promise(
    'imports a record with revision, times, deletion and versions as they were, into the space of the commit',
    async (store) => {
      const first = await keep(store, { tags: ['a'] }, { vectors: [vector(0)] });
      headOf(await store.commit(SPACE, [change(first, { content: 'second' }, { reason: 'why' })], ACTOR));
      headOf(await store.commit(SPACE, [{ op: 'delete', id: first.id, at: START + 9 }], ACTOR));
      const record = await getOne(store, first.id);
      const versions = await store.listVersions(SPACE, first.id);
      const change_: ImportChange = {
        op: 'import',
        record,
        versions,
        passages: [{ ordinal: 0, text: 'second' }],
        vectors: [vector(0)],
      };
      const committed = await store.commit('copy', [change_], ACTOR);
      deepEqual(committed, { outcome: 'committed', head: 1, revisions: new Map([[record.id, 3]]) });
      deepEqual(await store.getRecords('copy', [record.id]), [{ ...record, space: 'copy' }]);
      deepEqual(
        await store.listVersions('copy', record.id),
        versions.map((version) => ({ ...version, record: { ...version.record, space: 'copy' } })),
      );
      equal((await store.changesAfter('copy', 0, 5))[0]?.op, 'created');
      equal((await store.commit('copy', [change_], ACTOR)).outcome, 'conflict');
    },
  );

  promise('refuses to import a live record whose key is taken', async (store) => {
    const holder = await keep(store, { key: 'k' });
    const exported = { ...holder, id: nextId(), content: 'other' };
    const change_: ImportChange = { op: 'import', record: exported, versions: [], passages: [], vectors: [] };
    deepEqual(await store.commit(SPACE, [change_], ACTOR), {
      outcome: 'conflict',
      conflict: { reason: 'key_taken', index: 0, id: holder.id },
    });
    headOf(await store.commit(SPACE, [{ ...change_, record: { ...exported, deletedAt: START } }], ACTOR));
  });

  promise('names the records of which a version was replaced since a time', async (store) => {
    const [changed, same] = [await keep(store, { content: 'a' }), await keep(store, { content: 'b' })];
    headOf(await store.commit(SPACE, [change(changed, { content: 'c' })], ACTOR));
    const [version] = await store.listVersions(SPACE, changed.id);
    const replaced = (since: number, after: string | null = null) =>
      store.listReplaced(SPACE, { since, after, limit: 9 });
    deepEqual(await replaced(version!.replacedAt - 1), [changed.id]);
    deepEqual(await replaced(version!.replacedAt), []);
    deepEqual(await replaced(version!.replacedAt - 1, changed.id), []);
    notEqual(same.id, changed.id);
  });

  promise('lists relations from both ends, says one anew, removes one', async (store) => {
    const [a, b] = [await keep(store, { content: 'a' }), await keep(store, { content: 'b' })];
    const relation = { from: a.id, to: b.id, type: 'fixes', weight: 0.5, body: { note: 'x' }, createdAt: START };
    headOf(
      await store.commit(
        SPACE,
        [
          { op: 'relate', relation: { ...relation, weight: 0.1 } },
          { op: 'relate', relation },
        ],
        ACTOR,
      ),
    );
    deepEqual(await store.listRelations(SPACE, [a.id]), [relation]);
    deepEqual(await store.listRelations(SPACE, [b.id, a.id]), [relation]);
    const back = { ...relation, from: b.id, to: a.id };
    headOf(await store.commit(SPACE, [{ op: 'relate', relation: back }], ACTOR));
    deepEqual(await store.scanRelations(SPACE, { after: null, limit: 9 }), [relation, back].sort(byFrom));
    deepEqual(await store.scanRelations(SPACE, { after: [relation, back].sort(byFrom)[0]!, limit: 1 }), [
      [relation, back].sort(byFrom)[1]!,
    ]);
    deepEqual(await store.scanRelations('other', { after: null, limit: 9 }), []);
    deepEqual(await store.relationsBetween(SPACE, { from: [b.id], to: [a.id, b.id] }), [back]);
    const ended = { ...back, body: { endedAt: START } };
    headOf(await store.commit(SPACE, [{ op: 'relate', relation: ended }], ACTOR));
    equal((await store.changesAfter(SPACE, 5, 1))[0]?.op, 'unrelated', 'one that has ended stays, and is told as gone');
    headOf(await store.commit(SPACE, [{ op: 'unrelate', from: b.id, to: a.id, type: 'fixes' }], ACTOR));
    const gone = { op: 'unrelate' as const, from: a.id, to: b.id, type: 'fixes' };
    equal(headOf(await store.commit(SPACE, [gone], ACTOR)), 8);
    equal(headOf(await store.commit(SPACE, [gone], ACTOR)), 8);
    deepEqual(await store.listRelations(SPACE, [a.id]), []);
  });

  promise('refuses a relation with a record that is not there', async (store) => {
    const { id } = await keep(store);
    const to = nextId();
    const relation = { from: id, to, type: 'fixes', weight: 1, body: {}, createdAt: START };
    deepEqual(await store.commit(SPACE, [put({ content: 'x' }), { op: 'relate', relation }], ACTOR), {
      outcome: 'conflict',
      conflict: { reason: 'missing', index: 1, id: to },
    });
  });

  promise('remembers the answer to a request once', async (store) => {
    const receipt = { op: 'receipt' as const, key: 'k', fingerprint: 'f', answer: { id: 'x' }, at: START };
    equal(await store.findReceipt(SPACE, 'k'), null);
    headOf(await store.commit(SPACE, [receipt], ACTOR));
    deepEqual(await store.findReceipt(SPACE, 'k'), { fingerprint: 'f', answer: { id: 'x' } });
    const fresh = put();
    deepEqual(await store.commit(SPACE, [fresh, receipt], ACTOR), {
      outcome: 'conflict',
      conflict: { reason: 'receipt', index: 1, key: 'k' },
    });
    deepEqual(await store.getRecords(SPACE, [fresh.id]), []);
    equal(await store.findReceipt('other', 'k'), null);
  });
}
