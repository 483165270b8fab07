// Rows 39, 77 and 79 of mcp-memory-service's checklist, by number: its older names, its files, its command line.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { startMcpProcess } from '../e2e/mcp-process.ts';
import { PLAIN_ENV, PROGRAM } from '../e2e/program.ts';
import type { Json } from './rest-client.ts';
import { olderCalls } from './service-walk.ts';

const home = mkdtempSync(join(tmpdir(), 'ltm-exchange-'));
after(() => rmSync(home, { recursive: true }));
const env = { ...PLAIN_ENV, HOME: home };
const ltm = (...args: string[]): string =>
  execFileSync(process.execPath, [PROGRAM, ...args], {
    env,
    cwd: home,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });

test('row 39: all 34 older names, and get_raw_embedding, answer to their old arguments', async (t) => {
  const mcp = await startMcpProcess({ LTM_TOOLS: 'service', LTM_PROJECT: 'off' });
  t.after(() => mcp.close());
  const file = join(home, 'old.md');
  writeFileSync(file, '# Old\n\nTaken in by an older name.');
  const calls = olderCalls(home, file);
  for (const [name, args, told] of calls) {
    const text = await mcp.text(name, args);
    assert.match(text, told, `${name}: ${text}`);
  }
  assert.equal(new Set(calls.map(([name]) => name)).size, 34 + 2, 'and memory_rate, which was reachable by name');
});

test('row 77: both files of the service are written and read again, with equal hashes, times and tags', () => {
  const store = (text: string, ...flags: string[]) => ltm('store', text, '--db', 'one.db', ...flags);
  store('Exported with tags', '--tags', 'x,y', '--type', 'decision', '--metadata', '{"a":1}');
  store('Exported without');
  for (const shape of ['mcp-memory-service', 'mcp-memory-service-dashboard']) {
    const file = join(home, `${shape}.json`);
    ltm('export', file, '--as', shape, '--db', 'one.db');
    const exported = JSON.parse(readFileSync(file, 'utf8')) as Json;
    assert.equal(exported.memories.length, 2);
    assert.equal((exported.export_metadata ?? exported).total_memories, 2);
    const dry = JSON.parse(ltm('import', file, '--dry-run', '--json', '--db', `${shape}.db`));
    assert.deepEqual([dry.found, dry.imported, dry.dry_run], [2, 2, true]);
    ltm('import', file, '--db', `${shape}.db`);
    const { memories } = JSON.parse(ltm('list', '--json', '--db', `${shape}.db`)) as Json;
    const before = JSON.parse(ltm('list', '--json', '--db', 'one.db')) as Json;
    const essence = ({ content_hash, created_at, type, metadata: { imported_id: _, ...metadata }, tags }: Json) => ({
      content_hash,
      created_at,
      type,
      metadata,
      tags: tags.filter((tag: string) => !tag.startsWith('source:')),
    });
    assert.deepEqual(memories.map(essence), before.memories.map(essence));
    const machine = memories[0].tags.filter((tag: string) => tag.startsWith('source:'));
    assert.deepEqual(machine, shape === 'mcp-memory-service' ? [`source:${hostname().toLowerCase()}`] : []);
  }
  const withVectors = JSON.parse(
    ltm('export', '-', '--as', 'mcp-memory-service', '--include-embeddings', '--tags', 'x', '--db', 'one.db'),
  ) as Json;
  assert.deepEqual([withVectors.memories.length, withVectors.export_metadata.include_embeddings], [1, true]);
  assert.ok(withVectors.memories[0].embedding.length > 10);
});

test('row 79: the commands of the service work under `ltm memory`: launch, info, health, ingest, logs, restart, stop', () => {
  const memory = (...args: string[]) =>
    spawnSync(process.execPath, [PROGRAM, 'memory', ...args], { env, cwd: home, encoding: 'utf8' });
  const launched = memory('launch', '--port', '0', '--json');
  assert.equal(launched.status, 0, launched.stderr);
  try {
    const { url, pid } = JSON.parse(launched.stdout);
    assert.match(memory('info').stdout, new RegExp(`status: ok\nurl: ${url}\npid: ${pid}`));
    assert.equal(memory('health').status, 0);
    writeFileSync(join(home, 'doc.txt'), 'The harbour master keeps the tide tables.');
    assert.equal(memory('ingest-document', 'doc.txt', '-t', 'sea', '-c', '500', '-o', '50').status, 0);
    assert.match(memory('ingest-directory', '.', '-e', 'txt', '--dry-run').stdout, /unchanged/);
    assert.match(memory('list-formats').stdout, /pdf: pdf/);
    assert.match(memory('logs', '-n', '5').stdout, /listening/);
    assert.equal(memory('status', '--json').stdout.startsWith('{'), true);
    assert.equal(memory('restart', '--port', '0').status, 0);
  } finally {
    assert.match(memory('stop').stdout, /^Stopped the server/);
  }
  assert.equal(memory('health').status, 1);
  assert.equal(memory('conjure').status, 2);
});

test('row 79: `ltm memory server` speaks MCP with the tools of the service over stdio, and HTTP with --http', async (t) => {
  const client = new Client({ name: 'row-79', version: '1' });
  const args = [PROGRAM, 'memory', 'server'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
  t.after(() => client.close());
  const names = (await client.listTools()).tools.map(({ name }) => name);
  assert.ok(names.includes('memory_store_session') && !names.includes('fetch'));
});
