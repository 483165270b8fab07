import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Engine } from '../../src/engine/engine.ts';
import type { SessionEvent } from '../../src/model/session-event.ts';
import { openOnStore, STORES } from '../kinds/open-on-store.ts';
import { makeCaller, START } from '../open-test-engine.ts';

const person = makeCaller('cli');
const agent = makeCaller('mcp');
const HARVESTED = 'The job queue lives in SQLite.';
const REMEMBERED = 'Always ask Ada about ports';
const OTHERS = ['Another session said that.', 'Somebody stored this beside it.'];

async function fill(engine: Engine): Promise<{ harvested: string; remembered: string }> {
  const prompt = (text: string, key: string): SessionEvent => {
    const about = { agent: 'codex', session: 's1', project: 'web', directory: null };
    return { ...about, key, event: 'prompt', at: START, text };
  };
  await engine.recordEvents(agent, [prompt(`#remember ${REMEMBERED}`, 'e1'), prompt('Now build it', 'e2')]);
  const harvested = (content: string, session: string) => ({
    content,
    key: `harvest:codex:${session}:${content.length}`,
    tags: ['ports'],
    metadata: { session_id: session },
  });
  await engine.storeMemories(agent, [harvested(HARVESTED, 's1'), harvested(OTHERS[0]!, 's2'), { content: OTHERS[1]! }]);
  const { items } = await engine.listMemories(person, {});
  const idOf = (text: string) => items.find(({ content }) => content === text)!.id;
  return { harvested: idOf(HARVESTED), remembered: idOf(REMEMBERED) };
}

const contents = async (engine: Engine) =>
  (await engine.listMemories(person, {})).items.map(({ content }) => content).toSorted();

for (const where of STORES) {
  test(`forgetting a session names what was read out of it, and takes it along where that is meant (${where})`, async (t) => {
    const { engine } = await openOnStore(t, where);
    const { harvested, remembered } = await fill(engine);
    const first = await engine.forgetObservations(person, { session: 's1' });
    assert.deepEqual([first.derived.toSorted(), first.derivedCount], [[harvested, remembered].toSorted(), 2]);
    assert.equal((await contents(engine)).length, 4);
    const second = await engine.forgetObservations(person, { session: 's1', derived: true });
    assert.deepEqual([second.forgotten, second.derived, second.missing], [2, [], []]);
    assert.deepEqual(await contents(engine), OTHERS);
    assert.deepEqual((await engine.forgetObservations(person, { session: 's1' })).missing, ['s1']);
    assert.equal((await engine.restoreMemories(person, [harvested])).restored.length, 1);
  });

  test(`a purge of a session reaches what was read out of it, deleted or not (${where})`, async (t) => {
    const { engine, store } = await openOnStore(t, where);
    const { harvested, remembered } = await fill(engine);
    await engine.deleteMemories(person, { refs: [harvested] });
    assert.deepEqual((await engine.purge(person, { session: 's1', dryRun: true })).derived, [harvested]);
    const { derivedCount } = await engine.purge(person, { session: 's1', derived: true });
    assert.equal(derivedCount, 0);
    assert.deepEqual(await store.getRecords('owner', [harvested, remembered]), []);
    assert.deepEqual(await contents(engine), OTHERS);
  });
}
