import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { ERAS } from '../../test/conformance/connect-client.ts';

const SCRIPT = fileURLToPath(new URL('../../test/conformance/stdio-child.ts', import.meta.url));
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'probe', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const INITIALIZE = {
  protocolVersion: '2025-06-18',
  capabilities: { roots: {} },
  clientInfo: { name: 'probe', version: '1' },
};

interface Answer {
  id: unknown;
  method?: string;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

interface Connection {
  child: ChildProcessWithoutNullStreams;
  lines: string[];
  errors: () => string;
  send(message: unknown): void;
  next(): Promise<Answer>;
  ended: Promise<number>;
}

function start(t: TestContext, ...args: string[]): Connection {
  const child = spawn(process.execPath, [SCRIPT, ...args], { stdio: 'pipe' });
  t.after(() => child.kill('SIGKILL'));
  const lines: string[] = [];
  const waiting: ((line: string) => void)[] = [];
  let unread = 0;
  let errors = '';
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    const take = waiting.shift();
    if (take !== undefined) {
      unread += 1;
      take(line);
    }
  });
  child.stderr.on('data', (chunk) => (errors += chunk));
  return {
    child,
    lines,
    errors: () => errors,
    send: (message) =>
      child.stdin.write(
        typeof message === 'string'
          ? `${message}\n`
          : `${JSON.stringify({ jsonrpc: '2.0', ...(message as object) })}\n`,
      ),
    next: async () => {
      const line =
        unread < lines.length ? lines[unread++]! : await new Promise<string>((resolve) => waiting.push(resolve));
      return JSON.parse(line) as Answer;
    },
    ended: once(child, 'exit').then(([code]) => code as number),
  };
}

function search(id: number, query: string, meta?: object): object {
  return {
    id,
    method: 'tools/call',
    params: { name: 'memory_search', arguments: { query }, ...(meta && { _meta: meta }) },
  };
}

for (const mode of ERAS) {
  test(`the SDK's client works over stdio (${mode === 'legacy' ? '2025' : '2026'})`, async (t) => {
    const transport = new StdioClientTransport({ command: process.execPath, args: [SCRIPT], stderr: 'ignore' });
    const client = new Client({ name: 'probe', version: '1' }, { versionNegotiation: { mode } });
    t.after(() => client.close());
    await client.connect(transport);
    assert.equal((await client.listTools()).tools.length, 10);
    const found = await client.callTool({ name: 'memory_search', arguments: { query: 'x' } });
    assert.match(JSON.stringify(found.structuredContent), /asked by probe\/1/);
    assert.equal((await client.listPrompts()).prompts.length, 3);
    await assert.rejects(client.readResource({ uri: 'memory://nowhere' }), /not found/i);
  });
}

test('the handshake and the lists need neither the SDK nor the engine, and the first call finds the connection as the client knows it', async (t) => {
  const { send, next, lines, errors, child, ended } = start(t);
  send({ id: 0, method: 'initialize', params: INITIALIZE });
  assert.equal((await next()).result?.protocolVersion, '2025-06-18');
  send({ method: 'notifications/initialized' });
  for (const [index, method] of [
    'ping',
    'tools/list',
    'resources/list',
    'resources/templates/list',
    'prompts/list',
  ].entries()) {
    send({ id: `list-${index}`, method });
    assert.equal((await next()).id, `list-${index}`);
  }
  assert.equal(errors(), '', 'nothing was opened');
  send(search(0, 'x'));
  const found = await next();
  assert.equal(found.id, 0);
  assert.match(JSON.stringify(found.result), /asked by probe\/1/, 'the handshake named the client');
  send({ id: 'read', method: 'resources/read', params: { uri: 'memory://nowhere' } });
  assert.match((await next()).error?.message ?? '', /not found/i);
  send({ id: 9, method: 'tools/list' });
  assert.equal((await next()).id, 9);
  child.stdin.end();
  assert.equal(await ended, 0);
  assert.equal(lines.length, 9, 'one line for each request, none for the replay');
  assert.match(errors(), /^engine opened\nengine closed\n$/);
});

test('what a first call needs is read once the tools were listed, and nothing is opened for it', async (t) => {
  const { send, next, errors, child, ended } = start(t, 'telling');
  send({ id: 0, method: 'initialize', params: INITIALIZE });
  await next();
  for (const id of [1, 2]) {
    send({ id, method: 'tools/list' });
    await next();
  }
  while (errors() === '') await new Promise((resolve) => setTimeout(resolve, 10));
  child.stdin.end();
  assert.equal(await ended, 0);
  assert.equal(errors(), 'prepared\n');
});

test('a 2026 client gets its answers, subscriptions included', async (t) => {
  const { send, next, child, ended } = start(t);
  send({ id: 1, method: 'server/discover', params: { _meta: META } });
  assert.deepEqual((await next()).result?.supportedVersions, ['2026-07-28']);
  send({ id: 2, method: 'tools/list', params: { _meta: META } });
  assert.equal((await next()).result?.resultType, 'complete');
  send({ id: 3, method: 'subscriptions/listen', params: { _meta: META, notifications: { toolsListChanged: true } } });
  assert.equal((await next()).method, 'notifications/subscriptions/acknowledged');
  send(search(4, 'x', META));
  assert.match(JSON.stringify((await next()).result), /asked by probe\/1/);
  send({ id: 5, method: 'initialize', params: INITIALIZE });
  assert.ok((await next()).error !== undefined, 'an era cannot be left');
  child.stdin.end();
  assert.equal(await ended, 0);
});

