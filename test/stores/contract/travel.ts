import { deepEqual, equal, ok } from 'node:assert/strict';
import { type HeldRecord, stateOf } from '../../../src/model/held-record.ts';
import type { RecordId, SpaceId } from '../../../src/model/ids.ts';
import { planTake } from '../../../src/model/plan-take.ts';
import { hashContent, type StoredRecord } from '../../../src/model/record.ts';
import { isDeleted, listTexts, type SharedState } from '../../../src/model/shared-state.ts';
import { ACTOR, change, store as keep, put, SPACE, START } from './sample-records.ts';
import { type FullStore, headOf, type Promises } from './store-under-test.ts';

/** Another space of the same database, as another replica. */
const OTHER = 'other';
const OTHER_REPLICA = 'b0b0b0b0b0b0b0b0';

async function openOther(store: FullStore): Promise<void> {
  headOf(await store.commit(OTHER, [put()], ACTOR));
  headOf(await store.commit(OTHER, [{ op: 'renew', replica: OTHER_REPLICA, epoch: 'e' }], ACTOR));
}

async function held(store: FullStore, space: SpaceId, id: RecordId): Promise<HeldRecord> {
  return (await store.readHeld(space, [id]))[0]!;
}

async function stateIn(store: FullStore, space: SpaceId, id: RecordId): Promise<SharedState> {
  return stateOf(await held(store, space, id))!;
}

async function recordIn(store: FullStore, space: SpaceId, id: RecordId): Promise<StoredRecord> {
  return (await store.getRecords(space, [id]))[0]!;
}

/** What `from` holds of these, merged into `to`. */
async function bring(store: FullStore, from: SpaceId, to: SpaceId, ...ids: readonly RecordId[]): Promise<void> {
  for (const id of ids) {
    const [theirs, ours] = [await held(store, from, id), await held(store, to, id)];
    const graves = await store.listGraves(to, null, 100);
    const { changes } = planTake(
      ours,
      { ...theirs, state: stateOf(theirs) },
      {
        isBuried: (of, generation) => graves.some((grave) => grave.id === of && grave.generation >= generation),
        derive: (content) => ({ ...content, contentHash: hashContent(content.content) }),
        listPassages: ({ content }) => [{ ordinal: 0, text: content }],
        now: START + 1000,
      },
    );
    if (changes.length > 0) headOf(await store.commit(to, changes, 'sync:test'));
  }
}

async function swap(store: FullStore, ...ids: readonly RecordId[]): Promise<void> {
  await bring(store, SPACE, OTHER, ...ids);
  await bring(store, OTHER, SPACE, ...ids);
}

async function expectSame(store: FullStore, ...ids: readonly RecordId[]): Promise<void> {
  for (const id of ids) {
    const here = await held(store, SPACE, id);
    const there = await held(store, OTHER, id);
    deepEqual([stateOf(here), here.buried], [stateOf(there), there.buried]);
  }
  deepEqual((await store.verify()).database, []);
  deepEqual((await store.verify()).damaged, []);
}

