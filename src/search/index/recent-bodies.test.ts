import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Body } from './part.ts';
import { rememberBodies } from './recent-bodies.ts';

test('reads a body once for the steps of a search, by space and segment, and looks again for one that was not there', async () => {
  const asked: string[] = [];
  const bodies: Body[] = [];
  const read = rememberBodies(async (space, id) => {
    asked.push(`${space}/${id}`);
    if (id === 'gone') return null;
    const body = {} as Body;
    bodies.push(body);
    return body;
  });
  const first = await read('a', 's');
  assert.equal(await read('a', 's'), first);
  assert.notEqual(await read('b', 's'), first);
  for (let i = 0; i < 2; i++) assert.equal(await read('a', 'gone'), null);
  assert.deepEqual(asked, ['a/s', 'b/s', 'a/gone', 'a/gone']);
});
