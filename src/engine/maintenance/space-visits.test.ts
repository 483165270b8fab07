import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, makeCaller, makeWordEmbedder, openTestEngine, silentLog } from '../../../test/open-test-engine.ts';
import { createEngine } from '../../features/create-engine.ts';
import { DEFAULT_SETTINGS } from '../../features/default-settings.ts';
import type { Store } from '../ports.ts';

const people = Array.from({ length: 30 }, (_, i) =>
  makeCaller('mcp', { userId: `person ${i}`, space: `person ${i}`, spaces: [`person ${i}`] }),
);

/** Which spaces the store is asked about, by any method whose first argument is one. */
function countSpaces(store: Store, asked: Set<string>): Store {
  return new Proxy(store, {
    get(target, name: keyof Store) {
      const value = target[name];
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        if (typeof args[0] === 'string' && args[0].startsWith('person')) asked.add(args[0]);
        return Reflect.apply(value, target, args);
      };
    },
  });
}

test('a round asks about the spaces that have changed or have something due, and about no others', async (t) => {
  const { engine, store, clock } = await openTestEngine(t, { embedder: makeWordEmbedder() });
  const asked = new Set<string>();
  const ports = {
    store: countSpaces(store, asked),
    embedder: makeWordEmbedder(),
    previousEmbedder: null,
    clock,
    log: silentLog,
  };
  const counting = createEngine(ports, DEFAULT_SETTINGS);
  const round = async () => {
    asked.clear();
    await counting.runUpkeep();
    return [...asked].sort();
  };
  for (const person of people) await engine.storeMemory(person, { content: 'something' });
  assert.equal((await round()).length, people.length);
  assert.deepEqual(await round(), []);

  const stored = await engine.storeMemory(people[7]!, { content: 'something else' });
  assert.deepEqual(await round(), ['person 7']);
  assert.deepEqual(await round(), []);

  await engine.deleteMemories(people[7]!, { refs: ['memory' in stored ? stored.memory.id : ''] });
  assert.deepEqual(await round(), ['person 7']);
  clock.run(DAY + 1);
  assert.equal((await round()).length, people.length);
  for (let day = 1; day < 30; day++) {
    clock.run(DAY);
    await round();
  }
  assert.deepEqual(
    (await engine.getMemories(people[7]!, { refs: ['memory' in stored ? stored.memory.id : ''], includeDeleted: true }))
      .memories,
    [],
  );
});
