import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestApp } from '../open-test-app.ts';
import { makeCaller, makeWordEmbedder, openTestEngine } from '../open-test-engine.ts';

const app = await openTestApp();
after(() => app.close());

/** An admin of their own space, and not of the server. */
const bob = (await app.addToken(['read', 'write', 'admin'], 'bob')).value;
const HEADERS = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };

async function askTool(token: string): Promise<Record<string, unknown>> {
  const json = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'memory_health', arguments: {} } };
  const body = await (await app.request('POST', '/mcp', { json, headers: HEADERS, token })).text();
  return JSON.parse(body.slice(body.indexOf('{'))).result.structuredContent;
}

async function readResource(token: string): Promise<Record<string, unknown>> {
  const json = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'memory://stats' } };
  const body = await (await app.request('POST', '/mcp', { json, headers: HEADERS, token })).text();
  return JSON.parse(JSON.parse(body.slice(body.indexOf('{'))).result.contents[0].text);
}

test('a person is told of their own space behind every door, and the operator of the server too', async () => {
  const store = (content: string, token: string) => app.json('POST', '/api/v1/memories', { json: { content }, token });
  for (const content of ['one', 'two', 'three']) await store(content, app.tokens.admin);
  await store('the only one', bob);
  const get = async (path: string, token: string) =>
    (await app.json<Record<string, unknown>>('GET', `/api/v1${path}`, { token })).body;
  const [his, owners] = [await get('/stats', bob), await get('/stats', app.tokens.admin)];
  assert.deepEqual([his.memories, owners.memories], [1, 3]);
  assert.deepEqual([his.bytes, typeof owners.bytes], [undefined, 'number']);
  const health = await get('/health', bob);
  assert.deepEqual(
    [health.status, health.location, health.bytes, health.searches, Object.keys(health.index as object).sort()],
    ['healthy', undefined, undefined, undefined, ['head', 'segment_bytes', 'segments']],
  );
  const whole = await get('/health', app.tokens.admin);
  assert.deepEqual([whole.location, typeof whole.bytes, typeof whole.searches], [app.config.db, 'number', 'object']);
  const readOnly = await get('/health', app.tokens.read);
  assert.equal(readOnly.location, undefined, 'the owner’s reading token is no operator’s');
  for (const ask of [askTool, readResource]) {
    const told = JSON.stringify(await ask(bob));
    assert.match(told, /"total_memories":1/);
    assert.doesNotMatch(told, /database_size|location|queries|"spaces"/);
    assert.match(JSON.stringify(await ask(app.tokens.admin)), /"total_memories":3.*database_size/);
  }
});

test('a problem of one space is told there and to the operator, and why a shared part fails to the operator alone', async (t) => {
  const embedder = makeWordEmbedder();
  const { engine } = await openTestEngine(t, { embedder });
  const operator = makeCaller('cli');
  const personOf = (userId: string) => makeCaller('rest', { userId, space: userId, spaces: [userId] });
  const [ada, eve] = [personOf('ada'), personOf('eve')];
  embedder.fails = true;
  await engine.storeMemory(ada, { content: 'poison' });
  for (const person of [ada, eve])
    for (let i = 0; i < 5; i++) await engine.storeMemory(person, { content: `harmless ${i}`, onDuplicate: 'store' });
  await engine.runUpkeep();
  const problemsOf = async (caller: typeof ada) => (await engine.checkHealth(caller)).problems;
  assert.deepEqual(await problemsOf(eve), ['The embedder does not answer, so search uses words only.']);
  assert.match((await problemsOf(operator)).join(), /words only: The test embedder is down/);
  embedder.fails = (text) => text === 'poison';
  await engine.runUpkeep();
  assert.deepEqual(await problemsOf(eve), []);
  assert.equal((await engine.checkHealth(eve)).status, 'healthy');
  const own = '1 memories could not be embedded and are found by their words only.';
  assert.deepEqual(await problemsOf(ada), [own]);
  assert.deepEqual(await problemsOf(operator), [`In the space ada: ${own}`]);
});
