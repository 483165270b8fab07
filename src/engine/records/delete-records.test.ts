import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { put, SPACE, START } from '../../../test/stores/contract/sample-records.ts';
import { createEngine } from '../../features/create-engine.ts';
import { DEFAULT_SETTINGS } from '../../features/default-settings.ts';
import { ownerOf } from '../../model/caller.ts';
import { openStore } from '../../stores/open-store.ts';
import type { Store } from '../ports.ts';

const clock = { now: () => START };
const log = { info() {}, warn() {}, error() {} };
const CALLER = {
  userId: 'owner',
  space: SPACE,
  spaces: [SPACE],
  roles: ownerOf([SPACE]),
  door: 'job' as const,
  scopes: new Set(['read', 'write', 'admin'] as const),
};

test('deletes by a filter in small steps, each record once, and counts nothing on the way', async () => {
  const store = await openStore(':memory:', { clock, log });
  const changes = Array.from({ length: 500 }, (_, n) =>
    put({ content: `text ${n}`, tags: n % 5 === 0 ? [] : ['old'] }),
  );
  await store.commit(SPACE, changes, 'test');
  const counted: (boolean | undefined)[] = [];
  const steps: number[] = [];
  const watched: Store = {
    ...store,
    listRecords(space, filter, page, ...rest) {
      counted.push(page.total);
      return store.listRecords(space, filter, page, ...rest);
    },
    commit(space, made, actor) {
      steps.push(made.length);
      return store.commit(space, made, actor);
    },
  };
  const engine = createEngine({ store: watched, clock, log, embedder: null }, DEFAULT_SETTINGS);
  const filter = { tags: ['old'] };
  equal((await engine.deleteMemories(CALLER, { filter, dryRun: true })).count, 400);
  deepEqual(steps, []);
  counted.length = 0;
  equal((await engine.deleteMemories(CALLER, { filter })).count, 400);
  equal(
    steps.reduce((sum, step) => sum + step, 0),
    400,
  );
  ok(Math.max(...steps) <= 60);
  deepEqual([...new Set(counted)], [false]);
  equal((await engine.listMemories(CALLER, {})).total, 100);
  await engine.close();
});
