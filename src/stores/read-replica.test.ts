import { deepEqual, equal } from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { ACTOR, put } from '../../test/stores/contract/sample-records.ts';
import { type FullStore, headOf, type StoreUnderTest } from '../../test/stores/contract/store-under-test.ts';
import { makeTempStore } from '../../test/stores/sqlite/fixtures/temp-store.ts';
import { copySpace } from '../engine/copy-space.ts';
import { EngineError } from '../model/errors.ts';
import { withReadReplica } from './read-replica.ts';

let primary: StoreUnderTest;
let replica: StoreUnderTest;
let asked: string[];
let store: FullStore;

/** The replica here is a copy that is brought up to date when the test says so. */
const catchUp = () => copySpace({ source: primary.store, target: replica.store, space: 'ann' });

function noting(name: string, noted: FullStore): FullStore {
  return {
    ...noted,
    getRecords(space, ids) {
      asked.push(name);
      return noted.getRecords(space, ids);
    },
  };
}

beforeEach(async () => {
  [primary, replica] = await Promise.all([makeTempStore(), makeTempStore()]);
  asked = [];
  store = withReadReplica(noting('primary', primary.store), noting('replica', replica.store));
});
afterEach(async () => {
  await primary.destroy();
  await replica.destroy();
});

test('reads from the replica when it is far enough, and from the primary until then', async () => {
  const first = put();
  headOf(await store.commit('ann', [first], ACTOR));
  equal((await store.getRecords('ann', [first.id])).length, 1);
  await catchUp();
  equal((await store.getRecords('ann', [first.id])).length, 1);
  deepEqual(asked, ['primary', 'replica']);
});

test('is never behind what it has seen as the head, whoever wrote it', async () => {
  await catchUp();
  const other = put();
  headOf(await primary.store.commit('ann', [other], ACTOR));
  equal(await store.head('ann'), 1);
  equal((await store.changesAfter('ann', 0, 10)).length, 1);
  equal((await store.getRecords('ann', [other.id])).length, 1);
  deepEqual(asked, ['primary']);
});

test('reads from the primary while the replica is away, and leaves it alone for a while', async () => {
  const first = put();
  headOf(await primary.store.commit('ann', [first], ACTOR));
  await catchUp();
  let tried = 0;
  const away = async () => {
    tried++;
    throw new EngineError('busy', 'away');
  };
  const limping = withReadReplica(noting('primary', primary.store), { ...replica.store, head: away });
  for (let i = 0; i < 3; i++) equal((await limping.getRecords('ann', [first.id])).length, 1);
  deepEqual([asked, tried], [['primary', 'primary', 'primary'], 1]);
});
