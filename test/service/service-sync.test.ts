// The routes by which replicas of mcp-memory-service 12.4 exchange memories, its resonance search, and what is saved of its settings.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { compareWaves, toWave } from '../../src/compat/service/routes/resonance-route.ts';
import { openTestApp, type TestApp } from '../open-test-app.ts';
import type { Json } from './rest-client.ts';
import { hashOf } from './service-client.ts';

interface Server extends Omit<TestApp, 'store'> {
  send(method: string, path: string, json?: unknown): Promise<{ status: number; body: Json }>;
  store(content: string, more?: object): Promise<string>;
  texts(): Promise<string[]>;
}

async function open(t: TestContext, flags: Record<string, string> = {}): Promise<Server> {
  const app = await openTestApp(flags);
  t.after(() => app.close());
  const send = async (method: string, path: string, json?: unknown) => {
    const answer = await app.request(method, `/api${path}`, {
      token: app.tokens.admin,
      ...(json !== undefined && { json }),
    });
    return { status: answer.status, body: (await answer.json()) as Json };
  };
  return {
    ...app,
    send,
    async store(content, more = {}) {
      assert.equal((await send('POST', '/memories', { content, conversation_id: 'c', ...more })).body.success, true);
      return hashOf(content);
    },
    texts: async () =>
      (await send('GET', '/memories?page_size=100')).body.memories.map(({ content }: Json) => content).sort(),
  };
}

test('a baseline brings everything to another server: texts, tags, times, stores, what is superseded and what is deleted', async (t) => {
  const [hub, spoke] = [await open(t), await open(t)];
  await hub.store('The winch is oiled in May', {
    tags: ['winch'],
    memory_type: 'decision',
    metadata: { a: 1 },
    store: 'yard',
  });
  const old = await hub.store('The winch listens on port 1');
  const next = await hub.store('The winch listens on port 2');
  await hub.send('POST', '/conflicts/resolve', { winner_hash: next, loser_hash: old });
  const gone = await hub.store('Nobody needs this winch note');
  await hub.send('DELETE', `/memories/${gone}`);
  const { body: baseline } = await hub.send('GET', '/sync/baseline');
  assert.deepEqual([baseline.count, baseline.events.length], [4, 4]);
  const push = () => spoke.send('POST', '/sync/events', { events: baseline.events });
  const { body: pushed } = await push();
  assert.deepEqual([pushed.applied, pushed.skipped, pushed.failed], [3, 1, 0], JSON.stringify(pushed));
  assert.deepEqual(await spoke.texts(), await hub.texts());
  const read = async (server: Server, hash: string) => (await server.send('GET', `/memories/${hash}`)).body;
  for (const hash of [hashOf('The winch is oiled in May'), next]) {
    const [here, there] = [await read(hub, hash), await read(spoke, hash)];
    for (const field of ['content', 'tags', 'memory_type', 'metadata', 'created_at'])
      assert.deepEqual(there[field], here[field]);
  }
  assert.equal((await spoke.send('GET', '/memories?store=yard')).body.total, 1);
  assert.equal((await push()).body.applied, 0);
});

test('events after the watermark are told in order, applied once, and the later of two states counts', async (t) => {
  const [hub, spoke] = [await open(t), await open(t)];
  const hash = await hub.store('The crane lifts forty tonnes', { tags: ['crane'] });
  const { watermark } = (await hub.send('GET', '/sync/baseline')).body;
  assert.deepEqual((await hub.send('GET', `/sync/events?since_seq=${watermark}`)).body, {
    events: [],
    next_seq: watermark,
    has_more: false,
  });
  const first = (await hub.send('GET', '/sync/events')).body;
  assert.deepEqual(
    first.events.map(({ op, content_hash: of }: Json) => [op, of]),
    [['create', hash]],
  );
  await spoke.send('POST', '/sync/events', { events: first.events });
  await hub.send('PUT', `/memories/${hash}`, { tags: ['crane', 'heavy'] });
  const second = (await hub.send('GET', `/sync/events?since_seq=${first.next_seq}`)).body;
  // its clock may stand where the spoke's does
  const later = second.events.map((event: Json) => ({ ...event, hlc_physical: event.hlc_physical + 1000 }));
  const push = async (events: Json) => (await spoke.send('POST', '/sync/events', { events })).body.results[0].status;
  assert.equal(await push(later), 'applied');
  assert.deepEqual((await spoke.send('GET', `/memories/${hash}`)).body.tags, ['crane', 'heavy']);
  assert.equal(await push(first.events), 'skipped_duplicate');
  await hub.send('DELETE', `/memories/${hash}`);
  const third = (await hub.send('GET', `/sync/events?since_seq=${second.next_seq}`)).body;
  const [deletion] = third.events;
  assert.equal(deletion.op, 'delete');
  assert.equal(await push([{ ...deletion, hlc_physical: 1 }]), 'skipped_duplicate');
  assert.equal(await push([{ ...deletion, hlc_physical: Date.now() + 5000 }]), 'applied');
  assert.deepEqual(await spoke.texts(), []);
  assert.equal(await push(first.events), 'skipped_duplicate', 'an older creation does not bring it back');
});

