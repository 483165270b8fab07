// What Python programs of mcp-memory-service do, with another address. LTM_TEST_PYTHON names an interpreter that has `mcp` and `httpx`; without one this is skipped.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { PLAIN_ENV, PROGRAM } from '../e2e/program.ts';
import { type RestClient, startService } from './rest-client.ts';

const python = process.env.LTM_TEST_PYTHON;
const skip = python === undefined ? 'LTM_TEST_PYTHON names no Python with mcp and httpx' : false;

let rest: RestClient;
before(async () => {
  if (python !== undefined) rest = await startService({ MCP_ALLOW_ANONYMOUS_ACCESS: 'true' }, {});
});
after(() => rest?.close());

async function run(script: string, ...args: string[]): Promise<string[]> {
  const child = spawn(python ?? '', [join(import.meta.dirname, 'python', script), ...args], {
    env: { ...PLAIN_ENV, HOME: rest.server.folder },
  });
  let out = '';
  let errors = '';
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (errors += chunk));
  const [code] = (await once(child, 'exit')) as [number];
  assert.equal(code, 0, errors);
  return out.trim().split('\n');
}

test('the Agent Quick Start and the calls of the README run as they are written', { skip }, async () => {
  assert.deepEqual(await run('quick_start.py', rest.server.url), [
    'API rate limit is 100 req/min',
    'True',
    "['api', 'limits', 'agent:researcher']",
    '1',
    '200',
    'healthy',
  ]);
});

test('the Python SDK uses the tools over stdio, Streamable HTTP and SSE', { skip }, async () => {
  const database = join(rest.server.folder, 'python.db');
  const ways = await run('mcp_client.py', process.execPath, PROGRAM, database, rest.server.url);
  assert.deepEqual(ways, ['stdio', 'streamable-http', 'sse']);
});
