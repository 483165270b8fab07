import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, makeCaller, openTestEngine } from '../../../test/open-test-engine.ts';

const caller = makeCaller();

test('what several memories say alike is a belief, as sure as their age and what contradicts it leave it', async (t) => {
  const { engine, clock } = await openTestEngine(t);
  const ids: string[] = [];
  for (const content of [
    'The gateway listens on port 7001',
    'Checked again: nothing new. The gateway listens on port 7001.',
    'The API supports JSON',
  ]) {
    const stored = await engine.storeMemory(caller, { content, trust: 'agent', onDuplicate: 'store' });
    assert.ok(stored.outcome === 'stored');
    ids.push(stored.memory.id);
  }
  const [belief, ...others] = await engine.listBeliefs(caller, {});
  assert.deepEqual(others, []);
  assert.deepEqual(
    [belief!.status, belief!.sources.map(({ id }) => id).sort(), belief!.contradicted],
    ['active', ids.slice(0, 2).sort(), []],
  );
  assert.ok(Math.abs(belief!.confidence - 1 / (1 + Math.exp(-1.2))) < 1e-9);
  assert.deepEqual(await engine.listBeliefs(caller, { ids: [ids[2]!] }), []);
  assert.equal((await engine.listBeliefs(caller, { ids: [ids[0]!] })).length, 1);

  clock.run(30 * DAY);
  const [faded] = await engine.listBeliefs(caller, {});
  assert.ok(Math.abs(faded!.confidence - 1 / (1 + Math.exp(-1.2 / Math.E))) < 1e-9);

  clock.run(-30 * DAY);
  const denied = await engine.storeMemory(caller, { content: 'The gateway listens on port 9000', trust: 'untrusted' });
  assert.ok(denied.outcome === 'stored');
  const [disputed] = await engine.listBeliefs(caller, { ids: [denied.memory.id] });
  assert.deepEqual([disputed!.status, disputed!.contradicted[0]!.id], ['disputed', denied.memory.id]);
  assert.ok(Math.abs(disputed!.confidence - 1 / (1 + Math.exp(3 * 0.4 - 1.2))) < 1e-9);

  await engine.deleteMemories(caller, { refs: [ids[1]!] });
  assert.deepEqual(await engine.listBeliefs(caller, {}), []);
});
