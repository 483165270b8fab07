import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { fetchAnew } from './fetch-anew.ts';
import type { Answer } from './mcp-process.ts';
import { openRawStream, type RawStream } from './raw-sse.ts';
import { failServe, makeServeFolder, removeFolder, type ServeProcess, startServe } from './serve-process.ts';

const ARGS = ['--db', 'memory.db', '--workers', '2', '--embedder', 'none'];

function ownerOf({ folder }: { folder: string }): Record<string, string> {
  return { authorization: `Bearer ${readFileSync(join(folder, 'owner-token'), 'utf8').trim()}` };
}

/** Each call reaches the next worker. */
async function rest({ url, folder }: ServeProcess, method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetchAnew(`${url}/api/v1${path}`, {
    method,
    headers: { ...ownerOf({ folder }), 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, ...((await response.json().catch(() => ({}))) as Answer) };
}

/** The process ids of the workers that run now, by number, as the log tells them. */
function pidsOf(server: ServeProcess): Map<number, number> {
  const lines = server
    .log()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'));
  const events = lines.map((line) => JSON.parse(line) as { event: string; worker: number; pid: number });
  return new Map(events.filter(({ event }) => event === 'worker_started').map(({ worker, pid }) => [worker, pid]));
}

async function until(isTrue: () => Promise<boolean> | boolean): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (await isTrue()) return;
    await pause(50);
  }
  throw new Error('it never came true');
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // there is no such process
  }
}

describe('two workers on one port', () => {
  const folder = makeServeFolder(null);
  let server: ServeProcess;
  before(async () => {
    server = await startServe(folder, [...ARGS, '--mcp-sessions', 'true', '--max-streams', '12']);
  });
  after(async () => {
    await server?.stop();
    removeFolder(folder);
  });

  test('answer in turn, and what one stores the other finds at once', async () => {
    const answering = new Set<number>();
    for (let i = 0; i < 4; i++) {
      const { workers } = await rest(server, 'GET', '/health');
      assert.deepEqual([workers.count, workers.running], [2, 2]);
      await rest(server, 'GET', '/whoami');
      answering.add(workers.answering);
      const { memory } = await rest(server, 'POST', '/memories', {
        content: `the ${i}th lighthouse was built of basalt`,
      });
      const found = await rest(server, 'GET', `/memories/${memory.id}`);
      assert.equal(found.status, 200, JSON.stringify(found));
      const { hits } = await rest(server, 'POST', '/search', { query: `${i}th lighthouse` });
      assert.ok(hits.some((hit: Answer) => hit.id === memory.id));
    }
    assert.deepEqual([...answering].sort(), [1, 2]);
  });

  test('carry one session of a 2025-era client together, its stream of events included', async () => {
    const client = new Client({ name: 'probe', version: '1' });
    const told: string[] = [];
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => void told.push(params.uri));
    const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
      requestInit: { headers: ownerOf(server) },
      fetch: fetchAnew,
    });
    await client.connect(transport);
    assert.match(transport.sessionId ?? '', /^0[01]/);
    await client.subscribeResource({ uri: 'memory://stats' });
    for (let i = 0; i < 4; i++) {
      const { isError } = await client.callTool({ name: 'memory_store', arguments: { content: `session note ${i}` } });
      assert.notEqual(isError, true);
    }
    await until(() => told.includes('memory://stats'));
    await transport.terminateSession();
    await client.close();
  });

  test('tell a session that neither holds from one of their own', async () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    for (const id of ['00', '01', '77'].map((slot) => `${slot}000000-0000-4000-8000-000000000000`)) {
      const response = await fetchAnew(`${server.url}/mcp`, {
        method: 'POST',
        headers: {
          ...ownerOf(server),
          'mcp-session-id': id,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify(message),
      });
      assert.equal(response.status, 404, id);
    }
  });

  test('serve the older transport, wherever its messages land', async () => {
    for (let i = 0; i < 2; i++) {
      const client = new Client({ name: 'probe', version: '1' });
      const requestInit = { headers: ownerOf(server) };
      await client.connect(new SSEClientTransport(new URL(`${server.url}/sse`), { requestInit, fetch: fetchAnew }));
      for (let call = 0; call < 3; call++) {
        const { isError } = await client.callTool({ name: 'memory_search', arguments: { query: 'lighthouse' } });
        assert.notEqual(isError, true);
      }
      await client.close();
    }
  });

  test('tell on either stream what was stored and searched at either', async (t) => {
    const streams = await Promise.all([0, 1].map(() => openRawStream(`${server.url}/api/v1/events`, ownerOf(server))));
    t.after(() => Promise.all(streams.map((stream) => stream.close())));
    for (const stream of streams)
      assert.equal((await nextOf(stream, 'connection_established')).event, 'connection_established');
    for (let i = 0; i < 2; i++) {
      const { memory } = await rest(server, 'POST', '/memories', { content: `told to both streams, ${i}` });
      for (const stream of streams) assert.match((await nextOf(stream, 'memory_stored')).data, new RegExp(memory.id));
    }
    // both know by now that the other one listens
    for (let i = 0; i < 2; i++) {
      await rest(server, 'POST', '/search', { query: `heard everywhere ${i}` });
      for (const stream of streams)
        assert.match((await nextOf(stream, 'search_completed')).data, new RegExp(`heard everywhere ${i}`));
    }
  });

  test('hold no more streams together than one server may', async (t) => {
    const open: RawStream[] = [];
    t.after(() => Promise.all(open.map((stream) => stream.close())));
    for (let i = 0; i < 12; i++) {
      open.push(await openAnew(server));
      assert.equal(open[i]!.status, 200, String(i));
      await pause(20);
    }
    for (let i = 0; i < 2; i++) assert.equal((await openAnew(server)).status, 503);
    await open.pop()!.close();
    await until(async () => {
      const again = await openAnew(server);
      await again.close();
      return again.status === 200;
    });
  });
});

