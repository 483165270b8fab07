// Rows of mcp-memory-service's checklist about documents, relations, consolidation and quality, by number: tools and routes over one database.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type McpProcess, startMcpProcess } from '../e2e/mcp-process.ts';
import { type Json, KEY, type RestClient, startService } from './rest-client.ts';

let ltm: McpProcess;
let rest: RestClient;
const folder = mkdtempSync(join(tmpdir(), 'ltm-depth-'));
before(async () => {
  ltm = await startMcpProcess({ LTM_TOOLS: 'service', LTM_PROJECT: 'off' });
  rest = await startService({ MCP_API_KEY: KEY, LTM_DB: ltm.db });
});
after(async () => {
  await rest.close();
  await ltm.close();
  rmSync(folder, { recursive: true });
});

const hashOf = (text: string): string => createHash('sha256').update(text.trim().toLowerCase()).digest('hex');
async function invoke(name: string, args: Record<string, unknown> = {}) {
  const result = await ltm.client.callTool({ name, arguments: args });
  const [block] = result.content as { type: string; text: string }[];
  return { isError: result.isError === true, text: block?.text ?? '' };
}
const document = async (name: string, args = {}): Promise<Json> => JSON.parse((await invoke(name, args)).text);
const store = async (content: string, metadata = {}): Promise<string> => {
  await ltm.call('memory_store', { content, conversation_id: 'c', metadata });
  return hashOf(content);
};
const get = async (path: string): Promise<Json> => (await rest.send('GET', `/api/${path}`)).body;

test('row 42: memory_ingest takes in a text, a Markdown, a JSON and a CSV file, reports chunks, and search finds them', async () => {
  const files = {
    'notes.md': '# Lighthouse\n\nThe lamp burns colza oil.\n\n## Keeper\n\nThe keeper sleeps at noon.\n',
    'plain.txt': 'Short, and kept all the same: barnacle.',
    'data.json': '{"ship": {"name": "Endurance", "crew": [28]}}',
    'rows.csv': 'port,depth\nOban,12\nMallaig,7\n',
  };
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text);
    const { text: report } = await invoke('memory_ingest', { file_path: join(folder, name), tags: ['sea'] });
    assert.match(
      report,
      new RegExp(`^Document ingestion completed: ${name}\nChunks processed: \\d+\nChunks stored: [1-9]`),
      report,
    );
    assert.match(report, /Success rate: 100\.0%/);
  }
  for (const word of ['colza', 'barnacle', 'Endurance', 'Mallaig']) {
    const { text } = await invoke('memory_search', { query: word });
    assert.ok(text.includes(word), `${word}: ${text}`);
  }
  const again = await invoke('memory_ingest', { file_path: join(folder, 'notes.md'), tags: ['sea'] });
  assert.match(again.text, /Chunks stored: 0/);
  const wrong = await invoke('memory_ingest', {});
  assert.deepEqual([wrong.isError, /Either file_path or directory_path/.test(wrong.text)], [true, true]);
});

test('row 43: memory_ingest takes in a folder: recursive, by endings, up to max_files, with a report', async () => {
  const tree = join(folder, 'tree');
  mkdirSync(join(tree, 'deep'), { recursive: true });
  for (const [name, text] of [
    ['a.md', 'Kelp one'],
    ['b.txt', 'Kelp two'],
    ['c.py', 'kelp = 3'],
    ['deep/d.md', 'Kelp four'],
  ] as const)
    writeFileSync(join(tree, name), text);
  const report = async (more = {}) => (await invoke('memory_ingest', { directory_path: tree, ...more })).text;
  assert.match(await report({ recursive: false }), /^Directory ingestion completed: tree\nFiles processed: 2\n/);
  assert.match(await report(), /Files processed: 3\n/);
  assert.match(await report({ file_extensions: ['py'] }), /Files processed: 1\n/);
});

test('row 44: a passage knows its file, its place and its headings', async () => {
  const found = await ltm.call('memory_search', { query: 'keeper sleeps' });
  const { metadata, memory_type: type } = found.results[0];
  assert.match(metadata.source_file, /notes\.md$/);
  assert.deepEqual(metadata.headings.at(-1), 'Keeper');
  assert.ok(metadata.line_number > 1);
  assert.equal(type, 'document');
});

