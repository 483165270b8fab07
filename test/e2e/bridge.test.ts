import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { PLAIN_ENV, PROGRAM } from './program.ts';

const folder = mkdtempSync(join(tmpdir(), 'ltm-bridge-'));
let server: ChildProcessWithoutNullStreams;
let url = '';

before(async () => {
  server = spawn(process.execPath, [PROGRAM, 'serve', '--db', join(folder, 'memory.db'), '--port', '0'], {
    env: environment(),
  });
  url = await new Promise<string>((resolve, reject) => {
    let printed = '';
    server.stdout.on('data', (part) => {
      printed += part;
      const found = /listening on (\S+)/.exec(printed)?.[1];
      if (found !== undefined) resolve(found);
    });
    server.once('exit', () => reject(new Error(`the server ended: ${printed}`)));
  });
});
after(async () => {
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill();
  await ended;
  rmSync(folder, { recursive: true, force: true });
});

function environment(more: Record<string, string> = {}): Record<string, string> {
  return {
    ...PLAIN_ENV,
    HOME: folder,
    LTM_CONFIG_DIR: join(folder, 'config'),
    LTM_LOG_LEVEL: 'error',
    ...more,
  };
}

const token = (): string => readFileSync(join(folder, 'owner-token'), 'utf8').trim();

async function withClient<T>(
  args: string[],
  env: Record<string, string>,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [PROGRAM, ...args], env, stderr: 'ignore' }),
  );
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

function textOf(result: unknown): string {
  return JSON.stringify(result);
}

test('a client that only speaks stdio stores and finds over the bridge, with the token of the environment', async () => {
  await withClient(['bridge', `${url}/mcp`], environment({ LTM_TOKEN: token() }), async (client) => {
    assert.ok((await client.listTools()).tools.some(({ name }) => name === 'memory_store'));
    await client.callTool({ name: 'memory_store', arguments: { content: 'the bridge over the canal opens at noon' } });
    assert.match(
      textOf(await client.callTool({ name: 'memory_search', arguments: { query: 'when does the canal bridge open' } })),
      /opens at noon/,
    );
  });
});

test('the bridge also reaches an address of the older transport', async () => {
  await withClient(
    ['bridge', `${url}/mcp/sse?tools=networked`],
    environment({ LTM_TOKEN: token() }),
    async (client) => {
      assert.equal((await client.listTools()).tools[0]?.name, 'store_memory');
      await client.callTool({
        name: 'store_memory',
        arguments: { content: 'the drawbridge rises twice a day', repo_id: 'canal' },
      });
      assert.match(
        textOf(await client.callTool({ name: 'retrieve_memory', arguments: { repo_id: 'canal' } })),
        /rises twice/,
      );
    },
  );
});

test('after a sign-in `ltm mcp` uses the server, and with --local the database of this machine', async () => {
  const signedIn = spawn(process.execPath, [PROGRAM, 'auth', url, token()], { env: environment() });
  assert.equal(await new Promise((resolve) => signedIn.once('exit', resolve)), 0);
  const search = { name: 'memory_search', arguments: { query: 'canal bridge' } };
  await withClient(['mcp'], environment(), async (client) =>
    assert.match(textOf(await client.callTool(search)), /opens at noon/),
  );
  const local = environment({ XDG_DATA_HOME: join(folder, 'data') });
  await withClient(['mcp', '--local'], local, async (client) =>
    assert.doesNotMatch(textOf(await client.callTool(search)), /opens at noon/),
  );
});

test('says what is wrong when the token is not accepted', async () => {
  await assert.rejects(
    withClient(['bridge', `${url}/mcp`], environment({ LTM_TOKEN: 'wrong' }), (client) => client.listTools()),
    /ltm auth/,
  );
  const elsewhere = environment({ LTM_CONFIG_DIR: join(folder, 'nobody') });
  await assert.rejects(
    withClient(['bridge', `${url}/mcp`], elsewhere, (client) => client.listTools()),
    /not signed in to http.*LTM_TOKEN/,
  );
});

test('says in plain words what the server said, and when it says nothing', async () => {
  const env = environment({ LTM_TOKEN: token() });
  await assert.rejects(
    withClient(['bridge', `${url}/mcp?tools=nothing`], env, (client) => client.listTools()),
    /There is no tool family "nothing"\. Choose from core/,
  );
  for (const path of ['/mcp', '/mcp/sse'])
    await assert.rejects(
      withClient(['bridge', `http://127.0.0.1:9${path}`], env, (client) => client.listTools()),
      /127\.0\.0\.1:9 does not answer/,
    );
});
