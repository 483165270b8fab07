import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openTestApp } from '../../test/open-test-app.ts';
import { VERBS } from '../features/verb-table.ts';
import { text } from '../verbs/field.ts';
import { defineVerb } from '../verbs/verb.ts';
import { createOpenApiDocument } from './openapi.ts';
import { ROUTES, routesOfTable, writingOf } from './route-table.ts';

/** Written down a second time, on purpose: what is asked with a body and changes nothing. */
const ASKED_WITH_A_BODY = ['searchMemories', 'getMemories', 'getObservations', 'getContext'];

it('says of every route that changes something that it writes', () => {
  for (const { name, method, writes } of ROUTES)
    assert.equal(writes === true, method !== 'GET' && !ASKED_WITH_A_BODY.includes(name), name);
});

it('knows by the address what writes', () => {
  const writes = writingOf(ROUTES);
  for (const [method, path] of [
    ['POST', '/memories'],
    ['POST', '/memories/delete'],
    ['PATCH', '/memories/some%20key'],
    ['DELETE', '/tokens/current'],
    ['PUT', '/users/ada@example.org/password'],
  ] as const)
    assert.ok(writes(method, `/api/v1${path}`), `${method} ${path}`);
  for (const [method, path] of [
    ['GET', '/memories'],
    ['HEAD', '/memories/x'],
    ['POST', '/search'],
    ['POST', '/memories/get'],
    ['POST', '/nowhere'],
    ['POST', '/memories/x/restore/y'],
  ] as const)
    assert.ok(!writes(method, `/api/v1${path}`), `${method} ${path}`);
});

it('offers a verb that is added, with its rights and its checks, and describes it', async (t) => {
  const greet = defineVerb<{ name: string }, { greetedBy: string; greeting: string }>({
    needs: 'write',
    writes: true,
    input: { name: text('Whom.', { isRequired: true, min: 1 }) },
    run: async ({ caller }, { name }) => ({ greetedBy: caller.userId, greeting: `Hello ${name}` }),
    group: 'Greetings',
    rest: { at: 'POST /greetings', summary: 'Greet', answers: { 200: 'Greeted.' } },
  });
  const app = await openTestApp({}, undefined, { greet });
  t.after(() => app.close());
  const ask = (token: string, json: object) => app.request('POST', '/api/v1/greetings', { token, json });
  const answer = await ask(app.tokens.write, { name: 'Ada' });
  assert.deepEqual(await answer.json(), { greeted_by: 'owner', greeting: 'Hello Ada' });
  assert.equal((await ask(app.tokens.read, { name: 'Ada' })).status, 403);
  assert.equal((await ask(app.tokens.write, { name: '' })).status, 400);
  assert.equal((await app.request('GET', '/api/v1/greetings')).headers.get('allow'), 'POST');
  const described = (await (await app.request('GET', '/api/v1/openapi.json')).json()) as { paths: object };
  assert.ok('/greetings' in described.paths);
  const document = createOpenApiDocument(routesOfTable({ ...VERBS, greet }));
  assert.equal(document.paths['/greetings']?.post?.operationId, 'greet');
  assert.deepEqual(document.tags.at(-1), { name: 'Greetings' });
});