test('events that cannot be applied change nothing: without an agent, with a text that is another, after one that failed', async (t) => {
  const hub = await open(t);
  const event = {
    event_id: 'e1',
    op: 'create',
    content_hash: hashOf('Told by a peer'),
    agent_id: 'peer',
    hlc_physical: 1000,
    payload: { content: 'Told by a peer' },
  };
  assert.equal((await hub.send('POST', '/sync/events', { events: [{ ...event, agent_id: ' ' }] })).status, 403);
  const { body } = await hub.send('POST', '/sync/events', {
    events: [{ ...event, content_hash: 'f'.repeat(64) }, event, 'nonsense'],
  });
  assert.deepEqual([body.applied, body.failed], [0, 3]);
  assert.equal((await hub.send('POST', '/sync/events', { events: 'all' })).status, 400);
  assert.equal((await hub.send('GET', '/sync/events?since_seq=99999')).status, 409);
  assert.deepEqual(await hub.texts(), []);
  const { body: said } = await hub.send('GET', '/sync/capabilities');
  assert.deepEqual([said.sync_protocol, said.event_schema_version, said.embedding_dimension > 0], [1, 1, true]);
});

test('resonance search orders by interference and phase of the vectors, each number as the formula has it', async (t) => {
  const hub = await open(t);
  const near = await hub.store('The lighthouse lamp burns colza oil');
  await hub.store('Payroll is run on the last day of the month');
  const ask = async (mode: string) =>
    (await hub.send('POST', '/memories/resonance-search', { query: 'which oil does the lamp burn', mode })).body;
  for (const mode of ['resonance', 'phase', 'hybrid']) {
    const { results, total_stored: stored, backend } = await ask(mode);
    assert.deepEqual([results[0].content_hash, results.length, stored, backend], [near, 2, 2, 'resonance'], mode);
    const { score, details } = results[0];
    const expected = {
      resonance: details.resonance,
      phase: 1 - details.phase_shift,
      hybrid: 0.7 * details.resonance + 0.3 * (1 - details.phase_shift),
    }[mode]!;
    assert.ok(Math.abs(score - expected) < 2e-6, mode);
  }
  const wave = toWave(Float32Array.of(0.1, -0.4, 0.7, 0.2));
  assert.deepEqual(compareWaves(wave, wave, 'hybrid'), { score: 1, details: { resonance: 1, phase_shift: 0 } });
  assert.equal((await hub.send('POST', '/memories/resonance-search', { query: 'x', mode: 'loud' })).status, 422);
  const plain = await open(t, { embedder: 'none' });
  assert.equal((await plain.send('POST', '/memories/resonance-search', { query: 'x' })).status, 503);
});

test('settings of quality are saved for the next start, checked first; credentials of Cloudflare are neither kept nor tested', async (t) => {
  const hub = await open(t);
  const save = (settings: object) => hub.send('POST', '/config/quality', { settings });
  assert.equal((await save({})).status, 400);
  assert.equal((await save({ MCP_API_KEY: 'x' })).status, 400);
  assert.equal((await save({ MCP_QUALITY_BOOST_ENABLED: 'maybe' })).status, 400);
  assert.match((await save({ MCP_QUALITY_AI_PROVIDER: 'groq' })).body.detail, /needs summarizer_url/);
  const saved = await save({ MCP_QUALITY_BOOST_ENABLED: 'true', MCP_QUALITY_AI_PROVIDER: 'none' });
  assert.deepEqual([saved.status, saved.body.success, saved.body.restart_scheduled], [200, true, false]);
  assert.deepEqual(JSON.parse(readFileSync(hub.config.configFile, 'utf8')), {
    quality_boost: 0.3,
    quality_scorer: false,
  });
  const credentials = (await hub.send('GET', '/config/credentials?reveal=true')).body;
  assert.deepEqual([credentials.api_token_full, credentials.account_id], [null, null]);
  assert.equal((await hub.send('POST', '/config/credentials/test', { api_token: 'a' })).body.valid, false);
});
