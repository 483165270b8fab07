// Rows 70 and 71 of mcp-memory-service's checklist: who gets in at its routes, and what is told of every write.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROOT_ROUTES } from '../../src/compat/service/routes/root-routes.ts';
import type { ServiceRoute } from '../../src/compat/service/routes/service-route.ts';
import { SERVICE_ROUTES } from '../../src/compat/service/routes/service-routes.ts';
import { splitAt } from '../../src/verbs/verb.ts';
import { openRawStream } from '../e2e/raw-sse.ts';
import { failServe, makeServeFolder, removeFolder } from '../e2e/serve-process.ts';
import { openTestApp } from '../open-test-app.ts';
import { KEY, startService } from './rest-client.ts';

test('row 71: every route is refused without a credential, with a wrong one, with one in the address, and without its scope', async (t) => {
  const app = await openTestApp();
  t.after(() => app.close());
  const places: [below: string, routes: readonly ServiceRoute[]][] = [
    ['/api', SERVICE_ROUTES],
    ['', ROOT_ROUTES],
  ];
  for (const [below, route] of places.flatMap(([place, routes]) => routes.map((one) => [place, one] as const))) {
    const { method, path } = splitAt(route);
    const at = `${below}${path.replaceAll(/\{\w+\}/g, 'x')}`;
    const ask = async (options: object, suffix = ''): Promise<number> =>
      (await app.request(method, `${at}${suffix}`, { ...(method !== 'GET' && { json: {} }), ...options })).status;
    if (route.needs === null) {
      assert.ok([200, 302].includes(await ask({ token: null })), at);
      continue;
    }
    assert.equal(await ask({ token: null }), 401, `${at} without`);
    assert.equal(await ask({ token: 'wrong' }), 401, `${at} with a wrong one`);
    assert.equal(await ask({ token: null, headers: { 'x-api-key': 'wrong' } }), 401, `${at} with a wrong key`);
    assert.equal(await ask({ token: null }, `?api_key=${app.tokens.admin}`), 401, `${at} with one in the address`);
    if (route.needs !== 'read') assert.equal(await ask({ token: app.tokens.read }), 403, `${at} to a reader`);
    if (route.needs === 'admin') assert.equal(await ask({ token: app.tokens.write }), 403, `${at} to a writer`);
  }
  const { headers, ...told } = await app.request('GET', '/api/memories', { token: null });
  assert.match(headers.get('www-authenticate') ?? '', /^Bearer/, JSON.stringify(told));
  const refused = (await (await app.request('GET', '/api/memories', { token: null })).json()) as { detail: object };
  assert.deepEqual(Object.keys(refused.detail), ['error', 'error_description']);
  const scope = (await (
    await app.request('POST', '/api/memories', { token: app.tokens.read, json: { content: 'x' } })
  ).json()) as { detail: { error: string } };
  assert.equal(scope.detail.error, 'insufficient_scope');
  const ways: Record<string, string>[] = [
    { 'x-api-key': app.tokens.read },
    { authorization: `Bearer ${app.tokens.read}` },
  ];
  for (const headers of ways)
    assert.equal((await app.request('GET', '/api/memories', { token: null, headers })).status, 200);
});

test('row 71: with MCP_ALLOW_ANONYMOUS_ACCESS the Agent Quick Start runs as it is written, and nothing that needs the owner', async (t) => {
  const rest = await startService({ MCP_ALLOW_ANONYMOUS_ACCESS: 'true' }, {});
  t.after(() => rest.close());
  assert.match(rest.server.log(), /anonymous_access/);
  const stored = await rest.send(
    'POST',
    '/api/memories',
    { content: 'API rate limit is 100 req/min', tags: ['api', 'limits'] },
    { 'X-Agent-ID': 'researcher' },
  );
  assert.deepEqual(stored.body.memory.tags, ['api', 'limits', 'agent:researcher']);
  const found = await rest.send('POST', '/api/memories/search', {
    query: 'API rate limits',
    tags: ['agent:researcher'],
  });
  assert.equal(found.body.memories[0].content, 'API rate limit is 100 req/min');
  assert.equal((await rest.send('GET', '/api/memories', undefined, { Authorization: 'Bearer wrong' })).status, 401);
  assert.equal((await rest.send('GET', '/api/server/version/check')).status, 403);
  assert.equal((await rest.send('GET', '/api/config/env')).status, 403);
  assert.equal(
    (await rest.send('GET', '/api/memories', undefined, { Origin: 'https://elsewhere.example' })).status,
    403,
  );
});

test('row 71: a server that other machines reach, or that stands behind a proxy, does not start with anonymous access', async () => {
  const folder = makeServeFolder(null);
  try {
    const env = { MCP_ALLOW_ANONYMOUS_ACCESS: '1', MCP_API_KEY: KEY };
    for (const args of [
      ['--host', '0.0.0.0'],
      ['--external-url', 'https://m.example.org'],
      ['--trusted-proxies', '127.0.0.1'],
    ]) {
      const { code, output } = await failServe(folder, args, env);
      assert.notEqual(code, 0, args.join(' '));
      assert.match(output, /anonymous_access is on/);
    }
  } finally {
    removeFolder(folder);
  }
});

test('row 70: /api/events greets, and tells of what is written over REST, over MCP and in bulk', async (t) => {
  const rest = await startService();
  t.after(() => rest.close());
  const stream = await openRawStream(`${rest.server.url}/api/events`, { 'x-api-key': KEY });
  t.after(() => stream.close());
  const next = async (name: string) => {
    for (;;) {
      const event = await stream.next();
      assert.ok(event, `the stream ended before ${name}`);
      if (event.event === name) return JSON.parse(event.data);
    }
  };
  assert.ok((await next('connection_established')).heartbeat_interval > 0);
  const { body } = await rest.send('POST', '/api/memories', { content: 'Told of', tags: ['t'] });
  const told = await next('memory_stored');
  assert.deepEqual([told.content_hash, told.content_preview, told.tags], [body.content_hash, 'Told of', ['t']]);
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'memory_store', arguments: { content: 'Over MCP' } },
  };
  const headers = { 'X-API-Key': KEY, accept: 'application/json, text/event-stream' };
  assert.equal((await rest.send('POST', '/mcp?tools=service', call, headers)).status, 200);
  assert.equal((await next('memory_stored')).content_preview, 'Over MCP');
  await rest.send('POST', '/api/search', { query: 'told' });
  assert.equal((await next('search_completed')).query, 'told');
  await rest.send('POST', '/api/manage/bulk-delete', { tag: 't' });
  assert.equal((await next('memory_deleted')).content_hash, body.content_hash);
  assert.equal((await rest.send('GET', '/api/events/stats')).body.total_connections, 1);
  const { ticket } = (await rest.send('POST', '/api/events/ticket', {})).body;
  const page = await openRawStream(`${rest.server.url}/api/events?ticket=${ticket}`, {});
  t.after(() => page.close());
  assert.equal((await page.next())?.event, 'connection_established');
  const used = await fetch(`${rest.server.url}/api/events?ticket=${ticket}`);
  assert.equal(used.status, 401, 'a ticket opens one stream');
});
