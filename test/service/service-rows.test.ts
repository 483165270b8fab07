// The rows of mcp-memory-service's checklist that concern the program as a whole, by number.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type McpProcess, startMcpProcess } from '../e2e/mcp-process.ts';
import { PLAIN_ENV, PROGRAM } from '../e2e/program.ts';
import { type Json, KEY, type RestClient, startService } from './rest-client.ts';

let ltm: McpProcess;
let rest: RestClient;
const home = mkdtempSync(join(tmpdir(), 'ltm-rows-'));
before(async () => {
  ltm = await startMcpProcess({ LTM_TOOLS: 'service', LTM_PROJECT: 'off' });
  rest = await startService({ MCP_API_KEY: KEY, LTM_DB: ltm.db });
});
after(async () => {
  await rest.close();
  await ltm.close();
  rmSync(home, { recursive: true });
});

const env = { ...PLAIN_ENV, HOME: home };
const command = (...args: string[]): string =>
  execFileSync(process.execPath, [PROGRAM, ...args], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
const hashOf = (text: string): string => createHash('sha256').update(text.trim().toLowerCase()).digest('hex');
const store = async (content: string, metadata = {}): Promise<string> => {
  await ltm.call('memory_store', { content, conversation_id: 'c', metadata });
  return hashOf(content);
};
const backdate = (hash: string, days: number) =>
  ltm.call('memory_update', {
    content_hash: hash,
    updates: { created_at: Date.now() / 1000 - days * 86_400 },
    preserve_timestamps: false,
  });

test('row 1: the handshake and the list of tools are answered before the database is opened or a model loaded', async (t) => {
  const client = new Client({ name: 'row-1', version: '1' });
  // neither could be opened: whoever waits for them gets no answer
  const args = [PROGRAM, 'mcp', '--tools', 'service', '--db', '/dev/null/memory.db'];
  const broken = { ...env, LTM_EMBEDDER: 'onnx', LTM_EMBEDDER_FOLDER: '/nowhere' };
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env: broken, stderr: 'ignore' }));
  t.after(() => client.close());
  assert.ok((await client.listTools()).tools.length >= 28);
  const { isError } = await client.callTool({ name: 'memory_health', arguments: {} });
  assert.equal(isError, true);
});

test('row 20: every phrase for a time that the service knows is understood', async () => {
  await store('Something that was stored today');
  const now = [
    'today',
    'this week',
    'this month',
    'this year',
    'last 3 days',
    'last 2 weeks',
    'last 6 months',
    'recently',
    'lately',
    'recent',
  ];
  const past = [
    'yesterday',
    '3 days ago',
    'yesterday morning',
    '2 days ago evening',
    '2 weeks ago',
    '3 months ago',
    '1 year ago',

    'last week',
    'last month',
    'last year',
    '2020-01-15',
    '01/15/2020',
    '1/15/20',
    'between 2020-01-01 and 2020-02-01',

    'spring',
    'last summer',
    'christmas',
    'halloween',
    'thanksgiving',
    'new year',
    'first half of 2020',
    '2nd quarter of 2020',
    '2 hours ago',
    'last Monday',
  ];
  for (const phrase of [...now, ...past]) {
    const result = await ltm.client.callTool({ name: 'memory_search', arguments: { time_expr: phrase } });
    assert.notEqual(result.isError, true, `${phrase}: ${JSON.stringify(result.content)}`);
    if (now.includes(phrase)) assert.match(JSON.stringify(result.content), /stored today/, phrase);
  }
});

test('row 34: what was deleted longer ago than it is kept is purged for good', async () => {
  const db = join(home, 'purged.db');
  command('store', 'Doomed for good', '--db', db);
  const [{ id }] = JSON.parse(command('list', '--json', '--db', db)).memories as Json[];
  command('delete', id, '--db', db);
  assert.equal(JSON.parse(command('list', '--deleted', '--json', '--db', db)).total, 1);
  execFileSync(process.execPath, [PROGRAM, 'purge', '--expired', '--yes', '--db', db], {
    env: { ...env, LTM_KEEP_DELETED_DAYS: '0' },
    stdio: 'ignore',
  });
  assert.equal(JSON.parse(command('list', '--deleted', '--json', '--db', db)).total, 0);
});

