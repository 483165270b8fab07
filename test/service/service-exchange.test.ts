// Rows 39, 77 and 79 of mcp-memory-service's checklist, by number: its older names, its files, its command line.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { startMcpProcess } from '../e2e/mcp-process.ts';
import { PLAIN_ENV, PROGRAM } from '../e2e/program.ts';
import type { Json } from './rest-client.ts';

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
const hashOf = (text: string): string => createHash('sha256').update(text.trim().toLowerCase()).digest('hex');

test('row 39: all 34 older names, and get_raw_embedding, answer to their old arguments', async (t) => {
  const mcp = await startMcpProcess({ LTM_TOOLS: 'service', LTM_PROJECT: 'off' });
  t.after(() => mcp.close());
  const file = join(home, 'old.md');
  writeFileSync(file, '# Old\n\nTaken in by an older name.');
  const [one, two] = ['First of the older names', 'Second of the older names'];
  const calls: [name: string, args: Record<string, unknown>, told: RegExp][] = [
    ['store_memory', { content: one, metadata: { tags: 'a,b' } }, /^Memory stored successfully/],
    ['store_memory', { content: two, conversation_id: 'c' }, /^Memory stored/],
    ['retrieve_memory', { query: 'older names', n_results: 1 }, /^Found 1 memories/],
    ['recall_memory', { query: 'today' }, /^Found 2 memories/],
    ['recall_by_timeframe', { start_date: '2020-01-01', end_date: '2100-01-01' }, /^Found 2 memories/],
    ['retrieve_with_quality_boost', { query: 'older names', quality_weight: 0.5 }, /mode: hybrid/],
    ['exact_match_retrieve', { content: 'Second of' }, /^Found 1 memories \(mode: exact\)/],
    ['debug_retrieve', { query: 'older names', similarity_threshold: 0.1 }, /Pre-filter count/],
    ['list_memories', { page: 1, page_size: 1, tag: 'a' }, /"total":1/],
    ['search_by_tag', { tags: ['a', 'b'], operation: 'AND' }, /"total":1/],
    ['check_database_health', {}, /^Database Health Check Results/],
    ['get_cache_stats', {}, /"total_calls"/],
    ['update_memory_metadata', { content_hash: hashOf(two), updates: { tags: ['c'] } }, /^Successfully updated/],
    ['cleanup_duplicates', {}, /duplicate/],
    ['rate_memory', { content_hash: hashOf(one), rating: '1' }, /0\.800/],
    ['memory_rate', { content_hash: hashOf(one), rating: 0 }, /rated/],
    ['get_memory_quality', { content_hash: hashOf(one) }, /"quality_score"/],
    ['analyze_quality_distribution', {}, /^Quality of 2 memories/],
    ['find_connected_memories', { hash: hashOf(one) }, /"connected":\[\]/],
    ['find_shortest_path', { hash1: hashOf(one), hash2: hashOf(two) }, /"path":null/],
    ['get_memory_subgraph', { hash: hashOf(one), radius: 1 }, /"node_count":1/],
    ['consolidate_memories', { time_horizon: 'daily' }, /^Consolidation completed: daily/],
    ['trigger_consolidation', { time_horizon: 'daily', immediate: true }, /^Consolidation completed/],
    ['consolidation_status', {}, /^Consolidation status/],
    ['consolidation_recommendations', { time_horizon: 'weekly' }, /^Recommendation for weekly/],
    ['scheduler_status', {}, /^Scheduler: disabled/],
    ['pause_consolidation', {}, /paused/],
    ['resume_consolidation', {}, /resumed/],
    ['ingest_document', { file_path: file }, /^Document ingestion completed: old\.md/],
    ['ingest_directory', { directory_path: home, file_extensions: ['md'] }, /^Directory ingestion completed/],
    ['get_raw_embedding', { content: 'a vector' }, /^Embedding of \d+ dimensions/],
    ['delete_by_tag', { tag: 'nothing' }, /Deleted 0 memories/],
    ['delete_by_tags', { tags: ['nothing', 'neither'] }, /Deleted 0 memories/],
    ['delete_by_all_tags', { tags: ['a', 'c'] }, /Deleted 0 memories/],
    ['delete_by_timeframe', { start_date: '2000-01-01', end_date: '2001-01-01' }, /Deleted 0 memories/],
    ['delete_before_date', { before_date: '2001-01-01', tag: 'a' }, /Deleted 0 memories/],
    ['delete_memory', { content_hash: hashOf(one) }, /Deleted 1 memories/],
  ];
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
      ...{ content_hash, created_at, type, metadata },
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
