import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep, setImmediate as yieldTurn } from 'node:timers/promises';
import { engineError, makeCaller, makeClock, openTestEngine } from '../../test/open-test-engine.ts';
import { ownerOf } from '../model/caller.ts';
import { type FollowedChange, type FollowedPage, followChanges } from './follow-changes.ts';
import type { Store } from './ports.ts';

const callerOf = (userId: string, spaces = [userId]) =>
  makeCaller('mcp', { userId, space: userId, spaces, roles: ownerOf(spaces) });

async function take(pages: AsyncGenerator<FollowedPage>, count: number): Promise<FollowedChange[]> {
  const changes: FollowedChange[] = [];
  while (changes.length < count) {
    const { value, done } = await pages.next();
    if (done === true) break;
    changes.push(...value.changes);
  }
  return changes;
}

test('tells of every kind of write in order, from the moment it begins', async (t) => {
  const { engine } = await openTestEngine(t);
  const caller = makeCaller();
  await engine.storeMemory(caller, { content: 'written before' });
  const ending = new AbortController();
  const pages = engine.followChanges(caller, { signal: ending.signal });
  assert.deepEqual((await pages.next()).value.changes, []);
  const { memory } = (await engine.storeMemory(caller, { content: 'first' })) as { memory: { id: string } };
  await engine.updateMemory(caller, { ref: memory.id, tags: ['x'] });
  await engine.deleteMemories(caller, { refs: [memory.id] });
  await engine.restoreMemories(caller, [memory.id]);
  const changes = await take(pages, 4);
  assert.deepEqual(
    changes.map(({ entry }) => entry.op),
    ['created', 'updated', 'deleted', 'restored'],
  );
  assert.ok(changes.every(({ record }) => record?.id === memory.id));
  ending.abort();
  assert.equal((await pages.next()).done, true);
});

test('tells of what another process writes to the same file', async (t) => {
  const { engine, path } = await openTestEngine(t);
  const other = await openTestEngine(t, { path });
  const ending = new AbortController();
  const pages = engine.followChanges(makeCaller(), { signal: ending.signal });
  await pages.next();
  const waiting = take(pages, 1);
  await sleep(50);
  const stored = await other.engine.storeMemory(makeCaller(), { content: 'from elsewhere' });
  const [change] = await waiting;
  assert.equal(change?.record?.id, stored.outcome === 'stored' ? stored.memory.id : '');
  ending.abort();
  await pages.next();
});

test('goes on from a position, without a gap and without repeating', async (t) => {
  const { engine } = await openTestEngine(t);
  const caller = makeCaller();
  const first = engine.followChanges(caller, { signal: AbortSignal.abort() });
  const start = ((await first.next()).value as FollowedPage).positions;
  await engine.storeMemories(
    caller,
    Array.from({ length: 250 }, (_, i) => ({ content: `memory ${i}`, onDuplicate: 'store' as const })),
  );
  const ending = new AbortController();
  const pages = engine.followChanges(caller, { signal: ending.signal, after: start });
  const changes = await take(pages, 250);
  assert.deepEqual(
    changes.map(({ entry }) => entry.seq),
    Array.from({ length: 250 }, (_, i) => i + 1),
  );
  ending.abort();
  await pages.next();
});

test('shows the spaces of the caller and no others, whatever positions are named', async (t) => {
  const { engine } = await openTestEngine(t);
  const [ada, eve] = [callerOf('ada', ['ada', 'crew']), callerOf('eve')];
  await engine.storeMemory(ada, { content: 'the canary of ada' });
  const ending = new AbortController();
  const pages = engine.followChanges(eve, {
    signal: ending.signal,
    after: new Map([
      ['ada', 0],
      ['eve', 0],
    ]),
  });
  await pages.next();
  await engine.storeMemory(ada, { content: 'another canary' });
  await engine.storeMemory({ ...ada, space: 'crew' }, { content: 'a canary of the crew' });
  await engine.storeMemory(eve, { content: 'a note of eve' });
  const [change] = await take(pages, 1);
  assert.deepEqual([change?.space, change?.record?.content], ['eve', 'a note of eve']);
  ending.abort();
  await pages.next();
});

test('needs the right to read', async (t) => {
  const { engine } = await openTestEngine(t);
  const pages = engine.followChanges(makeCaller('mcp', { scopes: new Set(['write'] as const) }), {
    signal: AbortSignal.abort(),
  });
  await assert.rejects(pages.next(), engineError('forbidden'));
});

test('a position past the end starts from now, and says so', async (t) => {
  const { engine } = await openTestEngine(t);
  const caller = makeCaller();
  const ending = new AbortController();
  const pages = engine.followChanges(caller, { signal: ending.signal, after: new Map([['owner', 1_000_000]]) });
  assert.deepEqual((await pages.next()).value?.reset, ['owner']);
  await engine.storeMemory(caller, { content: 'seen all the same' });
  assert.equal((await take(pages, 1))[0]?.record?.content, 'seen all the same');
  ending.abort();
  await pages.next();
});

