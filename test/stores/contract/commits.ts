import { deepEqual, equal } from 'node:assert/strict';
import {
  ACTOR,
  change,
  getOne,
  store as keep,
  nextId,
  put,
  SPACE,
  START,
  sampleContent,
  vector,
} from './sample-records.ts';
import { headOf, type Promises } from './store-under-test.ts';

export function promiseCommits(promise: Promises): void {
  promise('gives a record back with every field as it was stored', async (store) => {
    const content = sampleContent({
      key: 'build/node',
      type: 'decision',
      title: 'Node – версия',
      content: 'Zeile 1\nZeile 2 "quoted" \u{1F980} 認証エラー \u0301',
      tags: ['z last', 'a first', '100%', 'under_score'],
      project: 'ltm',
      agent: 'codex',
      session: 's-1',
      conversation: 'c-1',
      source: { door: 'mcp', userId: 'owner', client: 'codex/1.0', host: 'laptop' },
      trust: 'agent',
      quality: 0.875,
      createdAt: START - 86_400_000,
      validFrom: START,
      validUntil: START + 1,
      supersededBy: nextId(),
      body: { metadata: { nested: { list: [1, 2.5, null, true, 'x'] } } },
    });
    const record = await keep(store, content);
    const { replica } = await store.inspect(SPACE);
    const given = { space: SPACE, id: record.id, revision: 1, deletedAt: null, generation: 1, dot: `${replica}:1` };
    deepEqual(record, { ...content, ...given });
  });

  promise('counts the revision up with every change and tells it', async (store) => {
    const first = await keep(store);
    equal(first.revision, 1);
    const committed = await store.commit(SPACE, [change(first, { type: 'decision' })], ACTOR);
    deepEqual(committed, { outcome: 'committed', head: 2, revisions: new Map([[first.id, 2]]) });
    equal((await getOne(store, first.id)).type, 'decision');
  });

  promise('refuses a new record whose id is taken', async (store) => {
    const { id } = await keep(store);
    deepEqual(await store.commit(SPACE, [put({ content: 'other' }, { id })], ACTOR), {
      outcome: 'conflict',
      conflict: { reason: 'exists', index: 0, id },
    });
  });

  promise('refuses to change a record that is not there', async (store) => {
    const id = nextId();
    const committed = await store.commit(SPACE, [put({}, { id, expect: 1 })], ACTOR);
    deepEqual(committed, { outcome: 'conflict', conflict: { reason: 'missing', index: 0, id } });
  });

  promise('refuses a change made from an old revision and names the actual one', async (store) => {
    const first = await keep(store);
    headOf(await store.commit(SPACE, [change(first, { content: 'second' })], ACTOR));
    const committed = await store.commit(SPACE, [change(first, { content: 'third' })], ACTOR);
    deepEqual(committed, { outcome: 'conflict', conflict: { reason: 'revision', index: 0, id: first.id, actual: 2 } });
    equal((await getOne(store, first.id)).content, 'second');
  });

  promise('applies nothing of a commit when one change is in the way, and says which', async (store) => {
    const taken = await keep(store);
    const fresh = put({ content: 'fresh' });
    const committed = await store.commit(SPACE, [fresh, put({}, { id: taken.id }), put({ content: 'later' })], ACTOR);
    deepEqual(committed, { outcome: 'conflict', conflict: { reason: 'exists', index: 1, id: taken.id } });
    deepEqual(await store.getRecords(SPACE, [fresh.id]), []);
    equal(await store.head(SPACE), 1);
  });

  promise('leaves no trace of a space whose only commit was refused', async (store) => {
    await store.commit('elsewhere', [{ op: 'delete', id: nextId(), at: START }], ACTOR);
    deepEqual(await store.listSpaces(), []);
  });

  promise(
    'refuses the same text of one kind and project when asked to, and names the one that is there',
    async (store) => {
      const { id } = await keep(store, { project: 'a' });
      const committed = await store.commit(SPACE, [put({ project: 'a' }, { unlessDuplicate: true })], ACTOR);
      deepEqual(committed, { outcome: 'conflict', conflict: { reason: 'duplicate', index: 0, id } });
    },
  );

  promise('refuses the same text twice without a project too', async (store) => {
    await keep(store);
    equal((await store.commit(SPACE, [put({}, { unlessDuplicate: true })], ACTOR)).outcome, 'conflict');
  });

  promise('takes the same text of another project, another kind, a superseded or a deleted record', async (store) => {
    await keep(store, { project: 'a' });
    await keep(store, { kind: 'note' });
    await keep(store, { supersededBy: nextId() });
    const deleted = await keep(store);
    headOf(await store.commit(SPACE, [{ op: 'delete', id: deleted.id, at: START }], ACTOR));
    headOf(await store.commit(SPACE, [put({}, { unlessDuplicate: true })], ACTOR));
  });

  promise('does not take a record for a duplicate of itself', async (store) => {
    const record = await keep(store);
    headOf(await store.commit(SPACE, [change(record, { tags: ['new'] }, { unlessDuplicate: true })], ACTOR));
  });

  promise('keeps a key unique among the live records of one kind and project', async (store) => {
    const { id } = await keep(store, { key: 'k' });
    const committed = await store.commit(SPACE, [put({ key: 'k', content: 'other' })], ACTOR);
    deepEqual(committed, { outcome: 'conflict', conflict: { reason: 'key_taken', index: 0, id } });
    headOf(await store.commit(SPACE, [put({ key: 'k', project: 'p' }), put({ key: 'k', kind: 'note' })], ACTOR));
    headOf(await store.commit(SPACE, [{ op: 'delete', id, at: START }, put({ key: 'k', content: 'heir' })], ACTOR));
  });

  promise('lets a change take the key that an earlier one of the same commit gave up', async (store) => {
    const old = await keep(store, { key: 'k' });
    const heir = put({ key: 'k', content: 'heir' });
    headOf(await store.commit(SPACE, [change(old, { key: null, supersededBy: heir.id }), heir], ACTOR));
    equal((await getOne(store, heir.id)).key, 'k');
  });

  promise('keeps the state before a change as a version, newest first, with the reason', async (store) => {
    const first = await keep(store, { tags: ['one'], body: { metadata: { a: 1 } } });
    headOf(await store.commit(SPACE, [change(first, { content: 'second', tags: ['two'] }, { reason: 'typo' })], ACTOR));
    const second = await getOne(store, first.id);
    headOf(await store.commit(SPACE, [change(second, { content: 'third' })], ACTOR));
    const versions = await store.listVersions(SPACE, first.id);
    deepEqual(
      versions.map(({ record, reason }) => ({ record, reason })),
      [
        { record: second, reason: null },
        { record: first, reason: 'typo' },
      ],
    );
    equal(typeof versions[0]?.replacedAt, 'number');
  });

  promise(
    'keeps the vectors of a passage whose text a change leaves as it was, and drops the others',
    async (store) => {
      const passages = [
        { ordinal: 0, text: 'stays' },
        { ordinal: 1, text: 'goes' },
        { ordinal: 2, text: 'vanishes' },
      ];
      const record = await keep(store, {}, { passages, vectors: [vector(0), vector(1), vector(2)] });
      headOf(
        await store.commit(
          SPACE,
          [change(record, {}, { passages: [passages[0]!, { ordinal: 1, text: 'new' }] })],
          ACTOR,
        ),
      );
      const [entry] = await store.readIndexEntries(SPACE, [record.id]);
      deepEqual(entry?.passages, [passages[0], { ordinal: 1, text: 'new' }]);
      deepEqual(entry?.vectors, [vector(0)]);
    },
  );

  promise('knows a passage by its text wherever in the content it lies, before and after a change', async (store) => {
    const first = 'The first piece.';
    const second = 'The second piece, ß𐐀.';
    const passages = [
      { ordinal: 0, text: first },
      { ordinal: 1, text: second },
      { ordinal: 2, text: 'Of its own.' },
    ];
    const vectors = [vector(0), vector(1), vector(2)];
    const record = await keep(store, { content: `${first}\n\n${second}` }, { passages, vectors });
    const [before] = await store.readIndexEntries(SPACE, [record.id]);
    deepEqual([before?.passages, before?.damaged], [passages, undefined]);
    const changed = `${'x'.repeat(100)} ${second} ${first}`;
    const moved = passages.with(0, { ordinal: 0, text: 'x'.repeat(100) });
    headOf(await store.commit(SPACE, [change(record, { content: changed }, { passages: moved })], ACTOR));
    const [after] = await store.readIndexEntries(SPACE, [record.id]);
    deepEqual([after?.passages, after?.damaged], [moved, undefined]);
    deepEqual(after?.vectors, [vector(1), vector(2)]);
    deepEqual(await store.readPassages(SPACE, [record.id]), new Map([[record.id, moved]]));
    deepEqual((await store.verify()).damaged, []);
  });

  promise('answers each of many commits made at once by itself: a conflict of one fails no other', async (store) => {
    const taken = await keep(store);
    const changes = Array.from({ length: 60 }, (_, i) =>
      i % 3 === 0 ? put({}, { id: taken.id }) : put({ content: `text ${i}` }),
    );
    const outcomes = await Promise.all(changes.map((one) => store.commit(SPACE, [one], ACTOR)));
    deepEqual(
      outcomes.map(({ outcome }) => outcome),
      changes.map(({ id }) => (id === taken.id ? 'conflict' : 'committed')),
    );
    const heads = outcomes.filter((one) => one.outcome === 'committed').map((one) => one.head);
    deepEqual(
      heads,
      heads.map((_, i) => i + 2),
    );
    equal((await store.listRecords(SPACE, {}, { limit: 100 })).total, 41);
  });

  promise('answers an empty commit with the head', async (store) => {
    await keep(store);
    deepEqual(await store.commit(SPACE, [], ACTOR), { outcome: 'committed', head: 1, revisions: new Map() });
  });

  promise('keeps spaces apart: the same id lives in each on its own', async (store) => {
    const { id } = await keep(store, { content: 'mine', tags: ['mine'] });
    headOf(await store.commit('other', [put({ content: 'theirs' }, { id })], ACTOR));
    equal((await getOne(store, id)).content, 'mine');
    equal((await store.getRecords('other', [id]))[0]?.content, 'theirs');
    deepEqual(await store.countLabels('other', 'tag'), []);
    equal(await store.head('other'), 1);
    headOf(await store.commit('other', [{ op: 'purge', id }], ACTOR));
    equal((await getOne(store, id)).content, 'mine');
    deepEqual(await store.listSpaces(), ['other', SPACE]);
  });
}
