// Row 70 of mcp-memory-service's checklist: the stream of events, for every way in which something can be written.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Answer } from './mcp-process.ts';
import { PLAIN_ENV, PROGRAM } from './program.ts';
import { openRawStream, type RawEvent, type RawStream } from './raw-sse.ts';
import { connectSse, makeServeFolder, removeFolder, type ServeProcess, startServe } from './serve-process.ts';

const folder = makeServeFolder({ alice: 'alice', bob: 'bob' });
const db = join(folder, 'memory.db');
let server: ServeProcess;
let owner: string;
before(async () => {
  server = await startServe(folder, [
    '--db',
    db,
    '--tokens-file',
    'user_tokens.json',
    '--event-heartbeat-seconds',
    '1',
  ]);
  assert.ok(existsSync(join(folder, 'owner-token')));
  owner = readFileSync(join(folder, 'owner-token'), 'utf8').trim();
});
after(async () => {
  await server.stop();
  removeFolder(folder);
});

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
const follow = (token: string, headers: Record<string, string> = {}): Promise<RawStream> =>
  openRawStream(`${server.url}/api/v1/events`, { ...bearer(token), ...headers });
const rest = async (method: string, path: string, token: string, body?: unknown): Promise<Answer> => {
  const headers = { ...bearer(token), 'content-type': 'application/json' };
  const response = await fetch(`${server.url}/api/v1${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return response.status === 204 ? {} : ((await response.json()) as Answer);
};

/** The next event that is not a heartbeat. */
async function nextChange(stream: RawStream): Promise<RawEvent & { json: Answer }> {
  for (;;) {
    const event = await stream.next();
    assert.ok(event, 'the stream has ended');
    if (event.event !== 'heartbeat') return { ...event, json: JSON.parse(event.data) };
  }
}

test('says hello, beats, and tells of a stored memory in the words of mcp-memory-service', async (t) => {
  const stream = await follow('alice');
  t.after(() => stream.close());
  const hello = (await stream.next())!;
  assert.equal(hello.event, 'connection_established');
  assert.deepEqual(Object.keys(JSON.parse(hello.data)).slice(0, 4), [
    'timestamp',
    'connection_id',
    'message',
    'heartbeat_interval',
  ]);
  const beat = (await stream.next())!;
  assert.equal(beat.event, 'heartbeat');
  const { active_connections, server_status } = JSON.parse(beat.data);
  assert.deepEqual([active_connections, server_status], [1, 'healthy']);
  const content = 'x'.repeat(150);
  const { memory } = await rest('POST', '/memories', 'alice', { content, tags: ['long'], type: 'decision' });
  const { event, json } = await nextChange(stream);
  assert.equal(event, 'memory_stored');
  const { content_hash, content_preview, tags, memory_type, message } = json;
  assert.deepEqual(
    [content_hash, content_preview, tags, memory_type],
    [memory.content_hash, `${'x'.repeat(100)}...`, ['long'], 'decision'],
  );
  assert.ok(message);
});

test('tells of every write, whichever door or process made it', async (t) => {
  const stream = await follow(owner);
  t.after(() => stream.close());
  await stream.next();
  const expectNext = async (event: string, id: string): Promise<void> => {
    const told = await nextChange(stream);
    assert.deepEqual([told.event, told.json.id], [event, id]);
  };

  const { memory } = await rest('POST', '/memories', owner, { content: 'written over REST' });
  await expectNext('memory_stored', memory.id);
  await rest('PATCH', `/memories/${memory.id}`, owner, { tags: ['changed'] });
  await expectNext('memory_updated', memory.id);
  await rest('DELETE', `/memories/${memory.id}`, owner);
  const deleted = await nextChange(stream);
  assert.deepEqual(
    [deleted.event, deleted.json.content_hash, deleted.json.success],
    ['memory_deleted', memory.content_hash, true],
  );
  await rest('POST', `/memories/${memory.id}/restore`, owner);
  await expectNext('memory_restored', memory.id);

  const http = new Client({ name: 'events', version: '1' });
  await http.connect(
    new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit: { headers: bearer(owner) } }),
  );
  const stored = (await http.callTool({
    name: 'memory_store',
    arguments: { content: 'written over Streamable HTTP' },
  })) as Answer;
  await expectNext('memory_stored', stored.structuredContent.id);
  await http.callTool({ name: 'memory_search', arguments: { query: 'Streamable' } });
  const searched = await nextChange(stream);
  assert.deepEqual(
    [searched.event, searched.json.query, searched.json.results_count >= 1],
    ['search_completed', 'Streamable', true],
  );
  await http.close();

  const sse = await connectSse(`${server.url}/mcp/sse`, owner);
  const { id } = await sse.call('store_memory', { content: 'written over SSE' });
  await expectNext('memory_stored', id);
  await sse.close();

  const env = { ...PLAIN_ENV, HOME: folder };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [PROGRAM, 'store', 'written by another process', '--db', db, '--json'],
    { env },
  );
  await expectNext('memory_stored', JSON.parse(stdout).memory.id);
});

test('tells nobody of what others write or search', async (t) => {
  const bob = await follow('bob');
  t.after(() => bob.close());
  await bob.next();
  await rest('POST', '/memories', 'alice', { content: 'a canary of alice' });
  await rest('POST', '/search', 'alice', { query: 'canary' });
  const { memory } = await rest('POST', '/memories', 'bob', { content: 'a note of bob' });
  const { event, json } = await nextChange(bob);
  assert.deepEqual([event, json.id], ['memory_stored', memory.id]);
});

test('goes on where the client left off, and passes over ids that are not its own', async (t) => {
  const first = await follow('alice');
  await first.next();
  const seen = await rest('POST', '/memories', 'alice', { content: 'seen before the break' });
  const { id, json } = await nextChange(first);
  assert.equal(json.id, seen.memory.id);
  await first.close();
  const missed: string[] = [];
  for (let i = 0; i < 3; i++)
    missed.push((await rest('POST', '/memories', 'alice', { content: `missed number ${i} of the break` })).memory.id);
  const second = await follow('alice', { 'last-event-id': id! });
  t.after(() => second.close());
  assert.equal(JSON.parse((await second.next())!.data).resumed, true);
  for (const expected of missed) assert.equal((await nextChange(second)).json.id, expected);
  const stranger = await follow('bob', { 'last-event-id': id! });
  t.after(() => stranger.close());
  await stranger.next();
  const nonsense = await follow('bob', { 'last-event-id': 'nonsense' });
  t.after(() => nonsense.close());
  assert.equal(JSON.parse((await nonsense.next())!.data).resumed, false);
  const { memory } = await rest('POST', '/memories', 'bob', { content: 'bob sees only this' });
  for (const stream of [stranger, nonsense]) assert.equal((await nextChange(stream)).json.id, memory.id);
});

test('a request for the headers alone leaves no stream open', async (t) => {
  for (const path of ['/api/v1/events', '/mcp/sse', '/sse']) {
    const response = await fetch(`${server.url}${path}`, { method: 'HEAD', headers: bearer('bob') });
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'text/event-stream'], path);
  }
  const stream = await follow('bob');
  t.after(() => stream.close());
  await stream.next();
  // The server may hear a little later that the clients of other tests have left.
  for (let open = 0; open !== 1; ) open = JSON.parse((await stream.next())!.data).active_connections;
});
