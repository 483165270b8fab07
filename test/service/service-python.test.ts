// What Python programs of mcp-memory-service do, with another address: with the interpreter that LTM_TEST_PYTHON names, or the machine's python3.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { PLAIN_ENV, PROGRAM } from '../e2e/program.ts';
import { type RestClient, startService } from './rest-client.ts';
import { hashOf } from './service-client.ts';

const PYTHON = process.env.LTM_TEST_PYTHON ?? 'python3';
const FOLDER = join(import.meta.dirname, 'python');

function runs(...args: string[]): boolean {
  return spawnSync(PYTHON, args, { env: PLAIN_ENV, stdio: 'ignore' }).status === 0;
}

const isThere = runs('-c', 'import sys; assert sys.version_info >= (3, 9)');
const skip = isThere ? false : 'There is no Python 3 here.';
const hasHttpx = isThere && runs('-c', 'import httpx');
const hasSdk = isThere && runs('-c', 'import mcp');

let rest: RestClient;
before(async () => {
  if (isThere) rest = await startService({ MCP_ALLOW_ANONYMOUS_ACCESS: 'true' }, {});
});
after(() => rest?.close());

async function run(script: string, args: string[], env: Record<string, string> = {}): Promise<string[]> {
  const path = hasHttpx ? {} : { PYTHONPATH: join(FOLDER, 'stand-in') };
  const child = spawn(PYTHON, [join(FOLDER, script), ...args], {
    env: { ...PLAIN_ENV, ...path, PYTHONDONTWRITEBYTECODE: '1', HOME: rest.server.folder, ...env },
  });
  let out = '';
  let errors = '';
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (errors += chunk));
  const [code] = (await once(child, 'close')) as [number];
  assert.equal(code, 0, errors);
  return out.trim().split('\n');
}

test('the Agent Quick Start and the calls of the README run as they are written', { skip }, async () => {
  assert.deepEqual(await run('quick_start.py', [rest.server.url]), [
    'API rate limit is 100 req/min',
    'True',
    "['api', 'limits', 'agent:researcher']",
    '1',
    '200',
    'healthy',
  ]);
});

test('the functions of its guide for HTTP clients run, with routes that its own server never had', {
  skip,
}, async () => {
  assert.deepEqual(await run('generic_client.py', [rest.server.url]), [
    "API rate limit is 100 req/min ['api', 'limits', 'agent:researcher']",
    "API rate limit is 100 req/min for the Acme service ['api', 'rate-limit', 'acme', 'agent:researcher']",
    '1 1',
    '[]',
    "[(True, 'supports')]",
    "['patched']",
    '4',
    '404',
    'True',
  ]);
});

test('an agent over stdio, with the settings of the service in its environment, keeps its calls', {
  skip,
}, async () => {
  const env = {
    MCP_MEMORY_SQLITE_PATH: join(rest.server.folder, 'stdio.db'),
    MCP_MEMORY_STORAGE_BACKEND: 'sqlite_vec',
    LTM_PROJECT: 'off',
  };
  const said = await run('stdio_client.py', [process.execPath, PROGRAM, 'memory', 'server'], env);
  assert.deepEqual(said, [
    '2024-11-05',
    '28',
    `Memory stored successfully (hash: ${hashOf('Deploys are on Fridays')})`,
    "Found 1 memories (mode: semantic) for query: 'when do we deploy'",
    'decision',
    'Successfully deleted. Deleted 1 memories',
  ]);
});

const noSdk = hasSdk ? false : 'LTM_TEST_PYTHON names no Python with mcp';

test('the Python SDK uses the tools over stdio, Streamable HTTP and SSE', { skip: skip || noSdk }, async () => {
  const database = join(rest.server.folder, 'python.db');
  const ways = await run('mcp_client.py', [process.execPath, PROGRAM, database, rest.server.url]);
  assert.deepEqual(ways, ['stdio', 'streamable-http', 'sse']);
});
