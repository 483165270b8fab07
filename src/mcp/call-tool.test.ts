import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call } from '../../test/conformance/call.ts';
import { callerOf, memoryOf, recordingLog, stubEngine } from '../../test/conformance/stub-engine.ts';
import { EngineError } from '../model/errors.ts';

test('memory_restore and memory_update ask for an id', async () => {
  for (const tool of ['memory_restore', 'memory_get', 'memory_update']) {
    const { isError, structured } = await call(tool, {}, stubEngine());
    assert.ok(isError);
    assert.equal(structured.error?.details.field, 'id');
  }
});

test('hidden characters leave no answer', async () => {
  const content = 'visible\u{e0041}\u{e0042}\u202e';
  const { structured, text } = await call(
    'memory_get',
    { id: 'x' },
    stubEngine({ getMemories: async () => ({ memories: [memoryOf({ content })], missing: [] }) }),
  );
  assert.ok(!/[\u202e\u{e0000}-\u{e007f}]/u.test(text + JSON.stringify(structured)));
});

test('an error has its code, a hint and details in both forms', async () => {
  const engine = stubEngine({
    search: async () => {
      throw new EngineError('unreadable_time', 'The phrase "blursday" is no time.', { details: { field: 'when' } });
    },
  });
  const { isError, structured, text } = await call('memory_search', { when: 'blursday' }, engine);
  assert.ok(isError);
  assert.deepEqual(structured.error?.details, { field: 'when' });
  assert.match(structured.error?.hint ?? '', /Use a date/);
  assert.match(text, /^unreadable_time: The phrase "blursday" is no time\.\nUse a date/);
});

test('an unforeseen failure shows an id to the client, kind and place to the log, and its words to nobody', async () => {
  const log = recordingLog();
  const engine = stubEngine({
    search: async () => {
      throw new TypeError('secret path /var/db');
    },
  });
  const { structured, text } = await call('memory_search', { query: 'x' }, engine, callerOf(), log);
  assert.equal(structured.error?.code, 'internal');
  assert.ok(!text.includes('/var/db'));
  const [line] = log.lines;
  assert.equal(line?.facts.id, structured.error?.details.id);
  assert.deepEqual([line?.facts.error, JSON.stringify(line).includes('secret path')], ['TypeError', false]);
  assert.match(String(line?.facts.at), /call-tool\.test/);
});

test('a credential that may only read cannot call a tool that writes', async () => {
  const reader = callerOf('bob', ['read']);
  for (const [name, args] of [
    ['memory_store', { content: 'x' }],
    ['memory_update', { id: 'x' }],
    ['memory_delete', { id: 'x' }],
    ['memory_restore', { id: 'x' }],
  ] as const) {
    const { structured } = await call(name, args, stubEngine(), reader);
    assert.equal(structured.error?.code, 'forbidden', name);
  }
});