test('row 73: an upload has a status, chunks with their index and total, a place in the history, and can be removed', async () => {
  const form = new FormData();
  form.append(
    'file',
    new File(['# Upload\n\nFirst part about krill.\n\n## Two\n\nSecond part about squid.\n'], 'upload.md'),
  );
  form.append('tags', 'krill, squid');
  const headers = { 'X-API-Key': KEY };
  const sent = await fetch(`${rest.server.url}/api/documents/upload`, { method: 'POST', body: form, headers });
  const { upload_id: id, status } = (await sent.json()) as Json;
  assert.deepEqual([sent.status, status], [200, 'completed']);
  const told = await get(`documents/status/${id}`);
  assert.deepEqual(
    [told.filename, told.status, told.progress, told.chunks_stored],
    ['upload.md', 'completed', 100, told.total_chunks],
  );
  assert.deepEqual(told.tags.slice(0, 2), ['krill', 'squid']);
  const { memories } = await get(`documents/search-content/${id}`);
  assert.deepEqual(
    memories.map(({ metadata }: Json) => metadata.chunk_index),
    memories.map((_: Json, n: number) => n),
  );
  assert.ok(memories.some(({ content }: Json) => content.includes('squid')));
  assert.ok((await get('documents/history')).uploads.some(({ upload_id: one }: Json) => one === id));
  const found = (await rest.send('POST', '/api/search', { query: 'krill' })).body;
  assert.match(JSON.stringify(found.results), /krill/);
  const gone = (await rest.send('DELETE', `/api/documents/remove/${id}`)).body;
  assert.equal(gone.memories_deleted, told.total_chunks);
  assert.equal((await rest.send('GET', `/api/documents/status/${id}`)).status, 404);
  assert.equal((await rest.send('POST', '/api/documents/upload', {}, {})).status, 401);
  const many = new FormData();
  for (const name of ['x.md', 'y.md']) many.append('files', new File([`Text of ${name}`], name));
  many.append('tags', 'batch');
  const batch = await fetch(`${rest.server.url}/api/documents/batch-upload`, { method: 'POST', body: many, headers });
  assert.equal(((await batch.json()) as Json).upload_ids.length, 2);
  const removed = (await rest.send('DELETE', '/api/documents/remove-by-tags', { tags: ['batch'] })).body;
  assert.equal(removed.documents_removed, 2);
});

const chain: string[] = [];
async function makeChain(): Promise<void> {
  for (const name of ['alpha', 'beta', 'gamma', 'delta'])
    chain.push(await store(`Chain link ${name}`, { tags: ['chain'] }));
  const relate = (from: number, to: number, type: string) =>
    rest.send(
      'POST',
      '/api/v1/relations',
      { from: chain[from], to: chain[to], type },
      { Authorization: `Bearer ${KEY}` },
    );
  for (const [from, to, type] of [
    [0, 1, 'causes'],
    [1, 2, 'causes'],
    [2, 3, 'related'],
  ] as const)
    assert.equal((await relate(from, to, type)).status, 200);
}

test('row 50: memory_graph connected gives hashes with their distances, and what they say', async () => {
  await makeChain();
  const near = await document('memory_graph', { action: 'connected', hash: chain[0] });
  assert.deepEqual(
    near.connected.map(({ hash, distance }: Json) => [hash, distance]),
    [
      [chain[1], 1],
      [chain[2], 2],
    ],
  );
  assert.deepEqual([near.success, near.count, near.connected[0].content], [true, 2, 'Chain link beta']);
  assert.equal((await document('memory_graph', { action: 'connected', hash: chain[0], max_hops: 3 })).count, 3);
});

test('row 51: memory_graph path is the shortest way, its length in memories; null with a message where there is none', async () => {
  const path = await document('memory_graph', { action: 'path', hash1: chain[0], hash2: chain[3] });
  assert.deepEqual([path.path, path.length], [chain, 4]);
  assert.equal(
    (await document('memory_graph', { action: 'path', hash1: chain[0], hash2: chain[3], max_depth: 3 })).path,
    null,
  );
  const lonely = await store('A lonely memory');
  const none = await document('memory_graph', { action: 'path', hash1: chain[0], hash2: lonely });
  assert.deepEqual([none.success, none.path, none.length, typeof none.message], [true, null, 0, 'string']);
  assert.equal((await invoke('memory_graph', { action: 'path', hash1: chain[0] })).isError, true);
});

test('row 52: memory_graph subgraph gives nodes, edges and their counts', async () => {
  const sub = await document('memory_graph', { action: 'subgraph', hash: chain[1], radius: 1 });
  assert.deepEqual([...sub.nodes].sort(), [chain[0], chain[1], chain[2]].sort());
  assert.deepEqual([sub.node_count, sub.edge_count], [3, 2]);
  assert.deepEqual(Object.keys(sub.edges[0]).slice(0, 6), [
    ...['source', 'target', 'similarity', 'connection_types', 'metadata', 'relationship_type'],
  ]);
});

