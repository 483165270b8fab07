import assert from 'node:assert/strict';
import { after, it, mock } from 'node:test';
import { openTestApp } from '../../test/open-test-app.ts';

const app = await openTestApp({ 'writes-per-minute': '1', 'write-burst': '3', 'reads-per-minute': '20' });
after(() => app.close());
// Time stands still: nobody may do more merely because the machine is slow.
mock.timers.enable({ apis: ['Date'], now: Date.now() });

const store = (token: string, content: string) => app.request('POST', '/api/v1/memories', { token, json: { content } });
const callTool = (token: string, name: string, args: object) =>
  app.request('POST', '/mcp', {
    token,
    json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
    headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' },
  });

it('stops a person who writes too much, on every door, and says when to go on', async () => {
  const [ada, adaToo, eve] = [
    await app.addToken(['read', 'write'], 'ada'),
    await app.addToken(['read', 'write'], 'ada'),
    await app.addToken(['read', 'write'], 'eve'),
  ];
  assert.equal((await store(ada.value, 'one')).status, 201);
  assert.equal((await callTool(ada.value, 'memory_store', { content: 'two' })).status, 200);
  assert.equal((await store(adaToo.value, 'three')).status, 201);
  for (const answer of [
    await store(ada.value, 'four'),
    await store(adaToo.value, 'four'),
    await callTool(ada.value, 'memory_store', { content: 'four' }),
  ]) {
    assert.equal(answer.status, 429);
    const seconds = Number(answer.headers.get('retry-after'));
    assert.ok(seconds > 0 && seconds <= 60, String(seconds));
    assert.equal(((await answer.json()) as { code: string }).code, 'rate_limited');
  }
  assert.equal((await app.request('GET', '/api/v1/memories', { token: ada.value })).status, 200);
  assert.equal((await store(eve.value, 'of eve')).status, 201);
});

it('counts as a write what a route or a verb says of itself, not what its method looks like', async () => {
  const { value: token } = await app.addToken(['read', 'write'], 'dot');
  const ask = async (method: string, path: string, json?: object) =>
    (await app.request(method, `/api/v1${path}`, { token, ...(json !== undefined && { json }) })).status;
  const statuses: number[] = [];
  for (let i = 0; i < 4; i++) statuses.push(await ask('POST', '/tokens', { name: `t${i}` }));
  assert.deepEqual(statuses, [201, 201, 201, 429]);
  assert.equal(await ask('DELETE', '/tokens/current'), 429);
  assert.equal(await ask('PUT', '/users/owner/password', { password: null }), 429);
  assert.equal(await ask('POST', '/search', { query: 'anything' }), 200);
  assert.equal(await ask('POST', '/memories/get', { ids: ['nothing'] }), 200);
  assert.equal(await ask('POST', '/nowhere', {}), 404);
});

it('stops a person who reads too much', async () => {
  const { value } = await app.addToken(['read'], 'bob');
  const statuses: number[] = [];
  for (let i = 0; i < 25; i++) statuses.push((await app.request('GET', '/api/v1/tags', { token: value })).status);
  assert.deepEqual(
    statuses,
    statuses.map((_, i) => (i < 20 ? 200 : 429)),
  );
});

it('refuses a flood of wrong tokens in one shape and one kind of line, and lets the right one through', async () => {
  const { value } = await app.addToken(['read'], 'cem');
  app.logged.length = 0;
  const shapes = new Map<string, number>();
  for (let i = 0; i < 1000; i++) {
    const answer = await app.request('GET', '/api/v1/tags', { token: `ltmk${String(i).padStart(44, '0')}` });
    const { request_id, ...problem } = (await answer.json()) as Record<string, unknown>;
    const shape = `${answer.status} ${answer.headers.get('www-authenticate')} ${JSON.stringify(problem)}`;
    shapes.set(shape, (shapes.get(shape) ?? 0) + 1);
  }
  assert.equal((await app.request('GET', '/api/v1/tags', { token: value })).status, 200);
  assert.deepEqual([...shapes.values()], [1000]);
  assert.match([...shapes.keys()][0]!, /^401 Bearer .*error="invalid_token"/);
  const lines = app.logged.filter(({ event }) => event === 'request_refused');
  assert.equal(lines.length, 1000);
  assert.deepEqual(new Set(lines.map(({ facts }) => Object.keys(facts).join())).size, 1);
});