function openAnew(server: ServeProcess): Promise<RawStream> {
  const plain = globalThis.fetch;
  globalThis.fetch = fetchAnew;
  try {
    return openRawStream(`${server.url}/api/v1/events`, ownerOf(server));
  } finally {
    globalThis.fetch = plain;
  }
}

async function nextOf(stream: RawStream, name: string): Promise<{ event: string; data: string }> {
  for (;;) {
    const event = await stream.next();
    assert.ok(event, 'the stream has ended');
    if (event.event === name) return event;
  }
}

describe('a server of workers', () => {
  const folder = makeServeFolder(null);
  after(() => removeFolder(folder));

  test('counts the requests of one person over all of them', async () => {
    const server = await startServe(folder, [...ARGS, '--reads-per-minute', '60']);
    const statuses: number[] = [];
    for (let i = 0; i < 200; i++) statuses.push((await rest(server, 'GET', '/whoami')).status);
    await server.stop();
    const accepted = statuses.filter((status) => status === 200).length;
    // twice 60 where each counted alone
    assert.ok(accepted >= 60 && accepted < 100, String(accepted));
    assert.equal(statuses.at(-1), 429);
  });

  test('replaces a worker that is killed amid requests, loses nothing that was acknowledged, and says so', async () => {
    const server = await startServe(folder, [...ARGS, '--writes-per-minute', '0']);
    const stored: string[] = [];
    let failures = 0;
    let isWriting = true;
    const write = async (): Promise<void> => {
      while (isWriting) {
        const content = `acknowledged ${Math.random()}`;
        const answer = await rest(server, 'POST', '/memories', { content }).catch(() => ({ status: 0 }) as Answer);
        if (answer.status === 201) stored.push(answer.memory.id);
        else failures++;
        await pause(10);
      }
    };
    const writers = [write(), write(), write(), write()];
    await until(() => stored.length > 20);
    await until(() => pidsOf(server).size === 2);
    const first = pidsOf(server).get(2)!;
    process.kill(first, 'SIGKILL');
    const before = stored.length;
    try {
      await until(() => stored.length > before + 20 && pidsOf(server).get(2) !== first);
    } finally {
      isWriting = false;
      await Promise.all(writers);
    }
    assert.ok(failures <= 4, `${failures} of ${stored.length} failed`);
    for (const id of stored.slice(Math.max(0, before - 30), before + 30))
      assert.equal((await rest(server, 'GET', `/memories/${id}`)).status, 200);
    const health = await rest(server, 'GET', '/health');
    assert.equal(health.workers.running, 2);
    assert.match(server.log(), /"event":"worker_ended","worker":2,"reason":"SIGKILL"/);
    await server.stop();
  });

  test('ends its streams and leaves no process and no file behind when it is stopped', async () => {
    // A folder that no other test uses meanwhile.
    const temporary = mkdtempSync(join(tmpdir(), 'ltm-left-'));
    const server = await startServe(folder, ARGS, { TMPDIR: temporary, TEMP: temporary });
    await until(() => pidsOf(server).size === 2);
    assert.notDeepEqual(readdirSync(temporary), []);
    const pids = [...pidsOf(server).values()];
    const streams = await Promise.all([openAnew(server), openAnew(server)]);
    await server.stop();
    for (const stream of streams) while ((await stream.next()) !== null);
    assert.deepEqual(pids.map(isAlive), [false, false]);
    assert.deepEqual(readdirSync(temporary), []);
    removeFolder(temporary);
    assert.match(server.log(), /"event":"closed","worker":1/);
  });

  test('takes its workers along when it is killed', { skip: process.platform === 'win32' }, async () => {
    const server = await startServe(folder, ARGS);
    await until(() => pidsOf(server).size === 2);
    const pids = [...pidsOf(server).values()];
    process.kill(server.pid, 'SIGKILL');
    await until(() => !pids.some(isAlive));
  });

  test('says why it cannot start as a single process does', async () => {
    const server = await startServe(folder, ARGS);
    const { port } = new URL(server.url);
    const other = makeServeFolder(null);
    const { code, output } = await failServe(other, ARGS, {}, port);
    removeFolder(other);
    await server.stop();
    assert.notEqual(code, 0);
    assert.match(output, new RegExp(`Port ${port} on 127.0.0.1 is in use`));
  });

  test('refuses a number of workers that is none', async () => {
    for (const value of ['0', '257', 'many', '1.5'])
      assert.match(
        (await failServe(folder, ['--workers', value])).output,
        /must be a whole number from 1 to 256, or auto/,
      );
  });
});
