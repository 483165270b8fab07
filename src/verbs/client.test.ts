import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VERBS } from '../features/verb-table.ts';
import { findVerb, VERB_NAMES } from '../features/verbs.ts';
import { createLateClient } from './client.ts';

test('a client whose verbs are found when they are called has these, and nothing else', async () => {
  const called: string[] = [];
  const client = createLateClient<typeof VERBS>(VERB_NAMES, findVerb, async (verb) => {
    called.push(verb.needs);
    return {};
  });
  assert.deepEqual(Object.keys(client).sort(), Object.keys(VERBS).sort());
  for (const name of ['readBytes', 'then', 'toJSON', 'constructorOf'])
    assert.equal((client as Record<string, unknown>)[name], undefined, name);
  await client.listWorkspaces({});
  assert.deepEqual(called, ['read']);
  const copy = { ...client };
  await copy.getOverview({});
  assert.equal(called.length, 2);
});
