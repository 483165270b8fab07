import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Engine } from '../../src/engine/engine.ts';
import { openAgeingEngine } from '../open-ageing-engine.ts';
import { DAY, makeCaller, START } from '../open-test-engine.ts';

const person = makeCaller('cli');
const agent = makeCaller('mcp');
const FIRED = ['glaze', 'clay', 'wheel', 'bowl', 'mug', 'plate', 'vase', 'tile'];

/** Eight memories and the summary that a run made of them. */
async function summarise(t: TestContext) {
  const opened = await openAgeingEngine(t);
  const { engine, clock, store } = opened;
  const sources: string[] = [];
  for (const word of FIRED)
    sources.push(await store(`The pottery class fired the kiln for a ${word} on Monday evening.`, { tags: ['kiln'] }));
  await store('Deploys need a green build and two reviews.');
  clock.run(10 * DAY);
  const { summaries } = await engine.consolidate(person, { horizon: 'monthly' });
  const [made] = summaries.made;
  assert.ok(made !== undefined);
  return { ...opened, sources, summary: made.id };
}

const isThere = async (engine: Engine, id: string) =>
  (await engine.getMemories(person, { refs: [id] })).memories.length === 1;

/** Every way in which a source says so no more. */
const WAYS: Readonly<Record<string, (engine: Engine, id: string) => Promise<unknown>>> = {
  deleted: (engine, id) => engine.deleteMemories(person, { refs: [id] }),
  'deleted by a filter': (engine) => engine.deleteMemories(person, { filter: { tags: ['kiln'] } }),
  'deleted forever': (engine, id) => engine.deleteMemories(person, { refs: [id], forever: true }),
  purged: (engine, id) => engine.purge(person, { refs: [id] }),
  rejected: (engine, id) => engine.rejectMemories(person, { refs: [id] }),
  corrected: (engine, ref) => engine.updateMemory(agent, { ref, content: 'The kiln stayed cold.' }),
  'replaced by a version': (engine, ref) =>
    engine.updateMemory(agent, { ref, content: 'The kiln stayed cold.', versioned: true }),
  'ended in the past': (engine, ref) => engine.updateMemory(person, { ref, validUntil: START }),
  async 'contradicted and resolved'(engine, loser) {
    const stored = await engine.storeMemory(agent, { content: 'Nothing was fired that week.' });
    assert.ok('memory' in stored);
    await engine.resolveConflict(person, { winner: stored.memory.id, loser });
  },
};

for (const [how, change] of Object.entries(WAYS))
  test(`a summary leaves with a source that is ${how}, and no other memory does`, async (t) => {
    const { engine, sources, summary } = await summarise(t);
    assert.ok(await isThere(engine, summary));
    await change(engine, sources[3]!);
    assert.ok(!(await isThere(engine, summary)));
    const { hits } = await engine.search(person, { query: 'pottery kiln Monday evening', limit: 30 });
    assert.ok(!hits.some(({ id }) => id === summary));
    assert.ok(await isThere(engine, (await engine.search(person, { query: 'green build' })).hits[0]!.id));
  });

test('a purge takes the summary for good, also one that went before', async (t) => {
  for (const before of [false, true]) {
    const { engine, database, sources, summary } = await summarise(t);
    if (before) await engine.deleteMemories(person, { refs: [sources[5]!] });
    const { purged, derivedCount } = await engine.purge(person, { refs: [sources[5]!] });
    assert.deepEqual([purged.toSorted(), derivedCount], [[sources[5]!, summary].toSorted(), 0]);
    assert.deepEqual(await database.getRecords('owner', [summary]), []);
  }
});

test('labels, ratings, reads and a run of consolidation leave a summary as it is', async (t) => {
  const { engine, clock, sources, summary } = await summarise(t);
  await engine.updateMemory(agent, { ref: sources[0]!, tags: ['kiln', 'fired'] });
  await engine.rateMemory(person, { ref: sources[1]!, rating: 1 });
  clock.run(200 * DAY);
  await engine.consolidate(person, { horizon: 'monthly' });
  await engine.cleanUp(person, {});
  assert.ok(await isThere(engine, summary));
});

test('it comes back with its source, and is made anew of what holds', async (t) => {
  const { engine, clock, sources, summary } = await summarise(t);
  await engine.deleteMemories(person, { refs: [sources[3]!] });
  await engine.restoreMemories(person, [sources[3]!]);
  assert.ok(await isThere(engine, summary));
  await engine.deleteMemories(person, { refs: [sources[3]!] });
  await engine.undoChanges(person, {});
  assert.deepEqual([await isThere(engine, sources[3]!), await isThere(engine, summary)], [true, true]);
  await engine.deleteMemories(person, { refs: [sources[3]!] });
  clock.run(1000);
  await engine.updateMemory(agent, { ref: sources[4]!, content: 'The pottery class fired the kiln for a lamp.' });
  await engine.restoreMemories(person, [sources[3]!]);
  assert.ok(!(await isThere(engine, summary)), 'another source says something else by now');
  clock.run(DAY);
  const { summaries } = await engine.consolidate(person, { horizon: 'monthly' });
  assert.equal(summaries.clusters, 1);
  const [fresh] = (await engine.getMemories(person, { refs: [summaries.made[0]!.id] })).memories;
  assert.doesNotMatch(fresh!.content, /\bmug\b/);
  assert.match(fresh!.content, /pottery class fired the kiln/);
  await engine.deleteMemories(person, { refs: [fresh!.id] });
  assert.equal((await engine.consolidate(person, { horizon: 'monthly' })).summaries.clusters, 0, 'nobody wanted it');
});

test('a summary is no word of a person, and no more than the least of its sources', async (t) => {
  const { engine, summary } = await summarise(t);
  assert.equal((await engine.getMemories(person, { refs: [summary] })).memories[0]!.trust, 'agent');
});

test('what somebody derived by hand from a memory that was taken back is given to nobody by itself', async (t) => {
  const { engine, store } = await openAgeingEngine(t);
  const source = await store('The vault opens with the red key.');
  const derived = await store('Always take the red key when you go to the vault.', { type: 'preference' });
  await engine.relate(agent, { from: derived, to: source, type: 'derived-from' });
  const given = async () => (await engine.getContext(agent, { event: 'start', timeoutMs: 60_000 })).context ?? '';
  assert.match(await given(), /red key/);
  await engine.updateMemory(agent, { ref: source, tags: ['vault'] });
  assert.match(await given(), /red key/);
  await engine.deleteMemories(person, { refs: [source] });
  assert.doesNotMatch(await given(), /red key/);
  assert.ok(await isThere(engine, derived), 'whoever looks for it finds it');
});

test('relations of what is deleted are not listed, and come back with it', async (t) => {
  const { engine, store } = await openAgeingEngine(t);
  const [one, two, three] = [await store('first'), await store('second'), await store('third')];
  await engine.relate(agent, { from: one, to: two, type: 'related' });
  await engine.relate(agent, { from: two, to: three, type: 'related' });
  const list = async (more = {}) => (await engine.listRelations(person, more)).relations.length;
  await engine.deleteMemories(person, { refs: [one] });
  assert.deepEqual([await list(), await list({ ref: two }), await list({ status: 'all' })], [1, 1, 1]);
  await engine.restoreMemories(person, [one]);
  assert.equal(await list(), 2);
});
