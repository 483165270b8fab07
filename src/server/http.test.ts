import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { addOAuthToken } from '../../test/isolation/add-oauth-token.ts';
import { openTestApp, TEST_HOST } from '../../test/open-test-app.ts';
import { createToken } from '../auth/tokens.ts';
import { scopeOf } from '../engine/authorize.ts';
import { SCOPES, type Scope } from '../model/caller.ts';
import { ROUTES } from '../rest/route-table.ts';

const app = await openTestApp({ 'max-body-bytes': '2000', 'max-import-bytes': '5000' });
after(() => app.close());

const address = (path: string) => `/api/v1${path.replaceAll(/\{\w+\}/g, '0000000000000000000a')}`;
const PUBLIC = ['/api/v1/docs', '/api/v1/openapi.json', '/health'];

describe('who may call', () => {
  it('lets nobody in without a right token, on any route and at /mcp', async () => {
    const revoked = await app.addToken(['read', 'write', 'admin']);
    await app.store.changeIdentity([{ op: 'revoke_token', id: revoked.id, at: 1 }], 'test');
    const addresses = [
      ...ROUTES.map(({ method, path }) => [method, address(path)] as const),
      ['POST', '/mcp'],
      ['GET', '/mcp'],
      ['GET', '/mcp/sse'],
      ['GET', '/sse'],
      ['POST', '/mcp/messages/'],
      ['GET', '/v1/packets'],
      ['POST', '/v1/teams'],
      ['GET', '/nowhere'],
      ['GET', '/api/v1/nowhere'],
    ] as const;
    for (const [method, path] of addresses) {
      for (const token of [null, revoked.value]) {
        const response = await app.request(method, path, { token });
        assert.equal(response.status, 401, `${method} ${path}`);
        assert.match(response.headers.get('www-authenticate')!, /^Bearer/);
      }
      assert.equal(
        (await app.request(method, `${path}?token=${app.tokens.admin}&api_key=${app.tokens.admin}`, { token: null }))
          .status,
        401,
      );
      assert.equal(
        (
          await app.request(method, path, {
            token: null,
            headers: { cookie: `token=${app.tokens.admin}`, 'x-api-key': revoked.value },
          })
        ).status,
        401,
      );
    }
  });

  it('refuses whatever is wrong with a token in the same words', async () => {
    for (const id of ['gone', 'barred'])
      await app.store.changeIdentity(
        [
          {
            op: 'add_user',
            user: { id, name: id, email: null, createdAt: 1, suspendedAt: id === 'barred' ? 1 : null },
          },
        ],
        'test',
      );
    const expired = createToken({ name: 'old', userId: 'owner', scopes: ['read'], now: 0, expiresAt: 1 });
    await app.store.changeIdentity([{ op: 'add_token', token: expired.token }], 'test');
    const revoked = await app.addToken(['read']);
    await app.store.changeIdentity([{ op: 'revoke_token', id: revoked.id, at: 1 }], 'test');
    const ofNobody = await addOAuthToken(app, { userId: 'gone', teamId: null });
    await app.store.changeIdentity([{ op: 'remove_user', id: 'gone' }], 'test');
    const wrong = {
      unknown: createToken({ name: 'x', userId: 'owner', scopes: ['read'], now: 0 }).value,
      malformed: 'two words',
      expired: expired.value,
      revoked: revoked.value,
      suspended: (await app.addToken(['read'], 'barred')).value,
      'suspended with a program': await addOAuthToken(app, { userId: 'barred', teamId: null }),
      'a program of nobody': ofNobody,
      'no token of ours': 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJvd25lciJ9.',
    };
    for (const path of ['/api/v1/whoami', '/mcp', '/mcp/sse']) {
      const shapes = new Map<string, string>();
      for (const [what, token] of Object.entries(wrong)) {
        const response = await app.request('GET', path, { token });
        const { request_id, ...problem } = (await response.json()) as Record<string, unknown>;
        shapes.set(JSON.stringify([response.status, response.headers.get('www-authenticate'), problem]), what);
      }
      assert.equal(shapes.size, 1, `${path} ${[...shapes].join('\n')}`);
      assert.match([...shapes.keys()][0]!, /^\[401,/);
    }
  });

  it('asks for the scope that each route declares', async () => {
    const sets = SCOPES.flatMap((scope) => [[scope], [...new Set<Scope>(['read', scope])]]);
    for (const { method, path, action } of ROUTES) {
      for (const scopes of sets) {
        const { value } = await app.addToken(scopes);
        const { status } = await app.request(method, address(path), { token: value });
        const what = `${method} ${path} with ${scopes}: ${status}`;
        if (!scopes.includes(scopeOf(action))) assert.equal(status, 403, what);
        else if (scopes.includes('read')) assert.notEqual(status, 403, what);
      }
    }
  });

  it('shows the same answer for an unknown and a foreign memory', async () => {
    const stored = await app.json('POST', '/api/v1/memories', { json: { content: 'the canary of ada' } });
    const stranger = await app.addToken(['read', 'write', 'admin'], 'eve');
    const look = async (id: string) => {
      const response = await app.request('GET', `/api/v1/memories/${id}`, { token: stranger.value });
      const { request_id, ...problem } = (await response.json()) as Record<string, unknown>;
      return { status: response.status, problem };
    };
    assert.deepEqual(await look(stored.body.memory.id), await look('0000000000000000000a'));
    assert.equal((await look(stored.body.memory.id)).status, 404);
  });

  it('logs a refused request in one line, without the token', async () => {
    app.logged.length = 0;
    await app.request('GET', '/api/v1/memories/my-secret-key', { token: 'ltm_pat_wrong' });
    const line = app.logged.find(({ event }) => event === 'request_refused')!;
    assert.deepEqual(line.facts, { reason: 'unknown', address: 'unknown' });
    assert.equal(app.logged.find(({ event }) => event === 'request')?.facts.path, '/api/v1/memories/{ref}');
    assert.doesNotMatch(JSON.stringify(app.logged), /ltm_pat_wrong|my-secret-key/);
  });
});

describe('what anybody may see', () => {
  it('is the status alone, and what the API looks like', async () => {
    const health = await app.request('GET', '/health', { token: null });
    assert.partialDeepStrictEqual(await health.json(), { status: 'ok', pending: 0, circuit_open: false });
    for (const path of PUBLIC) assert.equal((await app.request('GET', path, { token: null })).status, 200);
  });

  it('is that there is no OAuth server here', async () => {
    assert.equal((await app.request('GET', '/.well-known/oauth-protected-resource', { token: null })).status, 404);
  });
});

describe('Host and Origin', () => {
  it('are checked before the token, everywhere', async () => {
    for (const path of [...PUBLIC, '/mcp', '/api/v1/memories']) {
      const rebound = await app.request('GET', path, { headers: { host: 'evil.example:8000' } });
      assert.equal(rebound.status, 403, path);
      const foreign = await app.request('GET', path, { token: null, headers: { origin: 'https://evil.example' } });
      assert.equal(foreign.status, 403, path);
      assert.equal(foreign.headers.get('access-control-allow-origin'), null);
    }
    assert.equal(
      (await app.request('GET', '/api/v1/tags', { headers: { origin: `http://${TEST_HOST}` } })).status,
      200,
    );
  });
});

describe('size limits', () => {
  const tooLong = 'x'.repeat(2001);

  it('hold before anything else is looked at, token included', async () => {
    const response = await app.request('POST', '/api/v1/memories', {
      token: null,
      body: tooLong,
      headers: { 'content-length': '2001', 'content-type': 'application/json' },
    });
    assert.equal(response.status, 413);
    assert.equal(((await response.json()) as { code: string }).code, 'too_large');
  });

  it('hold for a body that does not tell its length', async () => {
    for (const path of ['/api/v1/memories', '/mcp']) {
      let sent = 0;
      const body = new ReadableStream({
        pull(controller) {
          sent += 100;
          controller.enqueue(new TextEncoder().encode('x'.repeat(100)));
          if (sent > 1_000_000) controller.close();
        },
      });
      const response = await app.request('POST', path, { body, headers: { 'content-type': 'application/json' } });
      assert.equal(response.status, 413, path);
      assert.ok(sent < 10_000, `${sent} bytes were read`);
    }
  });

  it('are larger for an import', async () => {
    const lines = {
      body: `${'x'.repeat(3000)}\n`,
      headers: { 'content-type': 'application/x-ndjson', 'content-length': '3001' },
    };
    assert.equal((await app.request('POST', '/api/v1/import', lines)).status, 400);
    const long = {
      body: 'x'.repeat(5001),
      headers: { 'content-type': 'application/x-ndjson', 'content-length': '5001' },
    };
    assert.equal((await app.request('POST', '/api/v1/import', long)).status, 413);
  });
});

describe('every answer', () => {
  it('has a request id and headers that keep browsers careful', async () => {
    for (const path of ['/health', '/api/v1/tags', '/api/v1/nowhere', '/api/v1/docs']) {
      const { headers } = await app.request('GET', path);
      assert.match(headers.get('x-request-id')!, /^[\w-]{12}$/, path);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.match(headers.get('cache-control')!, /no-store/);
      assert.match(headers.get('content-security-policy')!, /default-src 'none'.*frame-ancestors 'none'/);
    }
  });

  it('is a problem document when it fails', async () => {
    const response = await app.request('GET', '/api/v1/nowhere');
    assert.equal(response.status, 404);
    assert.equal(response.headers.get('content-type'), 'application/problem+json');
    const problem = (await response.json()) as Record<string, unknown>;
    assert.equal(problem.code, 'not_found');
    assert.equal(problem.request_id, response.headers.get('x-request-id'));
  });

  it('names the methods an address understands', async () => {
    const response = await app.request('PUT', '/api/v1/memories/abc');
    assert.equal(response.status, 405);
    assert.equal(response.headers.get('allow'), 'GET, PATCH, DELETE');
  });
});

describe('/mcp', () => {
  it('answers what is not JSON with a parse error, and what is nested too deep as an invalid request', async () => {
    for (const [body, code] of [
      ['{"jsonrpc":', -32700],
      [Uint8Array.of(0x22, 0xff, 0x22), -32700],
      [`${'['.repeat(100)}${']'.repeat(100)}`, -32600],
    ] as const) {
      const response = await app.request('POST', '/mcp', { body, headers: { 'content-type': 'application/json' } });
      assert.equal(response.status, 400);
      assert.equal(((await response.json()) as { error: { code: number } }).error.code, code);
    }
  });

  it('lists tools for a caller with a token, and keeps scopes there too', async () => {
    const call = async (token: string, method: string, params: object) => {
      const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };
      const response = await app.request('POST', '/mcp', {
        token,
        json: { jsonrpc: '2.0', id: 1, method, params },
        headers,
      });
      const text = await response.text();
      return JSON.parse(text.replace(/^event: message\ndata: /, '')) as {
        result: { tools?: { name: string }[]; isError?: boolean; content?: { text: string }[] };
      };
    };
    const { result } = await call(app.tokens.read, 'tools/list', {});
    assert.ok(result.tools?.some(({ name }) => name === 'memory_store'));
    const refused = await call(app.tokens.read, 'tools/call', {
      name: 'memory_store',
      arguments: { content: 'not with this token' },
    });
    assert.equal(refused.result.isError, true);
    assert.match(JSON.stringify(refused), /forbidden/);
    const allowed = await call(app.tokens.write, 'tools/call', {
      name: 'memory_store',
      arguments: { content: 'but with this one' },
    });
    assert.notEqual(allowed.result.isError, true);
  });
});

it('greets a person who opens the address, and shows a page for one that leads nowhere; programs are told as ever', async () => {
  const asPerson = { token: null, headers: { accept: 'text/html,*/*' } };
  const home = await app.request('GET', '/', asPerson);
  assert.equal(home.status, 200);
  assert.match(await home.text(), /ltm is running here[\s\S]*\/mcp/);
  const nowhere = await app.request('GET', '/no/such/page', asPerson);
  assert.deepEqual([nowhere.status, nowhere.headers.get('content-type')], [404, 'text/html; charset=utf-8']);
  assert.equal((await app.request('GET', '/no/such/page', { token: null })).status, 401);
  assert.equal((await app.request('GET', '/api/v1/memories', asPerson)).status, 401);
});