test('row 53: infer finds pairs that relations of a type join indirectly, suggest what shares neighbours', async () => {
  const { inferred, count } = await document('memory_graph', { action: 'infer', rel_type: 'causes' });
  assert.equal(count, 1);
  assert.deepEqual([inferred[0].source, inferred[0].target, inferred[0].distance], [chain[0], chain[2], 2]);
  const { suggestions } = await document('memory_graph', { action: 'suggest', hash: chain[1] });
  assert.deepEqual([suggestions[0].target, suggestions[0].shared_neighbors], [chain[3], 1]);
});

test('row 54: a directed relation is one edge, a symmetric one is the same from both ends', async () => {
  for (const [from, to] of [
    [2, 3],
    [3, 2],
  ] as const) {
    const near = await document('memory_graph', { action: 'connected', hash: chain[from], max_hops: 1 });
    assert.ok(
      near.connected.some(({ hash }: Json) => hash === chain[to]),
      `${from} to ${to}`,
    );
  }
  const sub = await document('memory_graph', { action: 'subgraph', hash: chain[0], radius: 1 });
  assert.deepEqual(
    sub.edges.map(({ source, target, relationship_type: type }: Json) => [source, target, type]),
    [[chain[0], chain[1], 'causes']],
  );
});

test('row 55: relations add no memories, and the charts count and draw them', async () => {
  assert.equal((await ltm.call('memory_list', { tags: ['chain'] })).total, 4);
  assert.deepEqual(await get('analytics/relationship-types'), { causes: 2, related: 1 });
  const { nodes, edges, meta } = await get('analytics/graph-visualization?min_connections=2');
  assert.deepEqual(
    [nodes.map(({ id }: Json) => id).sort(), edges.length, meta.total_edges],
    [[chain[1], chain[2]].sort(), 1, 1],
  );
  assert.equal((await get('analytics/graph-visualization')).nodes.length, 4);
});

test('row 62: a rating of 1 on .5 gives .8; get shows score, provider and history; analyze the bands', async () => {
  const hash = await store('Rated memory about tides');
  const { text } = await invoke('memory_quality', {
    action: 'rate',
    content_hash: hash,
    rating: '1',
    feedback: 'good',
  });
  assert.match(text, /0\.500 → 0\.800/);
  const quality = await document('memory_quality', { action: 'get', content_hash: hash });
  assert.deepEqual(
    [quality.quality_score, quality.quality_provider, quality.user_rating, quality.user_feedback],
    [0.8, 'user', 1, 'good'],
  );
  const down = await rest.send('POST', `/api/quality/memories/${hash}/rate`, { rating: -1 });
  assert.deepEqual([down.body.old_quality_score, Number(down.body.new_quality_score.toFixed(6))], [0.8, 0.32]);
  assert.equal((await get(`quality/memories/${hash}`)).user_rating, -1);
  const spread = await get('quality/distribution');
  const total = spread.high_quality_count + spread.medium_quality_count + spread.low_quality_count;
  assert.deepEqual([total, spread.low_quality_count], [spread.total_memories, 1]);
  assert.match(
    (await invoke('memory_quality', { action: 'analyze' })).text,
    new RegExp(`^Quality of ${spread.total_memories} memories`),
  );
  assert.equal((await rest.send('POST', `/api/quality/memories/${hash}/rate`, { rating: 5 })).status, 422);
  assert.equal((await rest.send('POST', `/api/quality/memories/${'f'.repeat(64)}/rate`, { rating: 1 })).status, 404);
});

test('rows 63 and 64: evaluate answers with its provider, its time and the implicit score of the formula; trends are counted', async () => {
  const hash = await store('Evaluated memory about currents');
  const { body } = await rest.send('POST', `/api/quality/memories/${hash}/evaluate`, {});
  assert.deepEqual([body.quality_provider, body.ai_score, body.evaluation_time_ms > 0], ['implicit', null, true]);
  // .4·ln(n+1)/ln 100 + .3·e^(−.1·days) + .3·(1 − .5), read once, by this very question
  const expected = (0.4 * Math.log(2)) / Math.log(100) + 0.3 + 0.3 * 0.5;
  assert.ok(Math.abs(body.implicit_score - expected) < 0.001, String(body.implicit_score));
  const { trends } = await get('quality/trends?days=7');
  assert.equal(trends.length, 1);
  assert.equal(trends[0].memory_count, (await get('analytics/overview')).total_memories);
});

