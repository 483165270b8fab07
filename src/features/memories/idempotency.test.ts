import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeCaller, openTestEngine } from '../../../test/open-test-engine.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Memory, StoreMemoryInput, StoreOutcome } from './memory.ts';

const caller = makeCaller();
const FIRST = 'The payment service retries a failed charge three times before it gives up.';
const NEAR = 'The payment service retries a failed charge three times before it gives up now.';

function memoryOf(outcome: StoreOutcome): Memory {
  assert.ok('memory' in outcome);
  return outcome.memory;
}

const store = (engine: Engine, content: string, more: Partial<StoreMemoryInput> = {}) =>
  engine.storeMemory(caller, { content, ...more });
const count = async (engine: Engine) => (await engine.listMemories(caller, {})).total;

describe('an idempotency key', () => {
  test('gives the first answer again and writes nothing', async (t) => {
    const { engine, store: database } = await openTestEngine(t);
    const input = { content: FIRST, tags: 'a', idempotencyKey: 'request-1', type: 'odd' };
    const first = await engine.storeMemory(caller, input);
    const head = await database.head('owner');
    assert.deepEqual(await engine.storeMemory(caller, { ...input }), first);
    assert.deepEqual(await engine.storeMemories(caller, [input]), [first]);
    assert.equal(await database.head('owner'), head);
  });

  test('works for every outcome', async (t) => {
    const { engine } = await openTestEngine(t, { settings: { splitChars: 200 } });
    await store(engine, FIRST);
    const inputs: StoreMemoryInput[] = [
      { content: FIRST },
      { content: NEAR, onDuplicate: 'refuse' },
      { content: FIRST, tags: 'new', onDuplicate: 'merge' },
      { content: NEAR, onDuplicate: 'append' },
      { content: `${NEAR} ${NEAR} ${NEAR}` },
      { content: 'superseding', onDuplicate: 'supersede' },
    ];
    for (const [i, input] of inputs.entries()) {
      const first = await engine.storeMemory(caller, { ...input, idempotencyKey: `key ${i}` });
      const again = await engine.storeMemory(caller, { ...input, idempotencyKey: `key ${i}` });
      assert.deepEqual(again, first);
    }
  });

  test('belongs to one request', async (t) => {
    const { engine } = await openTestEngine(t);
    await store(engine, FIRST, { idempotencyKey: 'k' });
    await assert.rejects(store(engine, NEAR, { idempotencyKey: 'k' }), { code: 'idempotency_mismatch' });
    const other = makeCaller('mcp', { userId: 'somebody' });
    assert.equal((await engine.storeMemory(other, { content: 'mine', idempotencyKey: 'k' })).outcome, 'stored');
  });

  test('makes one memory of ten requests sent at once, even if duplicates are wanted', async (t) => {
    const { engine } = await openTestEngine(t);
    const send = () => store(engine, FIRST, { idempotencyKey: 'k', onDuplicate: 'store' });
    const ids = (await Promise.all(Array.from({ length: 10 }, send))).map((outcome) => memoryOf(outcome).id);
    assert.equal(new Set(ids).size, 1);
    assert.equal(await count(engine), 1);
  });
});
