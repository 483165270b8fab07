import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanJson, exposeJson } from './clean-text.ts';

test('what is shown looks as JSON would make it, whatever it held', () => {
  const when = new Date(0);
  const metadata = JSON.parse('{"__proto__":{"a":1},"2":"two","1":"one"}') as object;
  const value = { a: undefined, b: [undefined, Number.NaN, null, -1.5], when, metadata, flag: false, text: 'plain' };
  for (const show of [cleanJson, exposeJson]) {
    assert.equal(JSON.stringify(show(value)), JSON.stringify(value));
    assert.deepEqual(Object.keys(show(value) as object), ['b', 'when', 'metadata', 'flag', 'text']);
  }
});
