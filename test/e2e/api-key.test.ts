import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { readOwnerToken } from '../../src/auth/owner-token.ts';
import { runLtm } from './packet-server.ts';
import { failServe, makeServeFolder, removeFolder, type ServeProcess, startServe } from './serve-process.ts';

const KEY = 'kept-since-the-memory-service';
const folder = makeServeFolder({ 'token-of-alice': 'alice' });
let server: ServeProcess;
before(async () => {
  const args = ['--db', join(folder, 'memory.db'), '--tokens-file', join(folder, 'user_tokens.json')];
  server = await startServe(folder, [...args, '--embedder', 'none'], { MCP_API_KEY: KEY });
});
after(async () => {
  await server.stop();
  removeFolder(folder);
});

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'probe', version: '1' } },
});
const DOORS: [method: string, path: string, body?: string][] = [
  ['GET', '/api/v1/memories'],
  ['GET', '/api/v1/events'],
  ['GET', '/v1/packets'],
  ['GET', '/sse'],
  ['GET', '/mcp/sse'],
  ['POST', '/mcp', INITIALIZE],
];

async function knock(headers: Record<string, string>, query = ''): Promise<number[]> {
  const statuses: number[] = [];
  for (const [method, path, body] of DOORS) {
    const response = await fetch(`${server.url}${path}${query}`, {
      method,
      headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body }),
    });
    statuses.push(response.status);
    await response.body?.cancel();
  }
  return statuses;
}
const OPEN = DOORS.map(() => 200);
const SHUT = DOORS.map(() => 401);

test('every door takes MCP_API_KEY, and any token, as X-API-Key or as a bearer token', async () => {
  const owner = readOwnerToken(join(folder, 'owner-token'), console)!;
  for (const token of [KEY, owner, 'token-of-alice']) {
    assert.deepEqual(await knock({ 'x-api-key': token }), OPEN);
    assert.deepEqual(await knock({ authorization: `Bearer ${token}` }), OPEN);
  }
});

test('no door takes a wrong key, a key in the address or in a cookie, or one that stands beside a wrong bearer token', async () => {
  for (const wrong of ['', ' ', `${KEY}x`, KEY.slice(1), `x ${KEY}`, '__proto__'])
    assert.deepEqual(await knock({ 'x-api-key': wrong }), SHUT, wrong);
  assert.deepEqual(await knock({}, `?api_key=${KEY}&token=${KEY}`), SHUT);
  assert.deepEqual(await knock({ cookie: `api_key=${KEY}` }), SHUT);
  assert.deepEqual(await knock({ authorization: 'Bearer wrong', 'x-api-key': KEY }), SHUT);
});

test('the key is the owner with every right, and is shown nowhere', async () => {
  const headers = { 'x-api-key': KEY, 'content-type': 'application/json' };
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  };
  assert.equal((await call('POST', '/api/v1/memories', { content: 'stored with the key' })).status, 201);
  assert.equal((await call('GET', '/api/v1/users')).status, 200);
  const { text } = await call('GET', '/api/v1/whoami');
  assert.match(text, /"owner"/);
  assert.ok(!text.includes(KEY) && !server.log().includes(KEY));
  const shown = await runLtm(folder, ['config'], { env: { MCP_API_KEY: KEY } });
  assert.ok(shown.stdout.includes('api_key') && !shown.stdout.includes(KEY), shown.stdout);
});

test('commands send MCP_API_KEY to the server in use, unless there is a token', async () => {
  const env = { LTM_SERVER: server.url, MCP_API_KEY: KEY };
  const found = await runLtm(folder, ['search', 'stored with the key'], { env });
  assert.match(found.stdout, /stored with the key/, found.stderr);
  const refused = await runLtm(folder, ['search', 'anything'], { env: { ...env, LTM_TOKEN: 'wrong' } });
  assert.notEqual(refused.code, 0);
});

test('a key that could be guessed or cannot be sent does not open a server to other machines', async () => {
  const other = makeServeFolder(null);
  for (const [key, host] of [
    ['short', '0.0.0.0'],
    ['with blanks in between it', '127.0.0.1'],
  ] as const) {
    const { code, output } = await failServe(other, ['--db', join(other, 'm.db'), '--host', host], {
      MCP_API_KEY: key,
    });
    assert.notEqual(code, 0);
    assert.match(output, /api_key .*openssl rand/s);
    assert.ok(!output.includes(key));
  }
  removeFolder(other);
});
