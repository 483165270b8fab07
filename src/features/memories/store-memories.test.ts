import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCaller, openTestEngine } from '../../../test/open-test-engine.ts';
import type { StoreOutcome } from './memory.ts';

const caller = makeCaller();
const FIRST = 'The payment service retries a failed charge three times before it gives up.';
const NEAR = 'The payment service retries a failed charge three times before it gives up now.';

function resemblesOf(outcome: StoreOutcome): string[] {
  assert.ok('resembles' in outcome);
  return outcome.resembles.map(({ id }) => id);
}

test('near copies are not looked for in a batch of more than twenty, which says so, unless it asks for it; exact copies are', async (t) => {
  const { engine } = await openTestEngine(t);
  await engine.storeMemory(caller, { content: FIRST });
  const others = Array.from({ length: 20 }, (_, i) => ({
    content: `Ship ${i} of the harbour carries grain number ${i * 7}.`,
  }));
  const quick = await engine.storeMemories(caller, [{ content: NEAR }, ...others]);
  assert.deepEqual(resemblesOf(quick[0]!), []);
  assert.match(quick[0]!.warnings.join(), /not checked/);
  const asked = await engine.storeMemories(caller, [
    { content: `${NEAR} Really.`, onDuplicate: 'report' },
    { content: FIRST },
    ...others,
  ]);
  assert.ok(resemblesOf(asked[0]!).length > 0);
  assert.deepEqual(asked[0]!.warnings, []);
  assert.equal(asked[1]!.outcome, 'duplicate');
});