test('of a thousand who follow one space, a hint that got lost costs one look, and all of them are told', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { engine, store } = await openTestEngine(t);
  let looks = 0;
  const deaf: Store = {
    ...store,
    watch: () => () => {},
    head: (space) => {
      looks += 1;
      return store.head(space);
    },
  };
  const ending = new AbortController();
  const all = Array.from({ length: 1000 }, () =>
    followChanges({ store: deaf, clock: makeClock() }, makeCaller(), { signal: ending.signal }),
  );
  for (const pages of all) await pages.next();
  const told = all.map((pages) => take(pages, 1));
  for (let i = 0; i < 3; i++) await nextTurn(() => t.mock.timers.tick(5000));
  assert.ok(looks < 1010, `${looks - 1000} looks in fifteen seconds`);
  await engine.storeMemory(makeCaller(), { content: 'without a hint' });
  await nextTurn(() => t.mock.timers.tick(5000));
  assert.equal((await Promise.all(told)).flat().length, 1000);
  ending.abort();
  for (const pages of all) await pages.next();
  const before = looks;
  await nextTurn(() => t.mock.timers.tick(20_000));
  assert.equal(looks, before, 'nobody follows any more');
});

test('what a thousand wait for is read a few times, and others have their turn while they are told', async (t) => {
  const { engine, store } = await openTestEngine(t);
  let reads = 0;
  const counting: Store = {
    ...store,
    changesAfter: (...args) => {
      reads += 1;
      return store.changesAfter(...args);
    },
  };
  const ending = new AbortController();
  const all = Array.from({ length: 1000 }, () =>
    followChanges({ store: counting, clock: makeClock() }, makeCaller(), { signal: ending.signal }),
  );
  for (const pages of all) await pages.next();
  let told = 0;
  const waiting = all.map((pages) => take(pages, 2).finally(() => told++));
  await nextTurn(() => {});
  reads = 0; // each of them has looked once whether something came while it began
  await engine.storeMemory(makeCaller(), { content: 'first' });
  await yieldTurn();
  assert.ok(told < 500, `${told} of a thousand were told in one go`);
  await engine.storeMemory(makeCaller(), { content: 'second' });
  for (const changes of await Promise.all(waiting))
    assert.deepEqual(
      changes.map(({ record }) => record?.content),
      ['first', 'second'],
    );
  assert.ok(reads < 100, `the feed was read ${reads} times`);
  ending.abort();
  await Promise.all(all.map((pages) => pages.next()));
});

test('a reader that has fallen behind what is kept of the feed is told so, and follows from now on', async (t) => {
  const { engine, store, clock } = await openTestEngine(t, { settings: { keptChanges: 20, flushPassages: 10 } });
  const caller = makeCaller();
  for (let i = 0; i < 60; i++) await engine.storeMemory(caller, { content: `number ${i}`, onDuplicate: 'store' });
  await engine.runUpkeep();
  assert.equal(await store.prunedTo('owner'), 40);
  const first = async (after: number) => {
    const ending = new AbortController();
    const pages = engine.followChanges(caller, { after: new Map([['owner', after]]), signal: ending.signal });
    const { value } = await pages.next();
    ending.abort();
    return value?.reset;
  };
  assert.deepEqual(await first(39), ['owner']);
  assert.deepEqual(await first(40), []);
  assert.deepEqual(await first(60), []);
  assert.deepEqual(
    (await engine.listChanges(caller, { after: 0, limit: 5 })).map(({ seq }) => seq),
    [41, 42, 43, 44, 45],
  );
  await assert.rejects(engine.listChanges(caller, { after: 12, limit: 5 }), { code: 'invalid_cursor' });
  assert.equal((await engine.examine(caller, {})).sound, true);
  assert.equal((await engine.search(caller, { query: 'number 7', mode: 'exact' })).total, 1);
  await store.keepPlace('owner', 'slow', { seq: 45, until: clock.now() + 1000 });
  for (let i = 60; i < 90; i++) await engine.storeMemory(caller, { content: `number ${i}`, onDuplicate: 'store' });
  await engine.runUpkeep();
  assert.equal(await store.prunedTo('owner'), 45, 'nothing that a known reader wants is gone');
  clock.run(2000);
  await engine.storeMemory(caller, { content: 'one more', onDuplicate: 'store' });
  await engine.runUpkeep();
  assert.ok((await store.prunedTo('owner')) > 45, 'a reader that is gone holds nothing up');
});

test('a reader that is overtaken while it follows is told so on the way', async (t) => {
  const { engine, store, clock } = await openTestEngine(t);
  const caller = makeCaller();
  for (let i = 0; i < 250; i++) await engine.storeMemory(caller, { content: `number ${i}`, onDuplicate: 'store' });
  const ending = new AbortController();
  const pages = engine.followChanges(caller, { after: new Map([['owner', 0]]), signal: ending.signal });
  await pages.next();
  assert.equal((await pages.next()).value?.changes.length, 100);
  const later = clock.now() + 3_600_000;
  assert.equal(await store.pruneFeed('owner', { upTo: 230, now: clock.now() }), 100, 'what it has not read is kept');
  await store.pruneFeed('owner', { upTo: 230, now: later });
  const { value } = await pages.next();
  assert.deepEqual([value?.changes.length, value?.reset, value?.positions.get('owner')], [0, ['owner'], 250]);
  ending.abort();
});

/** What was begun has been answered by then: the store answers within a few turns. */
async function nextTurn(begin: () => void): Promise<void> {
  begin();
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
}