test('a 2026 probe that falls back to initialize is served', async (t) => {
  const { send, next } = start(t);
  send({ id: 1, method: 'server/discover', params: { _meta: META } });
  await next();
  send({ id: 1, method: 'initialize', params: INITIALIZE });
  assert.equal((await next()).result?.protocolVersion, '2025-06-18');
  send({ method: 'notifications/initialized' });
  send(search(2, 'x'));
  assert.equal((await next()).id, 2);
});

test('unknown revisions are left to the SDK', async (t) => {
  const { send, next } = start(t);
  send({ id: 1, method: 'initialize', params: { ...INITIALIZE, protocolVersion: '2099-01-01' } });
  assert.equal((await next()).result?.protocolVersion, '2025-11-25');
});

test('lines that are no messages are answered as such and the rest goes on', async (t) => {
  const { send, next } = start(t);
  send('{"jsonrpc":');
  assert.equal((await next()).error?.code, -32700);
  send('[1,2]');
  assert.equal((await next()).error?.code, -32600);
  send({ id: 1, method: 'initialize', params: INITIALIZE });
  assert.equal((await next()).id, 1);
  send({ id: 2, method: 'constructor' });
  assert.equal((await next()).error?.code, -32601);
});

test('messages sent in one go are answered even though the input ends at once', async (t) => {
  const { send, child, lines, ended } = start(t);
  send({ id: 1, method: 'initialize', params: INITIALIZE });
  send({ method: 'notifications/initialized' });
  send(search(2, 'soon'));
  child.stdin.end();
  assert.equal(await ended, 0);
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as Answer).id),
    [1, 2],
  );
});

test('the process ends after its input, although a call never does', async (t) => {
  const { send, next, child, lines, ended } = start(t, 'slow');
  send({ id: 1, method: 'initialize', params: INITIALIZE });
  await next();
  send(search(2, 'x'));
  send({ id: 3, method: 'ping' });
  await next();
  child.stdin.end();
  assert.equal(await ended, 0);
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as Answer).id),
    [1, 3],
  );
});

test('a client that stops reading ends the process', async (t) => {
  const { send, next, child, ended } = start(t);
  send({ id: 1, method: 'initialize', params: INITIALIZE });
  await next();
  child.stdout.destroy();
  for (let id = 2; id < 5; id++) {
    send({ id, method: 'tools/list' });
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.equal(await ended, 0);
});

test('an engine that does not open fails the call, and the next call tries again', async (t) => {
  const { send, next } = start(t, 'broken');
  send({ id: 1, method: 'initialize', params: INITIALIZE });
  await next();
  send(search(2, 'x'));
  const failed = (await next()).result;
  assert.equal(failed?.isError, true);
  assert.doesNotMatch(JSON.stringify(failed), /no such disk/);
  send(search(3, 'x'));
  assert.match(JSON.stringify((await next()).result), /asked by probe/);
});

/** The hit is three days old to the millisecond. */
function withoutAges(answer: Answer): unknown {
  return JSON.parse(JSON.stringify(answer).replaceAll(/\d days ago/g, 'days ago'));
}

test('a plain call gets the answer that the SDK gives to the same call', async (t) => {
  const { send, next, lines } = start(t);
  send({ id: 0, method: 'initialize', params: INITIALIZE });
  await next();
  const asked = [
    { name: 'memory_search', arguments: { query: 'x' } },
    { name: 'memory_search', arguments: { qurey: 'x' } },
    { name: 'memory_health' },
  ];
  for (const params of asked) {
    send({ id: 1, method: 'tools/call', params: { ...params, _meta: { progressToken: 1 } } });
    const plain = withoutAges(await next());
    send({ id: 1, method: 'tools/call', params: { ...params, _meta: { 'example.com/trace': 1 } } });
    assert.deepEqual(withoutAges(await next()), plain);
  }
  assert.equal(lines.length, 1 + 2 * asked.length);
  send({ id: 2, method: 'tools/call', params: { name: 'memory_serch', arguments: {} } });
  const { code, message } = (await next()).error ?? {};
  assert.equal(code, -32602);
  assert.match(message ?? '', /Unknown tool: memory_serch\. Did you mean memory_search\?/);
});

test('a cancelled call is never answered, whether or not it ends', async (t) => {
  const { send, next, child, lines, ended } = start(t);
  send({ id: 1, method: 'initialize', params: INITIALIZE });
  await next();
  for (const id of [2, 3]) send(search(id, id === 2 ? 'soon' : 'never'));
  for (const requestId of [2, 3, 99]) send({ method: 'notifications/cancelled', params: { requestId } });
  send(search(4, 'soon'));
  assert.equal((await next()).id, 4);
  child.stdin.end();
  assert.equal(await ended, 0);
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as Answer).id),
    [1, 4],
  );
});
