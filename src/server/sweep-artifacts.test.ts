import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openStore } from '../stores/open-store.ts';
import { withArtifactSweep } from './sweep-artifacts.ts';

const NOW = 1_767_225_600_000;
const clock = { now: () => NOW };
const NOTHING = { flushed: 0, merged: 0, embedded: 0, purged: 0 };

it('forgets all expired artifacts of OAuth before the round, and no other', async () => {
  const store = await openStore(':memory:', { clock, log: { info() {}, warn() {}, error() {} } });
  const empty = { payload: {}, grantId: null, userCode: null, uid: null, userId: null, consumedAt: null };
  await Promise.all(
    Array.from({ length: 1203 }, (_, i) =>
      store.putArtifact({ ...empty, model: 'Client', id: `c${i}`, expiresAt: NOW + (i < 1200 ? -i : 1) }),
    ),
  );
  const left: number[] = [];
  const engine = {
    async runUpkeep() {
      left.push(await store.countArtifacts('Client'));
      return { ...NOTHING, purged: 7 };
    },
  };
  const swept = withArtifactSweep(engine, store, clock);
  assert.equal((await swept.runUpkeep()).purged, 7);
  assert.deepEqual(left, [3]);
  await store.close();
});
