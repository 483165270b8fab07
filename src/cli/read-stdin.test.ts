import assert from 'node:assert/strict';
import { test } from 'node:test';
import { salvage } from './read-stdin.ts';

const WHOLE = JSON.stringify({
  session_id: 's1',
  hook_event_name: 'PostToolUse',
  tool_input: { command: 'ls "a b"\n' },
  tool_response: { stdout: `${'word '.repeat(600)}"quoted" \\ end`, list: [1, 2, { a: null }] },
});

test('the beginning of an object is read, wherever it is cut', () => {
  for (let end = 20; end < WHOLE.length; end += 7) {
    const read = salvage(WHOLE.slice(0, end));
    if (end > 60) assert.equal(read?.session_id, 's1', `cut at ${end}`);
  }
});

test('the end of a text that was cut is left out, as it may be half of a secret', () => {
  const read = salvage(`{"session_id":"s1","prompt":"${'word '.repeat(400)}ghp_a1B2c3D4e5a1B2`);
  assert.match(String(read?.prompt), /^(?:word )+$/);
  assert.equal(salvage('{"session_id":"s1","prompt":"ghp_a1B2c3D4')?.prompt, '');
});

test('what is no object is none', () => {
  for (const text of ['', 'x', '[1,2', '"abc', '{', 'null']) assert.equal(salvage(text), null, text);
});