export function promiseTravel(promise: Promises): void {
  promise('stamps each write with its dot, part by part', async (store) => {
    const { replica } = await store.readReplica(SPACE);
    const dot = (n: number) => `${replica}:${n}`;
    const record = await keep(store, { tags: ['a'], body: { metadata: { x: 1 } } });
    equal((await held(store, SPACE, record.id)).stamps, null);
    const labelled = change(record, { tags: ['b'], type: 'decision', body: { metadata: { y: 2 } } });
    headOf(await store.commit(SPACE, [labelled], ACTOR));
    headOf(await store.commit(SPACE, [{ op: 'delete', id: record.id, at: START }], ACTOR));
    const { seen, parts, fields } = await stateIn(store, SPACE, record.id);
    deepEqual(seen, { [replica]: 3 });
    deepEqual(
      Object.entries(parts)
        .map(([name, some]) => [name, ...Object.keys(some)])
        .sort(),
      [
        ['deletion', dot(3)],
        ['tag b', dot(2)],
        ['text', dot(1)],
      ],
    );
    deepEqual(
      ['type', 'project', 'metadata x', 'metadata y'].map((name) => [fields[name]?.dot, fields[name]?.value]),
      [
        [dot(2), 'decision'],
        [dot(1), null],
        [dot(2), undefined],
        [dot(2), 2],
      ],
    );
    headOf(await store.commit(SPACE, [{ op: 'restore', id: record.id, at: START }], ACTOR));
    const restored = await stateIn(store, SPACE, record.id);
    deepEqual([isDeleted(restored), listTexts(restored).map((text) => text.dot)], [false, [dot(4)]]);
  });

  promise(
    'takes in what another replica made of a record, with its versions, and gives back its own',
    async (store) => {
      await openOther(store);
      const first = await keep(store, { content: 'first', tags: ['x'] });
      headOf(await store.commit(SPACE, [change(first, { content: 'second' })], ACTOR));
      await swap(store, first.id);
      await expectSame(store, first.id);
      const there = await recordIn(store, OTHER, first.id);
      deepEqual([there.content, there.tags, there.generation], ['second', ['x'], 1]);
      equal((await store.listVersions(OTHER, first.id))[0]?.record.content, 'first');
      headOf(await store.commit(OTHER, [change(there, { content: 'third', tags: ['x', 'y'] })], ACTOR));
      await swap(store, first.id);
      await expectSame(store, first.id);
      const back = await recordIn(store, SPACE, first.id);
      deepEqual([back.content, back.tags], ['third', ['x', 'y']]);
      deepEqual((await store.listVersions(SPACE, first.id)).map(({ record }) => record.content).sort(), [
        'first',
        'second',
      ]);
    },
  );

  promise('keeps both texts where two replicas wrote one without knowing of the other', async (store) => {
    await openOther(store);
    const record = await keep(store, { content: 'one' });
    await swap(store, record.id);
    headOf(await store.commit(SPACE, [change(await recordIn(store, SPACE, record.id), { content: 'here' })], ACTOR));
    headOf(await store.commit(OTHER, [change(await recordIn(store, OTHER, record.id), { content: 'there' })], ACTOR));
    await swap(store, record.id);
    await swap(store, record.id);
    await expectSame(store, record.id);
    deepEqual(
      listTexts(await stateIn(store, SPACE, record.id))
        .map(({ content }) => content)
        .sort(),
      ['here', 'there'],
    );
    headOf(await store.commit(SPACE, [change(await recordIn(store, SPACE, record.id), { content: 'both' })], ACTOR));
    await swap(store, record.id);
    await expectSame(store, record.id);
    deepEqual(
      listTexts(await stateIn(store, OTHER, record.id)).map(({ content }) => content),
      ['both'],
    );
  });

  promise('lets a purge and a deletion travel, and nothing come back', async (store) => {
    await openOther(store);
    const [purged, deleted] = [await keep(store), await keep(store, { content: 'other' })];
    await swap(store, purged.id, deleted.id);
    headOf(await store.commit(SPACE, [{ op: 'purge', id: purged.id }], ACTOR));
    headOf(await store.commit(SPACE, [{ op: 'delete', id: deleted.id, at: START }], ACTOR));
    await bring(store, OTHER, SPACE, purged.id, deleted.id);
    await swap(store, purged.id, deleted.id);
    await expectSame(store, purged.id, deleted.id);
    equal(await recordIn(store, OTHER, purged.id), undefined);
    equal((await recordIn(store, OTHER, deleted.id)).deletedAt, START + 1000);
  });

  promise(
    'lets the text of a record go that was deleted long ago, and takes it back when somebody restores it',
    async (store) => {
      await openOther(store);
      const record = await keep(store, { content: 'old', tags: ['x'] });
      await swap(store, record.id);
      headOf(await store.commit(SPACE, [{ op: 'delete', id: record.id, at: START }], ACTOR));
      await swap(store, record.id);
      headOf(await store.commit(SPACE, [{ op: 'expire', id: record.id }], ACTOR));
      equal(await recordIn(store, SPACE, record.id), undefined);
      ok(!(await held(store, SPACE, record.id)).stamps?.includes('old'));
      await swap(store, record.id);
      equal((await recordIn(store, OTHER, record.id)).content, 'old');
      headOf(await store.commit(OTHER, [{ op: 'restore', id: record.id, at: START }], ACTOR));
      await swap(store, record.id);
      await expectSame(store, record.id);
      const back = await recordIn(store, SPACE, record.id);
      deepEqual([back.content, back.tags, back.deletedAt], ['old', ['x'], null]);
    },
  );

  promise('brings relations along, also before the record where they end, and takes them away again', async (store) => {
    await openOther(store);
    const [from, to] = [await keep(store), await keep(store, { content: 'end' })];
    const relation = { from: from.id, to: to.id, type: 'about', weight: 0.5, body: { why: 'x' }, createdAt: START };
    headOf(await store.commit(SPACE, [{ op: 'relate', relation }], ACTOR));
    await bring(store, SPACE, OTHER, from.id);
    deepEqual(await store.listRelations(OTHER, [from.id]), []);
    await bring(store, SPACE, OTHER, to.id);
    deepEqual(await store.listRelations(OTHER, [from.id]), [relation]);
    await expectSame(store, from.id, to.id);
    headOf(await store.commit(OTHER, [{ op: 'unrelate', from: from.id, to: to.id, type: 'about' }], ACTOR));
    await swap(store, from.id, to.id);
    deepEqual(await store.listRelations(SPACE, [from.id]), []);
    await expectSame(store, from.id, to.id);
    headOf(await store.commit(SPACE, [{ op: 'relate', relation }], ACTOR));
    await swap(store, from.id, to.id);
    headOf(await store.commit(OTHER, [{ op: 'purge', id: to.id }], ACTOR));
    await swap(store, from.id, to.id);
    await expectSame(store, from.id, to.id);
    ok(!JSON.stringify(await held(store, SPACE, from.id)).includes('why'));
  });

  promise('shares a key that two replicas gave: the smallest id holds it, and gives it back', async (store) => {
    await openOther(store);
    const [low, high] = [put({ key: 'plan', content: 'low' }), put({ key: 'plan', content: 'high' })];
    headOf(await store.commit(SPACE, [high], ACTOR));
    headOf(await store.commit(OTHER, [low], ACTOR));
    await swap(store, low.id, high.id);
    await expectSame(store, low.id, high.id);
    for (const space of [SPACE, OTHER])
      deepEqual(
        (await store.getRecords(space, [low.id, high.id])).map(({ key }) => key),
        ['plan', `plan~${high.id}`],
      );
    headOf(await store.commit(SPACE, [{ op: 'delete', id: low.id, at: START }], ACTOR));
    headOf(await store.commit(SPACE, [{ op: 'link', name: 'far', state: { at: 1 } }], ACTOR));
    equal((await recordIn(store, SPACE, high.id)).key, 'plan');
    deepEqual(await store.listLinks(SPACE), [{ name: 'far', state: { at: 1 } }]);
  });

  promise('refuses what was merged with another state than the one that is here by now', async (store) => {
    await openOther(store);
    const record = await keep(store);
    await swap(store, record.id);
    const [theirs, ours] = [await held(store, SPACE, record.id), await held(store, OTHER, record.id)];
    const around = {
      isBuried: () => false,
      derive: <C>(content: C) => content,
      listPassages: () => [],
      now: START,
    };
    headOf(await store.commit(SPACE, [change(record, { content: 'next' })], ACTOR));
    const late = planTake(
      ours,
      { ...(await held(store, SPACE, record.id)), state: await stateIn(store, SPACE, record.id) },
      around,
    );
    headOf(await store.commit(OTHER, [change(await recordIn(store, OTHER, record.id), { tags: ['new'] })], ACTOR));
    const committed = await store.commit(OTHER, late.changes, 'sync:test');
    equal(committed.outcome === 'conflict' && committed.conflict.reason, 'revision');
    ok(theirs.record !== null);
  });
}