test('rows 56 and 61: consolidation runs, tells its state, recommends, pauses and resumes; nothing is scheduled by itself', async () => {
  for (let n = 0; n < 6; n++)
    await store(`Sprint review ${n}: the team shipped the search page and fixed the index`, { tags: ['sprint'] });
  const run = await invoke('memory_consolidate', { action: 'run', time_horizon: 'weekly' });
  assert.match(run.text, /^Consolidation completed: weekly\nSeconds: [\d.]+\nMemories processed: \d+/);
  assert.equal((await invoke('memory_consolidate', { action: 'run' })).isError, true);
  assert.match(
    (await invoke('memory_consolidate', { action: 'status' })).text,
    /^Consolidation status: on demand\nRuns: 1 done/,
  );
  assert.match(
    (await invoke('memory_consolidate', { action: 'recommend', time_horizon: 'monthly' })).text,
    /^Recommendation for monthly: (CONSOLIDATION_BENEFICIAL|CONSOLIDATION_OPTIONAL|NO_ACTION)/,
  );
  assert.match(
    (await invoke('memory_consolidate', { action: 'scheduler' })).text,
    /^Scheduler: disabled\ndaily: disabled/,
  );
  assert.match(
    (await invoke('memory_consolidate', { action: 'pause', time_horizon: 'daily' })).text,
    /^daily consolidation paused/,
  );
  assert.match((await invoke('memory_consolidate', { action: 'resume' })).text, /^All consolidation resumed/);
  const triggered = (await rest.send('POST', '/api/consolidation/trigger', {})).body;
  assert.deepEqual([triggered.status, triggered.horizon, triggered.processed > 0], ['completed', 'weekly', true]);
  const status = await get('consolidation/status');
  assert.deepEqual([status.running, status.next_daily, status.jobs_executed >= 2], [false, null, true]);
  assert.match((await get('consolidation/recommendations/weekly')).recommendation, /CONSOLIDATION|NO_ACTION/);
  assert.equal((await rest.send('GET', '/api/consolidation/recommendations/hourly')).status, 400);
});

test('memory_consolidate merges memories into one text, and the old ones are hidden', async () => {
  const hashes = [await store('Merge me: oars are ash'), await store('Merge me: oars are spruce')];
  const merged = await document('memory_consolidate', {
    action: 'merge',
    content_hashes: hashes,
    merged_content: 'Oars are ash or spruce',
  });
  assert.deepEqual([merged.ok, merged.content_hash, merged.merged], [true, hashOf('oars are ash or spruce'), 2]);
  const { text } = await invoke('memory_search', { query: 'oars' });
  assert.ok(text.includes('ash or spruce') && !text.includes('Merge me'), text);
});

test('row 37: memory_cleanup finds memories that say the same, over REST too', async () => {
  const headers = { Authorization: `Bearer ${KEY}` };
  for (const project of ['one', 'two'])
    await rest.send(
      'POST',
      '/api/v1/memories',
      { content: 'The anchor weighs forty tonnes', project, on_duplicate: 'store' },
      headers,
    );
  const before = (await ltm.call('memory_list', { page_size: 1 })).total;
  const { text } = await invoke('memory_cleanup');
  assert.match(text, /^(Successfully removed 1 duplicate|No duplicate)/);
  const after = (await ltm.call('memory_list', { page_size: 1 })).total;
  assert.equal(before - after, Number(/removed (\d+)/.exec(text)?.[1] ?? 0));
  assert.equal((await rest.send('POST', '/api/manage/cleanup-duplicates', {})).body.success, true);
  assert.equal((await rest.send('POST', '/api/manage/system/cleanup_duplicates', {})).body.affected_count, 0);
});

test('row 65: maintain walks its steps, changes nothing by default, and its last report is kept', async () => {
  assert.equal((await document('memory_quality', { action: 'maintain_status' })).status, 'never_run');
  const dry = await document('memory_quality', { action: 'maintain' });
  assert.deepEqual([dry.action, dry.dry_run, dry.success, dry.errors], ['maintain', true, true, []]);
  for (const step of ['duplicates', 'stale', 'quality', 'insights']) assert.ok(step in dry.steps, step);
  await document('memory_quality', { action: 'maintain', dry_run: false });
  assert.equal((await document('memory_quality', { action: 'maintain_status' })).dry_run, false);
});

