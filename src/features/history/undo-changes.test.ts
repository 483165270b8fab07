import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { engineError, makeCaller, openTestEngine } from '../../../test/open-test-engine.ts';
import type { Engine } from '../../engine/engine.ts';
import { ownerOf } from '../../model/caller.ts';

const me = makeCaller();
const person = makeCaller('cli');

async function open(t: TestContext) {
  const opened = await openTestEngine(t);
  const { engine, store } = opened;
  const keep = async (content: string, more = {}): Promise<string> => {
    opened.clock.run(1000);
    const stored = await engine.storeMemory(me, { content, ...more });
    assert.equal(stored.outcome, 'stored');
    return stored.memory.id;
  };
  const head = () => store.head('owner');
  const textOf = async (ref: string) => (await engine.getMemories(me, { refs: [ref] })).memories[0]?.content ?? null;
  return { ...opened, keep, head, textOf };
}

/** What somebody sees of a space, apart from numbers that only go up. */
async function picture(engine: Engine): Promise<unknown> {
  const { items } = await engine.listMemories(me, { page: { limit: 1000 } });
  const { relations } = await engine.listRelations(me, { limit: 1000 });
  return [
    items.map(({ revision: _, ...memory }) => memory).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    relations.map(({ from, to, type, confidence }) => [from, to, type, confidence]),
  ];
}

describe('undo', () => {
  test('the last commit of the caller is undone without a number, and undoing that brings it back', async (t) => {
    const { engine, keep, textOf, clock } = await open(t);
    const id = await keep('The port is 8080');
    clock.run(1000);
    await engine.updateMemory(me, { ref: id, content: 'The port is 9090' });
    clock.run(1000);
    const done = await engine.undoChanges(me, {});
    assert.deepEqual([done.outcome, done.changes[0]?.what], ['undone', 'reverted']);
    assert.equal(await textOf(id), 'The port is 8080');
    clock.run(1000);
    await engine.undoChanges(me, {});
    assert.equal(await textOf(id), 'The port is 9090');
    const hits = await engine.search(me, { query: 'port 9090' });
    assert.equal(hits.hits[0]?.snippet, 'The port is 9090');
  });

  test('new, changed, superseded, deleted and restored records, and relations, go back to what they were', async (t) => {
    const { engine, keep, head, clock } = await open(t);
    const ids = await Promise.all(['one', 'two', 'three', 'four'].map((word) => keep(`What is known about ${word}`)));
    const [a, b, c, d] = ids as [string, string, string, string];
    await engine.relate(me, { from: a, to: b, type: 'causes', confidence: 0.5 });
    await engine.relate(me, { from: b, to: c, type: 'causes' });
    await engine.deleteMemories(me, { refs: [d] });
    clock.run(1000);
    const before = await picture(engine);
    const first = (await head()) + 1;
    await engine.updateMemory(me, { ref: a, content: 'Something else', tags: ['x'] });
    clock.run(1000);
    await engine.updateMemory(me, { ref: b, content: 'A newer version of two', versioned: true });
    await engine.unrelate(me, { from: b, to: c });
    await engine.deleteMemories(me, { refs: [c] });
    await engine.restoreMemories(me, [d]);
    await keep('Brand new');
    await engine.relate(me, { from: a, to: b, type: 'causes', confidence: 0.9 });
    await engine.relate(me, { from: a, to: d, type: 'fixes' });
    assert.notDeepEqual(await picture(engine), before);
    clock.run(1000);
    const shown = await engine.undoChanges(me, { first, last: await head(), dryRun: true });
    assert.equal(shown.outcome, 'would_undo');
    const done = await engine.undoChanges(me, { first, last: await head() });
    assert.deepEqual(done.left, []);
    assert.deepEqual(done.changes, shown.changes);
    assert.deepEqual(await picture(engine), before);
  });

  test('a batch is undone by its name, whatever others have written in between', async (t) => {
    const { engine, store, keep, textOf, clock } = await open(t);
    const [a, b] = [await keep('First'), await keep('Second')];
    const [summary, mine] = [await keep('To be replaced'), await keep('Mine')];
    const relation = { to: a, type: 'derived-from', weight: 1, body: {}, createdAt: clock.now() };
    await store.commit('owner', [{ op: 'relate', relation: { ...relation, from: summary } }], 'job:owner#run-1');
    await engine.updateMemory(me, { ref: mine, content: 'Mine, changed' });
    await store.commit('owner', [{ op: 'delete', id: b, at: clock.now() }], 'job:owner#run-1');
    const done = await engine.undoChanges(me, { batch: 'run-1' });
    assert.deepEqual(done.changes.map(({ what }) => what).toSorted(), ['restored', 'unrelated']);
    assert.equal(await textOf(b), 'Second');
    assert.equal(await textOf(mine), 'Mine, changed');
    assert.deepEqual((await engine.listRelations(me, {})).relations, []);
  });

  test('what was changed since is left alone and named', async (t) => {
    const { engine, keep, head, textOf } = await open(t);
    const id = await keep('one');
    await engine.updateMemory(me, { ref: id, content: 'two' });
    const seq = await head();
    await engine.updateMemory(me, { ref: id, content: 'three' });
    const { outcome, left } = await engine.undoChanges(me, { first: seq });
    assert.deepEqual([outcome, left], ['nothing', [{ id, reason: 'It was changed again since.' }]]);
    assert.equal(await textOf(id), 'three');
  });

  test('what was purged cannot come back, and a key that is taken is not taken away', async (t) => {
    const { engine, keep, head } = await open(t);
    const id = await keep('secret', { key: 'plan' });
    await engine.deleteMemories(me, { refs: [id] });
    const seq = await head();
    await keep('another plan', { key: 'plan' });
    const { left } = await engine.undoChanges(me, { first: seq });
    assert.match(left[0]!.reason, /key/);
    await engine.purgeMemories(me, [id]);
    assert.match((await engine.undoChanges(me, { first: await head() })).left[0]!.reason, /purged/);
  });

  test('an agent that undoes makes nothing more trusted', async (t) => {
    const { engine, keep, head } = await open(t);
    const id = await keep('from an agent');
    await engine.updateMemory(person, { ref: id, trust: 'untrusted' });
    await engine.undoChanges(me, { first: await head() });
    assert.equal((await engine.getMemories(me, { refs: [id] })).memories[0]?.trust, 'untrusted');
  });

  test('a member of a team undoes their own changes alone, and nobody undoes what the feed has forgotten', async (t) => {
    const { engine, store } = await open(t);
    const inTeam = (userId: string, role: 'owner' | 'member') =>
      makeCaller('rest', { userId, space: 'team', spaces: ['team'], roles: new Map([['team', role]]) });
    const [ada, bob] = [inTeam('ada', 'owner'), inTeam('bob', 'member')];
    assert.equal(ownerOf(['team']).get('team'), 'owner');
    await engine.storeMemory(ada, { content: 'by ada' });
    await assert.rejects(engine.undoChanges(bob, { first: 1 }), engineError('forbidden'));
    await engine.storeMemory(bob, { content: 'by bob' });
    assert.equal((await engine.undoChanges(bob, {})).outcome, 'undone');
    assert.equal((await engine.undoChanges(ada, { first: 1 })).outcome, 'undone');
    await store.pruneFeed('team', { upTo: 2, now: Date.now() });
    await assert.rejects(engine.undoChanges(ada, { first: 1 }), engineError('not_found', /feed/));
    await assert.rejects(engine.undoChanges(ada, { first: 4, last: 3 }), engineError('invalid_input'));
  });
});
