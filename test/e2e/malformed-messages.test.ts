import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { readOwnerToken } from '../../src/auth/owner-token.ts';
import type { Answer } from './mcp-process.ts';
import { PLAIN_ENV, PROGRAM } from './program.ts';
import { openRawStream } from './raw-sse.ts';
import { makeServeFolder, removeFolder, type ServeProcess, startServe } from './serve-process.ts';

const folder = makeServeFolder(null);
let server: ServeProcess;
let token = '';
const authorization = () => ({ authorization: `Bearer ${token}` });

before(async () => {
  const unlimited = ['--writes-per-minute', '0', '--reads-per-minute', '0', '--embedder', 'none'];
  server = await startServe(folder, ['--db', join(folder, 'memory.db'), ...unlimited]);
  token = readOwnerToken(join(folder, 'owner-token'), console)!;
});
after(async () => {
  await server.stop();
  removeFolder(folder);
});

const own = (json: string): unknown => JSON.parse(json);
const nested = (levels: number): unknown => own(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
const ODD_PARAMS = [
  undefined,
  null,
  1,
  'text',
  true,
  [],
  [1],
  {},
  { toString: 1 },
  { constructor: null },
  nested(40),
  nested(200),
  own('{"__proto__":1}'),
  own('{"__proto__":{"name":"x"}}'),
  { _meta: 1 },
  { _meta: { progressToken: {} } },
];
const METHODS = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',

  'logging/setLevel',
  'completion/complete',
  'server/discover',
  'subscriptions/listen',
  'toString',
  '__proto__',
  'no/such',
  '',
];
const ODD = [null, 1, '', 't', [], {}, [{ toString: 1 }], { toString: 1 }, own('{"__proto__":{"a":1}}'), nested(40)];
const HELLO = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'probe', version: '1' } };

/** A method, its parameters, and nothing that a client of ours would send. */
const CASES: [method: string, params: unknown][] = [
  ...METHODS.flatMap((method) => ODD_PARAMS.map((params): [string, unknown] => [method, params])),
  ...ODD.flatMap((odd): [string, unknown][] => [
    ...['memory_update', 'memory_store', 'no_such', odd].map((name): [string, unknown] => [
      'tools/call',
      { name, arguments: odd },
    ]),
    ...['id', 'content', 'tags', 'metadata', 'type', 'updates'].map((field): [string, unknown] => [
      'tools/call',
      { name: 'memory_update', arguments: { id: '01m7hhk02thcs5nfsy12', [field]: odd } },
    ]),
    ...['recall', odd].flatMap((name): [string, unknown][] => [
      ['prompts/get', { name, arguments: odd }],
      ['prompts/get', { name, arguments: { topic: odd, project: odd } }],
    ]),
    ['resources/read', { uri: odd }],
    ['resources/subscribe', { uri: odd }],
    ['tools/list', { cursor: odd }],
    ['initialize', { ...HELLO, protocolVersion: odd }],
    ['initialize', { ...HELLO, clientInfo: odd }],
    ['initialize', { ...HELLO, capabilities: odd }],
    ['initialize', { ...HELLO, capabilities: { roots: odd } }],
  ]),
];

const CODES = [-32600, -32601, -32602, -32002];
const SCHEMA_TEXT = /invalid_type|invalid_union|unrecognized_keys|expected \w+, received|ZodError/;

function judge(message: object, answer: Answer | undefined): void {
  const said = `${JSON.stringify(message).slice(0, 200)} was answered with ${JSON.stringify(answer)?.slice(0, 300)}`;
  assert.ok(answer !== undefined, said);
  assert.doesNotMatch(JSON.stringify(answer), SCHEMA_TEXT, said);
  if (answer.error !== undefined) assert.ok(CODES.includes(answer.error.code), said);
  else if (answer.result.isError)
    assert.notEqual(answer.result.structuredContent?.error.code ?? 'internal', 'internal', said);
}

interface Line {
  /** The answer to a message with this id, or to one that has none. */
  ask(message: object | string): Promise<Answer>;
  close(): void;
}

async function walk(line: Line): Promise<void> {
  for (const [i, [method, params]] of CASES.entries()) {
    const message = { jsonrpc: '2.0', id: `case ${i}`, method, ...(params !== undefined && { params }) };
    const answer = await line.ask(message);
    assert.equal(answer.id, message.id, JSON.stringify(message).slice(0, 200));
    judge(message, answer);
  }
  const alive = await line.ask({
    jsonrpc: '2.0',
    id: 'alive',
    method: 'prompts/get',
    params: { name: 'save_session' },
  });
  assert.equal(alive.result.messages.length, 1, 'it goes on');
}