test('row 45: /api/harvest reads the transcripts of a project by its name, and nothing outside of their folder', async () => {
  for (const path of ['../x', '/etc', 'a/../../b', '~/x', 'C:\\x'])
    assert.equal((await rest.send('POST', '/api/harvest', { project_path: path })).status, 400, path);
  assert.equal((await rest.send('POST', '/api/harvest', {})).status, 422);
  const projects = join(rest.server.folder, '.claude', 'projects');
  mkdirSync(join(projects, '-work-shop'), { recursive: true });
  symlinkSync('/etc', join(projects, 'out'));
  assert.equal((await rest.send('POST', '/api/harvest', { project_path: 'out' })).status, 400);
  assert.equal((await rest.send('POST', '/api/harvest', { project_path: '-work-none' })).status, 404);
  const line = (type: string, content: unknown, n: number) =>
    JSON.stringify({
      type,
      uuid: `u${n}`,
      sessionId: 's1',
      cwd: '/work/shop',
      timestamp: '2026-01-01T00:00:00Z',
      message: { role: type, content },
    });
  const said = 'We decided to use PostgreSQL for the shop database because it has row level security.';
  writeFileSync(
    join(projects, '-work-shop', 's1.jsonl'),
    `${line('user', 'Which database should the shop use?', 1)}\n${line('assistant', [{ type: 'text', text: said }], 2)}\n`,
  );
  const { status, body } = await rest.send('POST', '/api/harvest', { project_path: '-work-shop' });
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual([body.dry_run, body.results[0].found >= 1, body.results[0].stored], [true, true, 0]);
});

test('row 29: the entity filter finds only what mentions it, and an unknown one finds nothing', async () => {
  await store('Ask @grace about src/lighthouse.ts before the release');
  await store('The lighthouse release is on Friday');
  const { text } = await invoke('memory_search', { query: 'lighthouse release', entity: '@grace' });
  assert.match(text, /^Found 1 memories/);
  assert.match(text, /Ask @grace/);
  assert.match((await invoke('memory_search', { entity: 'src/lighthouse.ts' })).text, /^Found 1 memories/);
  assert.match((await invoke('memory_search', { query: 'lighthouse', entity: '@nobody' })).text, /^No memories found/);
});

test('memory_explore tells what memories about a topic mention, memory_detail what is known of one of them', async () => {
  const { entities, count } = await document('memory_explore', { query: 'lighthouse release' });
  assert.equal(count, entities.length);
  const grace = entities.find(({ entity_id: id }: Json) => id === 'person:grace');
  assert.match(grace.chunks[0].content, /Ask @grace/);
  const detail = await document('memory_detail', { entity_id: 'person:grace' });
  assert.deepEqual([detail.success, detail.chunks.length], [true, 1]);
  assert.ok(detail.related_entities.some(({ entity_id: id }: Json) => id.includes('lighthouse.ts')));
  assert.equal((await document('memory_detail', { entity_id: '@nobody' })).success, false);
});

test('row 49: two memories that contradict each other are listed, and the one that does not hold is hidden when it is resolved', async () => {
  assert.equal((await invoke('memory_conflicts')).text, 'No unresolved conflicts found.');
  const older = await store('The staging gateway listens on port 7001.');
  const newer = await store('The staging gateway listens on port 7002.');
  const { text } = await invoke('memory_conflicts');
  assert.match(text, /^Found 1 unresolved conflict/);
  for (const hash of [older, newer]) assert.ok(text.includes(hash.slice(0, 12)), text);
  const { conflicts, count } = await get('conflicts');
  assert.deepEqual([count, conflicts[0].hash_a, conflicts[0].hash_b], [1, newer, older]);
  assert.equal(
    (await rest.send('POST', '/api/conflicts/resolve', { winner_hash: newer, loser_hash: 'f'.repeat(64) })).status,
    400,
  );
  const resolved = await invoke('memory_resolve', { winner_hash: newer, loser_hash: older });
  assert.match(
    resolved.text,
    new RegExp(`^Conflict resolved: ${newer.slice(0, 12)} supersedes ${older.slice(0, 12)}$`),
  );
  assert.equal((await invoke('memory_conflicts')).text, 'No unresolved conflicts found.');
  const found = (await invoke('memory_search', { query: 'staging gateway port' })).text;
  assert.ok(found.includes('7002') && !found.includes('7001'), found);
  assert.match(
    (await invoke('memory_search', { query: 'staging gateway port', include_superseded: true })).text,
    /7001/,
  );
});
