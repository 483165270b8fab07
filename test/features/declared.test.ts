import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_SETTINGS } from '../../src/engine/default-settings.ts';
import type { EngineFeature } from '../../src/engine/engine.ts';
import { createEngine } from '../../src/features/create-engine.ts';
import { FEATURES } from '../../src/features/features.ts';
import { openStore } from '../../src/stores/open-store.ts';
import { DAY, makeCaller, makeClock, makeFolder, START, silentLog } from '../open-test-engine.ts';

const caller = makeCaller('cli');

test('a feature beside those of the program has jobs done and records restored in its way', async (t) => {
  const loaded: string[] = [];
  let isDue = false;
  const shelf: EngineFeature = {
    name: 'shelf',
    jobs: [
      {
        name: 'dusted',
        isDue: () => isDue,
        async run() {
          loaded.push('job');
          return async (core) => ({ count: 3, complete: true, dueAt: core.clock.now() + DAY });
        },
      },
    ],
    async restoring() {
      loaded.push('restoring');
      return async (core, by, record) => {
        await core.store.commit(record.space, [{ op: 'delete', id: record.id, at: START }], `test:${by.userId}`);
        return { ...record, title: 'taken off the shelf' };
      };
    },
  };
  const [clock, log] = [makeClock(), silentLog];
  const store = await openStore(`${makeFolder()}/memory.db`, { clock, log });
  const engine = createEngine({ store, clock, log, embedder: null }, DEFAULT_SETTINGS, [...FEATURES, shelf]);
  t.after(() => engine.close());

  const stored = await engine.storeMemory(caller, { content: 'The lamp stands on the left.' });
  assert.equal((await engine.runUpkeep()).dusted, 0);
  assert.deepEqual(loaded, []);

  isDue = true;
  await engine.storeMemory(caller, { content: 'The books stand on the right.' });
  assert.equal((await engine.runUpkeep()).dusted, 3);
  clock.run(2 * DAY);
  assert.equal((await engine.runUpkeep()).dusted, 3, 'a job names the time of its next round');
  assert.deepEqual(loaded, ['job', 'job']);

  assert.ok(stored.outcome === 'stored');
  await engine.deleteMemories(caller, { refs: [stored.memory.id] });
  await engine.restoreMemories(caller, [stored.memory.id]);
  assert.equal(loaded.at(-1), 'restoring');
  assert.deepEqual((await engine.listMemories(caller, {})).items.length, 1);
});
