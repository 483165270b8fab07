import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestApp } from '../../test/open-test-app.ts';

const ORIGIN = 'https://app.example.org';
const open = await openTestApp({ 'allowed-origins': ORIGIN });
const closed = await openTestApp();
after(() => Promise.all([open.close(), closed.close()]));

const preflight = {
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization,content-type',
};

for (const path of ['/mcp', '/api/v1/memories', '/mcp/sse']) {
  test(`a page of an allowed origin may ask before it calls ${path}, without a token`, async () => {
    const answer = await open.request('OPTIONS', path, { token: null, headers: { origin: ORIGIN, ...preflight } });
    assert.equal(answer.status, 204);
    assert.equal(answer.headers.get('access-control-allow-origin'), ORIGIN);
    assert.match(answer.headers.get('access-control-allow-headers')!, /Authorization/);
    assert.match(answer.headers.get('vary')!, /Origin/);
  });

  test(`others get no such answer at ${path}`, async () => {
    for (const [app, origin] of [
      [open, 'https://evil.example'],
      [closed, ORIGIN],
    ] as const) {
      const answer = await app.request('OPTIONS', path, { token: null, headers: { origin, ...preflight } });
      assert.equal(answer.status, 403);
      assert.equal(answer.headers.get('access-control-allow-origin'), null);
    }
  });
}

test('answers and refusals can be read by a page of an allowed origin, and need a token all the same', async () => {
  const read = await open.request('GET', '/api/v1/memories', { headers: { origin: ORIGIN } });
  assert.deepEqual([read.status, read.headers.get('access-control-allow-origin')], [200, ORIGIN]);
  const refused = await open.request('GET', '/api/v1/memories', { token: null, headers: { origin: ORIGIN } });
  assert.deepEqual([refused.status, refused.headers.get('access-control-allow-origin')], [401, ORIGIN]);
  assert.equal(read.headers.get('access-control-allow-credentials'), null);
});

test('without an Origin nothing is said', async () => {
  assert.equal((await open.request('GET', '/api/v1/memories')).headers.get('access-control-allow-origin'), null);
});

test('a family of tools that does not exist is a clear error, with the known ones', async () => {
  for (const path of ['/mcp?tools=nothing', '/mcp/sse?tools=elsewhere', '/sse?tools=x']) {
    const answer = await open.request('GET', path);
    assert.equal(answer.status, 400);
    assert.match(await answer.text(), /Choose from core, .*networked/);
  }
});