test('row 57: relevance follows from its facts by the formula', async () => {
  const hash = await store('A critical note about the keel', { tags: ['critical'], type: 'decision' });
  await backdate(hash, 73);
  const { quality_components: parts } = JSON.parse(
    await ltm.text('memory_quality', { action: 'get', content_hash: hash }),
  );
  const { relevance: seen } = parts as Json;
  assert.equal(seen.base, 2);
  const decay = Math.exp(-seen.ageDays / seen.retentionDays);
  assert.ok(Math.abs(seen.decayFactor - decay) < 1e-9);
  const expected = seen.base * decay * (1 + 0.1 * seen.connections) * seen.accessBoost * (1 + 0.5 * seen.quality);
  assert.ok(Math.abs(seen.value - Math.max(expected, seen.isProtected ? 0.5 : 0)) < 1e-9, JSON.stringify(seen));
});

test('row 58: relations are proposed with a reason, and none of them twice', () => {
  const db = join(home, 'infer.db');
  command('store', 'The shop database pool drains after each deploy of api-gateway', '--db', db);
  command('store', 'After a deploy of api-gateway the shop database pool is empty for a minute', '--db', db);
  const { pairs } = JSON.parse(command('infer', '--json', '--db', db)) as Json;
  assert.equal(pairs.length, 1);
  assert.ok(pairs[0].reason !== '' && pairs[0].confidence > 0.5);
  assert.deepEqual((JSON.parse(command('infer', '--json', '--db', db)) as Json).pairs, []);
});

test('row 59: similar notes get one summary that names its sources, and stay searchable', async () => {
  const notes: string[] = [];
  for (let n = 0; n < 8; n++)
    notes.push(
      await store(`Harbour dredging report ${n}: the dredger cleared the silt from berth ${n} of the harbour basin`, {
        tags: ['dredging'],
      }),
    );
  const report = await ltm.text('memory_consolidate', { action: 'run', time_horizon: 'weekly' });
  assert.match(report, /Clusters: [1-9]/, report);
  const listed = (await ltm.call('memory_list', { tags: ['dredging'], page_size: 50 })).memories as Json[];
  for (const hash of notes)
    assert.ok(
      listed.some(({ content_hash: one }) => one === hash),
      'the originals stay',
    );
  const { runs } = JSON.parse(command('consolidate', 'status', '--json', '--db', ltm.db));
  assert.equal(runs[0].changes.summaries, 1);
  const [summary] = (await ltm.call('memory_list', { tags: ['compressed'] })).memories as Json[];
  assert.equal(summary.metadata.source_count, 8);
  const { memories: sources } = JSON.parse(command('get', ...summary.metadata.sources, '--json', '--db', ltm.db));
  assert.deepEqual(sources.map(({ content_hash: hash }: Json) => hash).toSorted(), notes.toSorted());
});

test('row 60: what is temporary and old is archived, protected tags are spared, and it can be brought back', async () => {
  const aged = (content: string, tags: string[]) => {
    const at = Date.now() / 1000 - 30 * 86_400;
    return {
      content,
      content_hash: hashOf(content),
      tags,
      memory_type: 'note',
      metadata: {},
      created_at: at,
      updated_at: at,
    };
  };
  const file = join(home, 'aged.json');
  const [temporary, spared] = [
    aged('Temporary scratch about the old crane', ['temporary']),
    aged('Temporary but critical note about the crane', ['temporary', 'critical']),
  ];
  writeFileSync(file, JSON.stringify({ export_metadata: {}, memories: [temporary, spared] }));
  command('import', file, '--db', ltm.db);
  const report = JSON.parse(command('consolidate', 'run', 'monthly', '--forget', 'careful', '--json', '--db', ltm.db));
  assert.ok(report.forgetting.archived >= 1, JSON.stringify(report.forgetting));
  const found = await ltm.text('memory_search', { query: 'crane' });
  assert.ok(found.includes('critical note') && !found.includes('scratch'), found);
  const { memories } = JSON.parse(command('archive', '--json', '--db', ltm.db));
  const archived = (memories as Json[]).find(({ content_hash: hash }) => hash === temporary.content_hash);
  command('restore', archived.id, '--db', ltm.db);
  assert.match(await ltm.text('memory_search', { query: 'crane' }), /scratch/);
});