/** `ltm mcp`, spoken to in lines. */
function startLine(args: readonly string[], env: Record<string, string> = {}): Line {
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [PROGRAM, 'mcp', ...args], {
    env: { ...PLAIN_ENV, HOME: folder, ...env },
  });
  const waiting = new Map<unknown, (answer: Answer) => void>();
  createInterface({ input: child.stdout }).on('line', (text) => {
    const answer = JSON.parse(text) as Answer;
    waiting.get(answer.id)?.(answer);
  });
  return {
    ask(message) {
      const { promise, resolve } = Promise.withResolvers<Answer>();
      waiting.set(typeof message === 'string' ? null : (message as Answer).id, resolve);
      child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
      return promise;
    },
    close: () => child.stdin.end(),
  };
}

const greet = (line: Line) => line.ask({ jsonrpc: '2.0', id: 'hello', method: 'initialize', params: HELLO });
const NO_MESSAGES = ['1', 'null', '[]', '{}', '{"jsonrpc":"2.0"}', '{"jsonrpc":"2.0","id":null,"method":"ping"}'];

test('over stdio every message that is wrong gets its code and a sentence', async () => {
  const line = startLine(['--db', join(folder, 'own.db'), '--local'], { LTM_EMBEDDER: 'none' });
  for (const params of [undefined, null, {}, { ...HELLO, clientInfo: null }])
    judge({ params }, await line.ask({ jsonrpc: '2.0', id: 'early', method: 'initialize', params }));
  await greet(line);
  await walk(line);
  for (const text of NO_MESSAGES) assert.equal((await line.ask(text)).error.code, -32600, text);
  assert.equal((await line.ask('{"jsonrpc":')).error.code, -32700);
  line.close();
});

test('over a signed-in stdio every message that is wrong gets the code that the server gives it', async () => {
  const line = startLine(['--server', server.url], { LTM_TOKEN: token });
  await greet(line);
  await walk(line);
  const refused = await line.ask({ jsonrpc: '2.0', id: 'list', method: 'tools/list', params: [] });
  assert.equal(refused.error.code, -32602);
  for (const text of NO_MESSAGES) assert.equal((await line.ask(text)).error.code, -32600, text);
  assert.equal((await line.ask('{"jsonrpc":')).error.code, -32700);
  const packet = '['.repeat(200_000) + ']'.repeat(200_000);
  judge(
    {},
    await line.ask({
      jsonrpc: '2.0',
      id: 'push',
      method: 'tools/call',
      params: { name: 'push', arguments: { packet } },
    }),
  );
  line.close();
});

test('over Streamable HTTP every message that is wrong gets its code, and no answer is a failure of the server', async () => {
  const ask = async (message: object | string): Promise<Answer> => {
    const response = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: {
        ...authorization(),
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-06-18',
      },
      body: typeof message === 'string' ? message : JSON.stringify(message),
    });
    assert.ok(response.status < 500, `${response.status} for ${JSON.stringify(message).slice(0, 200)}`);
    const text = await response.text();
    return JSON.parse(/^data: (\{.*)$/m.exec(text)?.[1] ?? text) as Answer;
  };
  await walk({ ask, close: () => {} });
  for (const text of NO_MESSAGES) assert.equal((await ask(text)).error.code, -32600, text);
  assert.equal((await ask('{"jsonrpc":')).error.code, -32700);
});

test('over HTTP+SSE every message that is wrong is answered on the stream', async () => {
  const stream = await openRawStream(`${server.url}/sse`, authorization());
  const address = (await stream.next())!.data;
  const post = (body: string) =>
    fetch(`${server.url}${address}`, {
      method: 'POST',
      headers: { ...authorization(), 'content-type': 'application/json' },
      body,
    });
  const ask = async (message: object | string): Promise<Answer> => {
    assert.equal((await post(JSON.stringify(message))).status, 202, JSON.stringify(message).slice(0, 200));
    return JSON.parse((await stream.next())!.data) as Answer;
  };
  await greet({ ask, close: () => {} });
  await walk({ ask, close: () => {} });
  for (const text of [...NO_MESSAGES, '{"jsonrpc":']) assert.equal((await post(text)).status, 400, text);
  await stream.close();
});
