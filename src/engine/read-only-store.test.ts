import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KIND_TABLE } from '../../test/all-kinds.ts';
import { engineError, makeCaller, makeClock, openTestEngine, START, silentLog } from '../../test/open-test-engine.ts';
import { DEFAULT_SETTINGS } from '../features/default-settings.ts';
import type { EngineParts } from './engine-parts.ts';
import { createStoreAsOf } from './past/store-as-of.ts';
import type { Store } from './ports.ts';
import { readOnlyStore } from './read-only-store.ts';

const WRITES: Readonly<Record<string, (store: Store, id: string) => Promise<unknown>>> = {
  commit: (store, id) => store.commit('owner', [{ op: 'purge', id, expect: 'any' } as never], 'me'),
  pruneReceipts: (store) => store.pruneReceipts('owner', START * 2, 10),
  pruneFeed: (store) => store.pruneFeed('owner', { upTo: 1, now: START }),
  keepPlace: (store) => store.keepPlace('owner', 'reader', { seq: 1, until: START * 2 }),
  keepTime: (store) => store.keepTime({ believedAt: START * 2, doubtedAt: null, doubtRanMs: 0 }),
  dropSpace: (store) => store.dropSpace('owner'),
  eraseTraces: (store) => store.eraseTraces({ rewrites: true }),
  mendVersions: (store, id) => store.mendVersions('owner', id, []),
  mendRelations: (store, id) => store.mendRelations('owner', id, []),
  mendDerived: (store) => store.mendDerived(['owner']),
  recount: (store) => store.recount('owner'),
  catchUp: (store) => store.catchUp('owner'),
  dropStrays: (store) => store.dropStrays('owner'),
  'chunks.put': (store) => store.chunks.put('owner', [], START),
  'chunks.drop': (store) => store.chunks.drop('owner', []),
  'sealed.drop': (store) => store.sealed.drop('owner', []),
};

test('whoever reads the past, or compares and evaluates, writes nothing by any method of the store', async (t) => {
  const { engine, store } = await openTestEngine(t);
  const stored = await engine.storeMemory(makeCaller(), { content: 'The gateway listens on port 8080' });
  assert.equal(stored.outcome, 'stored');
  const { id } = stored.memory;
  const parts = { store, kinds: KIND_TABLE, embedder: null, clock: makeClock(), log: silentLog };
  const past = createStoreAsOf({ ...parts, settings: DEFAULT_SETTINGS } as unknown as EngineParts, START + 1000);
  const before = await store.head('owner');
  for (const reading of [past, readOnlyStore(store, 'Nothing is written here.')]) {
    for (const [name, write] of Object.entries(WRITES))
      await assert.rejects(write(reading, id), engineError('storage_read_only'), name);
    assert.equal(await reading.takeLease('upkeep', 'me', START * 2, START), false);
    assert.equal(await reading.dropVectors('owner', 'words:64@v1'), 0);
    await reading.recordReads('owner', [id], START);
    const [record] = await reading.getRecords('owner', [id]);
    assert.equal(record?.content, 'The gateway listens on port 8080');
  }
  assert.equal(await store.head('owner'), before);
  assert.equal((await store.readStatistics('owner', [id])).size, 0);
  assert.equal(await store.takeLease('upkeep', 'other', START * 2, START), true);
});