test('row 66: insights tell patterns and gaps with numbers that can be counted, and are not told again once acknowledged', async () => {
  for (let n = 0; n < 6; n++) await store(`Lantern inspection ${n} on pier ${n}`, { tags: ['lantern', 'pier'] });
  const read = (): Json[] => JSON.parse(command('insights', '--json', '--db', ltm.db)).insights;
  const pattern = read().find(({ kind, tags }) => kind === 'pattern' && tags.includes('lantern'));
  assert.ok(read().some(({ kind, tags }) => kind === 'gap' && tags.includes('lantern')));
  const { total } = await ltm.call('memory_list', { tags: ['lantern', 'pier'], tag_match: 'all' });
  assert.equal(pattern.memories, total);
  command('insights', 'acknowledge', pattern.id, '--db', ltm.db);
  assert.ok(!read().some(({ id, is_acknowledged: isDone }) => id === pattern.id && isDone !== true));
});

test('row 72: OAuth is discovered, programs register themselves, and client_credentials get nothing without a person', async () => {
  const { body: server } = await rest.send('GET', '/.well-known/oauth-authorization-server', undefined, {});
  assert.deepEqual(server.code_challenge_methods_supported, ['S256']);
  for (const name of ['issuer', 'authorization_endpoint', 'token_endpoint', 'registration_endpoint'])
    assert.ok(server[name], name);
  const { body: resource } = await rest.send('GET', '/.well-known/oauth-protected-resource', undefined, {});
  assert.ok(resource.authorization_servers.length > 0);
  const registered = await rest.send(
    'POST',
    new URL(server.registration_endpoint).pathname,
    { client_name: 'row-72', redirect_uris: ['http://127.0.0.1:9/callback'], token_endpoint_auth_method: 'none' },
    {},
  );
  assert.equal(registered.status, 201, JSON.stringify(registered.body));
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: registered.body.client_id });
  const answer = await fetch(server.token_endpoint, { method: 'POST', body: form });
  assert.ok(answer.status === 400 || answer.status === 401, String(answer.status));
});

test('row 76: a backup is made and listed over REST, and a restored one holds the same', async () => {
  const made = await rest.send('POST', '/api/backup/now', {});
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const { body } = await rest.send('GET', '/api/backup/list');
  assert.deepEqual([body.total_count, body.backups[0].filename], [1, made.body.filename]);
  const { body: status } = await rest.send('GET', '/api/backup/status');
  assert.equal(status.last_backup, made.body.created_at);
  const restored = join(home, 'restored.db');
  command('backup', 'restore', join(status.backup_directory, made.body.filename), '--yes', '--db', restored);
  const total = (db: string): number => JSON.parse(command('list', '--json', '--limit', '1', '--db', db)).total;
  assert.equal(total(restored), total(ltm.db));
});

test('row 80: many processes store into one file, one of them is killed, and nothing that was acknowledged is lost', async () => {
  const db = join(home, 'many.db');
  const acknowledged: string[] = [];
  const writers = await Promise.all(
    Array.from({ length: 4 }, async (_, writer) => {
      const client = new Client({ name: `row-80-${writer}`, version: '1' });
      const args = [PROGRAM, 'mcp', '--tools', 'service', '--db', db];
      const transport = new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' });
      await client.connect(transport);
      return { client, transport, writer };
    }),
  );
  await Promise.all(
    writers.map(async ({ client, transport, writer }) => {
      for (let n = 0; n < 30; n++) {
        if (writer === 0 && n === 15) process.kill(transport.pid!, 'SIGKILL');
        const content = `Writer ${writer} stores number ${n}`;
        const result = await client
          .callTool({ name: 'memory_store', arguments: { content, conversation_id: 'c' } })
          .catch(() => null);
        if (result === null) break;
        assert.notEqual(result.isError, true, JSON.stringify(result.content));
        acknowledged.push(hashOf(content));
      }
      await client.close().catch(() => undefined);
    }),
  );
  assert.equal(acknowledged.length >= 3 * 30 + 15, true, String(acknowledged.length));
  const stored = new Set(
    (JSON.parse(command('list', '--json', '--limit', '1000', '--db', db)).memories as Json[]).map(
      ({ content_hash: hash }) => hash,
    ),
  );
  for (const hash of acknowledged) assert.ok(stored.has(hash), hash);
  assert.equal(JSON.parse(command('doctor', '--json', '--db', db)).sound, true);
});
