import { deepEqual, equal, rejects } from 'node:assert/strict';
import type { ListFilter } from '../../../src/model/filter.ts';
import type { RecordContent } from '../../../src/model/record.ts';
import { ACTOR, store as keep, nextId, put, SPACE, START } from './sample-records.ts';
import { type FullStore, headOf, type Promises } from './store-under-test.ts';

/** The contents of the records that pass, in the order of the listing. */
async function found(store: FullStore, filter: ListFilter): Promise<string[]> {
  const page = await store.listRecords(SPACE, { validAt: START, ...filter }, { limit: 50 });
  equal(page.total, page.items.length);
  return page.items.map(({ content }) => content);
}

async function keepAll(store: FullStore, contents: readonly Partial<RecordContent>[]): Promise<void> {
  for (const [i, content] of contents.entries())
    await keep(store, { content: `text ${i}`, createdAt: START - i, ...content });
}

export function promiseListing(promise: Promises): void {
  promise(
    'says when one of the records that pass was changed last, however old it is, deletions included',
    async (store) => {
      await keepAll(store, [
        { updatedAt: START },
        { updatedAt: START + 5 },
        { updatedAt: START + 9, project: 'other' },
      ]);
      equal(await store.lastChange(SPACE, { validAt: START, project: 'other' }), START + 9);
      const gone = await keep(store, { project: 'gone', updatedAt: START });
      headOf(await store.commit(SPACE, [{ op: 'delete', id: gone.id, at: START + 20 }], ACTOR));
      equal(await store.lastChange(SPACE, { project: 'gone' }), 0);
      equal(await store.lastChange(SPACE, { project: 'gone', deleted: 'include' }), START + 20);
    },
  );

  promise('lists newest first, then by id, and pages with a cursor', async (store) => {
    await keepAll(store, [{}, { createdAt: START - 1 }, { createdAt: START - 1 }, {}, {}]);
    const first = await store.listRecords(SPACE, {}, { limit: 2 });
    const second = await store.listRecords(SPACE, {}, { limit: 2, cursor: first.cursor });
    const third = await store.listRecords(SPACE, {}, { limit: 2, cursor: second.cursor });
    deepEqual(
      [first, second, third].map(({ items }) => items.map(({ content }) => content)),
      [['text 0', 'text 2'], ['text 1', 'text 3'], ['text 4']],
    );
    deepEqual(
      [first, second, third].map(({ total }) => total),
      [5, 5, 5],
    );
    equal(third.cursor, null);
  });

  promise('neither repeats nor skips a record when others come and go between two pages', async (store) => {
    await keepAll(store, [{}, {}, {}, {}]);
    const first = await store.listRecords(SPACE, {}, { limit: 2 });
    await keep(store, { content: 'newcomer', createdAt: START + 1 });
    headOf(await store.commit(SPACE, [{ op: 'purge', id: first.items[1]!.id }], ACTOR));
    const second = await store.listRecords(SPACE, {}, { limit: 2, cursor: first.cursor });
    deepEqual(
      second.items.map(({ content }) => content),
      ['text 2', 'text 3'],
    );
  });

  promise('skips as many as asked for', async (store) => {
    await keepAll(store, [{}, {}, {}]);
    const page = await store.listRecords(SPACE, {}, { limit: 1, offset: 1 });
    deepEqual([page.items[0]?.content, page.total], ['text 1', 3]);
    deepEqual((await store.listRecords(SPACE, {}, { limit: 1, offset: 9 })).items, []);
  });

  promise('says so when a cursor is not one of its own', async (store) => {
    for (const cursor of ['', 'rubbish', nextId(), `one.${nextId()}`, '1.no id']) {
      await rejects(store.listRecords(SPACE, {}, { limit: 1, cursor }), { code: 'invalid_cursor' });
    }
  });

  promise('filters by kind, type, project, agent, session, conversation, key and content hash', async (store) => {
    const labels = {
      kind: 'note',
      type: 'decision',
      project: 'p',
      agent: 'a',
      session: 's',
      conversation: 'c',
      key: 'k',
    } as const;
    await keepAll(store, [{ ...labels, content: 'labelled' }, {}]);
    const [labelled] = (await store.listRecords(SPACE, { key: 'k' }, { limit: 1 })).items;
    const filters: ListFilter[] = [
      { kinds: ['note', 'packet'] },
      { types: ['decision'] },
      { project: 'p' },
      { agent: 'a' },
      { session: 's' },
      { conversation: 'c' },
      { key: 'k' },
      { contentHash: labelled!.contentHash },
    ];
    for (const filter of filters) deepEqual(await found(store, filter), ['labelled'], JSON.stringify(filter));
    deepEqual(await found(store, { project: 'P' }), []);
    deepEqual(await found(store, { kinds: [], types: [], tags: [] }), ['labelled', 'text 1']);
  });

  promise('filters by any or all of several tags, every character literal', async (store) => {
    await keepAll(store, [
      { tags: ['a', 'b'] },
      { tags: ['b'] },
      { tags: ['100%', 'a b', 'x_y', "o'k", '"q"'] },
      { tags: ['100x', 'x-y'] },
    ]);
    deepEqual(await found(store, { tags: ['a', 'b'] }), ['text 0', 'text 1']);
    deepEqual(await found(store, { tags: ['a', 'b', 'a'], tagMatch: 'all' }), ['text 0']);
    for (const tag of ['100%', 'a b', 'x_y', "o'k", '"q"'])
      deepEqual(await found(store, { tags: [tag] }), ['text 2'], tag);
    deepEqual(await found(store, { tags: ['%'] }), []);
  });

  promise('finds a piece of the content in any case of any script, every character literal', async (store) => {
    await keepAll(store, [
      { content: 'Größe ÄÖÜ, 50% of ΟΔΟΣ' },
      { content: 'Москва [a-z]_* \\ "q"' },
      { content: '50x off' },
    ]);
    const [first, second] = ['Größe ÄÖÜ, 50% of ΟΔΟΣ', 'Москва [a-z]_* \\ "q"'];
    for (const contains of ['GRÖSSE', 'äöü', '50% ', 'οδος', 'ΔΟ'])
      deepEqual(await found(store, { contains }), [first], contains);
    for (const contains of ['МОСКВА', '[A-Z]_*', '\\ "Q"'])
      deepEqual(await found(store, { contains }), [second], contains);
    deepEqual(await found(store, { contains: '5_x' }), []);
  });

  promise('filters by time of creation: from, and before', async (store) => {
    await keepAll(store, [{}, {}, {}]);
    deepEqual(await found(store, { after: START - 1 }), ['text 0', 'text 1']);
    deepEqual(await found(store, { before: START - 1 }), ['text 2']);
    deepEqual(await found(store, { after: START - 1, before: START }), ['text 1']);
  });

  promise('filters by the least trust', async (store) => {
    await keepAll(store, [{ trust: 'untrusted' }, { trust: 'agent' }, { trust: 'user' }]);
    deepEqual(await found(store, { minTrust: 'agent' }), ['text 1', 'text 2']);
    deepEqual(await found(store, { minTrust: 'user' }), ['text 2']);
    equal((await found(store, { minTrust: 'untrusted' })).length, 3);
  });

  promise('leaves out superseded records and those outside their validity, unless asked for', async (store) => {
    await keepAll(store, [
      { supersededBy: nextId() },
      { validFrom: START + 1 },
      { validUntil: START },
      { validFrom: START, validUntil: START + 1, content: 'valid now' },
    ]);
    deepEqual(await found(store, {}), ['valid now']);
    deepEqual(await found(store, { validAt: START + 1 }), ['text 1']);
    equal((await found(store, { includeSuperseded: true })).length, 4);
  });

  promise('lists deleted records alone, too, or not at all', async (store) => {
    await keepAll(store, [{}, {}]);
    const [newest] = (await store.listRecords(SPACE, {}, { limit: 1 })).items;
    headOf(await store.commit(SPACE, [{ op: 'delete', id: newest!.id, at: START }], ACTOR));
    deepEqual(await found(store, {}), ['text 1']);
    deepEqual(await found(store, { deleted: 'only' }), ['text 0']);
    deepEqual(await found(store, { deleted: 'include' }), ['text 0', 'text 1']);
  });

  promise('finds what was neither created, changed nor read since an instant', async (store) => {
    await keepAll(store, [
      { updatedAt: START + 100 },
      { createdAt: START + 100 },
      {},
      { content: 'idle' },
      { content: 'read long ago' },
    ]);
    const [, , read, , old] = (await store.listRecords(SPACE, {}, { limit: 9 })).items;
    equal(read?.content, 'text 2');
    await store.recordReads(SPACE, [read!.id], START + 100);
    await store.recordReads(SPACE, [old!.id], START + 99);
    deepEqual(await found(store, { idleSince: START + 100 }), ['idle', 'read long ago']);
  });

  promise('finds words among very many contents, page by page and no further than asked', async (store) => {
    const changes = Array.from({ length: 1_050 }, (_, n) =>
      put({ content: n % 100 === 7 ? `needle ${n}` : `hay ${n}`, createdAt: START - Math.floor(n / 3) }),
    );
    headOf(await store.commit(SPACE, changes, ACTOR));
    const all = await store.listRecords(SPACE, { contains: 'NEEDLE' }, { limit: 50 });
    deepEqual(
      [all.total, all.items.length, all.cursor, all.items[0]?.content, all.items.at(-1)?.content],
      [11, 11, null, 'needle 7', 'needle 1007'],
    );
    for (const total of [true, false]) {
      const paged: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await store.listRecords(SPACE, { contains: 'needle' }, { limit: 4, cursor, total });
        equal(page.total, total ? 11 : 0);
        paged.push(...page.items.map(({ content }) => content));
        cursor = page.cursor;
      }
      deepEqual(
        paged,
        all.items.map(({ content }) => content),
      );
    }
    const [third] = (await store.listRecords(SPACE, { contains: 'needle' }, { limit: 1, offset: 2 })).items;
    equal(third?.content, all.items[2]?.content);
  });

  promise('counts labels of live records, most frequent first', async (store) => {
    await keepAll(store, [
      { tags: ['a', 'b'], project: 'p' },
      { tags: ['b'], agent: 'x' },
      { tags: ['c'], type: 'decision' },
    ]);
    const [, , last] = (await store.listRecords(SPACE, {}, { limit: 3 })).items;
    headOf(await store.commit(SPACE, [{ op: 'delete', id: last!.id, at: START }], ACTOR));
    deepEqual(await store.countLabels(SPACE, 'tag'), [
      { value: 'b', count: 2 },
      { value: 'a', count: 1 },
    ]);
    deepEqual(await store.countLabels(SPACE, 'type'), [{ value: 'note', count: 2 }]);
    deepEqual(await store.countLabels(SPACE, 'project'), [{ value: 'p', count: 1 }]);
    deepEqual(await store.countLabels(SPACE, 'agent'), [{ value: 'x', count: 1 }]);
    deepEqual(await store.countLabels(SPACE, 'kind'), [{ value: 'memory', count: 2 }]);
  });
}
