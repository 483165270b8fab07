import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type Json, KEY, type RestClient } from './rest-client.ts';
import { hashOf } from './service-client.ts';

type Call = [name: string, args: Record<string, unknown>, told: RegExp];

const [ONE, TWO] = ['First of the older names', 'Second of the older names'];

/** Every older name once, in an order in which each finds what it asks for; `file` is a text, in `folder`. */
export function olderCalls(folder: string, file: string): Call[] {
  return [
    ['store_memory', { content: ONE, metadata: { tags: 'a,b' } }, /^Memory stored successfully/],
    ['store_memory', { content: TWO, conversation_id: 'c' }, /^Memory stored/],
    ['retrieve_memory', { query: 'older names', n_results: 1 }, /^Found 1 memories/],
    ['recall_memory', { query: 'today' }, /^Found 2 memories/],
    ['recall_memory', { query: 'what of older names did I store today?' }, /^Found 2 memories/],
    ['recall_memory', { query: 'older names from two years ago' }, /^No memories found/],
    ['recall_by_timeframe', { start_date: '2020-01-01', end_date: '2100-01-01' }, /^Found 2 memories/],
    ['retrieve_with_quality_boost', { query: 'older names', quality_weight: 0.5 }, /mode: hybrid/],
    ['exact_match_retrieve', { content: 'Second of' }, /^Found 1 memories \(mode: exact\)/],
    ['debug_retrieve', { query: 'older names', similarity_threshold: 0.1 }, /Pre-filter count/],
    ['list_memories', { page: 1, page_size: 1, tag: 'a' }, /"total":1/],
    ['search_by_tag', { tags: ['a', 'b'], operation: 'AND' }, /"total":1/],
    ['check_database_health', {}, /^Database Health Check Results/],
    ['get_cache_stats', {}, /"total_calls"/],
    ['update_memory_metadata', { content_hash: hashOf(TWO), updates: { tags: ['c'] } }, /^Successfully updated/],
    ['cleanup_duplicates', {}, /duplicate/],
    ['rate_memory', { content_hash: hashOf(ONE), rating: '1' }, /0\.800/],
    ['memory_rate', { content_hash: hashOf(ONE), rating: 0 }, /rated/],
    ['get_memory_quality', { content_hash: hashOf(ONE) }, /"quality_score"/],
    ['analyze_quality_distribution', {}, /^Quality of 2 memories/],
    ['find_connected_memories', { hash: hashOf(ONE) }, /"connected":\[\]/],
    ['find_shortest_path', { hash1: hashOf(ONE), hash2: hashOf(TWO) }, /"path":null/],
    ['get_memory_subgraph', { hash: hashOf(ONE), radius: 1 }, /"node_count":1/],
    ['consolidate_memories', { time_horizon: 'daily' }, /^Consolidation completed: daily/],
    ['trigger_consolidation', { time_horizon: 'daily', immediate: true }, /^Consolidation completed/],
    ['consolidation_status', {}, /^Consolidation status/],
    ['consolidation_recommendations', { time_horizon: 'weekly' }, /^Recommendation for weekly/],
    ['scheduler_status', {}, /^Scheduler: disabled/],
    ['pause_consolidation', {}, /paused/],
    ['resume_consolidation', {}, /resumed/],
    ['ingest_document', { file_path: file }, /^Document ingestion completed: old\.md/],
    ['ingest_directory', { directory_path: folder, file_extensions: ['md'] }, /^Directory ingestion completed/],
    ['get_raw_embedding', { content: 'a vector' }, /^Embedding of \d+ dimensions/],
    ['delete_by_tag', { tag: 'nothing' }, /Deleted 0 memories/],
    ['delete_by_tags', { tags: ['nothing', 'neither'] }, /Deleted 0 memories/],
    ['delete_by_all_tags', { tags: ['a', 'c'] }, /Deleted 0 memories/],
    ['delete_by_timeframe', { start_date: '2000-01-01', end_date: '2001-01-01' }, /Deleted 0 memories/],
    ['delete_before_date', { before_date: '2001-01-01', tag: 'a' }, /Deleted 0 memories/],
    ['delete_memory', { content_hash: hashOf(ONE) }, /Deleted 1 memories/],
  ];
}

/** Every tool of both versions, the older names after them. */
function allCalls(folder: string, file: string): Call[] {
  const [port, other] = ['The dock listens on port 7001', 'The dock listens on port 7002'];
  const mistake = {
    error_pattern: 'EPIPE',
    context_signature: 'dock',
    incorrect_action: 'wait',
    correct_action: 'retry',
  };
  const note = `Error pattern: EPIPE\nContext: dock\nIncorrect action: wait\nCorrect action: retry`;
  const turns = [{ role: 'user', content: 'We decided to use NATS for the dock queue because it is small.' }];
  return [
    ['memory_store', { content: port, metadata: { tags: 'dock' } }, /^Memory stored successfully/],
    ['memory_store', { content: other, conversation_id: 'c', metadata: { tags: 'dock' } }, /^Memory stored/],
    ['memory_store', { content: port }, /exact match/],
    ['memory_search', { query: 'dock port' }, /^Found 2 memories \(mode: semantic\)/],
    ['memory_search', { query: 'dock port', mode: 'ranked', include_beliefs: true }, /\(mode: ranked\)/],
    ['memory_search', { query: 'dock port', rerank: true, summarize: true }, /"summarized":true/],
    ['memory_search', { query: 'LISTENS ON', mode: 'exact', time_expr: 'today' }, /^Found 2 memories \(mode: exact\)/],
    ['memory_list', { tags: ['dock'], page_size: 1 }, /"total":2,"total_pages":2,"has_more":true/],
    ['memory_store_session', { turns, session_id: 's1' }, /^Session stored successfully \(session_id: s1/],
    ['memory_distill', {}, /"candidates_found":1/],
    ['memory_update', { content_hash: hashOf(port), updates: { tags: ['dock', 'pier'] } }, /^Successfully updated/],
    ['memory_conflicts', {}, /^Found 1 unresolved conflict/],
    ['memory_resolve', { winner_hash: hashOf(other), loser_hash: hashOf(port) }, /^Conflict resolved/],
    ['memory_graph', { action: 'connected', hash: hashOf(other) }, /"count":1/],
    ['memory_quality', { action: 'rate', content_hash: hashOf(other), rating: '1' }, /0\.800/],
    ['memory_quality', { action: 'maintain' }, /"dry_run":true/],
    ['memory_explore', { query: 'dock' }, /"entities"/],
    ['memory_detail', { entity_id: '@nobody' }, /"success":false/],
    ['mistake_note_add', mistake, /"status":"created"/],
    ['mistake_note_search', { query: 'EPIPE' }, /"count":1/],
    ['mistake_note_update', { content_hash: hashOf(note), failure_count: 4 }, /"status"/],
    [
      'commit_session_legacy',
      { session_id: 's', agent_id: 'a', task_summary: 'Dock', outcome: 'success' },
      /"success"/,
    ],
    ['get_bootstrap_profile', { agent_ids: ['a'], task_summary: 'dock' }, /Dock/],
    ['get_onboarding_guide', {}, /^# /],
    ['get_quarantined_memories', {}, /"count":0/],
    ['unquarantine_memory', { content_hash: hashOf(other) }, /not_quarantined/],
    ['memory_harvest', { sessions: 1 }, /"dry_run":true/],
    ['memory_ingest', { file_path: file }, /^Document ingestion completed: old\.md/],
    ['memory_health', {}, /"status":"healthy"/],
    ['memory_stats', {}, /"total_calls"/],
    ['memory_cleanup', {}, /duplicate/],
    ['memory_consolidate', { action: 'run', time_horizon: 'weekly' }, /^Consolidation completed: weekly/],
    ['mistake_note_delete', { content_hash: hashOf(note) }, /"deleted"/],
    ['memory_delete', { after: '2020-01-01' }, /Deleted \d+ memories/],
    ...olderCalls(folder, file),
  ];
}

/** Calls every tool over Streamable HTTP, as a remote agent does; the names that were called. */
export async function walkTools(rest: RestClient): Promise<Set<string>> {
  const folder = join(rest.server.folder, 'walk');
  mkdirSync(folder);
  const file = join(folder, 'old.md');
  writeFileSync(file, '# Old\n\nTaken in by an older name.');
  const client = new Client({ name: 'walk', version: '1' });
  const address = new URL(`${rest.server.url}/mcp?tools=service`);
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers: { 'x-api-key': KEY } } }));
  const calls = allCalls(folder, file);
  for (const [name, args, told] of calls) {
    const { content } = await client.callTool({ name, arguments: args });
    const [block] = content as { text: string }[];
    // whoever is not at the machine sends files, and has none read there
    const expected = name.includes('ingest') ? /^Error: Files of the machine/ : told;
    assert.match(block?.text ?? '', expected, `${name} ${JSON.stringify(args)}: ${block?.text}`);
  }
  await client.close();
  return new Set(calls.map(([name]) => name));
}

type RouteCall = [at: string, status: number, options?: { path?: string; body?: unknown; form?: () => FormData }];

const STORED = 'A memory for every route';

/** The routes of the service, 10.59 and what 12.4 has added, in an order in which each has what it needs; every one is a request with its answer's status. */
const ROUTE_CALLS: readonly RouteCall[] = [
  ['GET /api/health', 200],
  ['GET /api/health/detailed', 200],
  ['GET /api/health/model', 200],
  ['GET /api/health/sync-status', 200],
  ['GET /api/memory-stats', 200],
  ['POST /api/clear-caches', 200, { body: {} }],
  ['POST /api/memories', 200, { body: { content: STORED, tags: ['walk'], memory_type: 'decision' } }],
  ['GET /api/memories', 200, { path: '?tag=walk&page_size=5' }],
  ['GET /api/memories/hashes', 200],
  ['GET /api/memories/{hash}', 200],
  ['PUT /api/memories/{hash}', 200, { body: { metadata: { a: 1 } } }],
  ['PATCH /api/memories/{hash}', 200, { body: { metadata: { b: 2 } } }],
  ['GET /api/memories/tags', 200],
  ['GET /api/stats', 200],
  ['GET /api/graph/associations/{hash}', 200],
  ['POST /api/graph/associations', 404, { body: { source_hash: 'f'.repeat(64), target_hash: 'e'.repeat(64) } }],
  ['POST /api/consolidation/run', 200, { body: { time_horizon: 'daily' } }],
  ['GET /api/tags', 200],
  ['GET /api/types', 200],
  ['POST /api/sessions', 200, { body: { turns: [{ role: 'user', content: 'walk' }] } }],
  ['POST /api/search', 200, { body: { query: 'every route' } }],
  ['POST /api/memories/search', 200, { body: { query: 'every route', tags: ['walk'] } }],
  ['POST /api/memories/resonance-search', 200, { body: { query: 'every route' } }],
  ['POST /api/search/by-tag', 200, { body: { tags: ['walk'] } }],
  ['POST /api/search/by-time', 200, { body: { query: 'today' } }],
  ['GET /api/search/similar/{hash}', 200],
  ['GET /api/events/stats', 200],
  ['POST /api/events/ticket', 200, { body: {} }],
  ['POST /api/manage/bulk-delete', 200, { body: { memory_type: 'deadline' } }],
  ['POST /api/manage/cleanup-duplicates', 200, { body: {} }],
  ['GET /api/manage/untagged/count', 200],
  ['POST /api/manage/delete-untagged', 200, { path: '?confirm_count=0' }],
  ['GET /api/manage/tags/stats', 200],
  ['PUT /api/manage/tags/{tag}', 200, { path: '?new_tag=walked' }],
  ['POST /api/manage/system/cleanup_duplicates', 200, { body: {} }],
  ['POST /api/manage/system/{operation}', 200, { body: {} }],
  ['GET /api/analytics/overview', 200],
  ['GET /api/analytics/memory-growth', 200],
  ['GET /api/analytics/tag-usage', 200],
  ['GET /api/analytics/memory-types', 200],
  ['GET /api/analytics/relationship-types', 200],
  ['GET /api/analytics/graph-visualization', 200],
  ['GET /api/analytics/search-analytics', 200],
  ['GET /api/analytics/performance', 200],
  ['GET /api/analytics/activity-heatmap', 200],
  ['GET /api/analytics/top-tags', 200],
  ['GET /api/analytics/activity-breakdown', 200],
  ['GET /api/analytics/storage-stats', 200],
  ['POST /api/quality/memories/{hash}/rate', 200, { body: { rating: 1 } }],
  ['POST /api/quality/memories/{hash}/evaluate', 200, { body: {} }],
  ['GET /api/quality/memories/{hash}', 200],
  ['GET /api/quality/distribution', 200],
  ['GET /api/quality/trends', 200],
  ['GET /api/conflicts', 200],
  ['POST /api/conflicts/resolve', 400, { body: { winner_hash: 'f'.repeat(64), loser_hash: 'e'.repeat(64) } }],
  ['POST /api/consolidation/trigger', 200, { body: { time_horizon: 'daily' } }],
  ['GET /api/consolidation/status', 200],
  ['GET /api/consolidation/recommendations/{horizon}', 200],
  ['POST /api/harvest', 404, { body: { project_path: '-nowhere' } }],
  ['POST /api/documents/upload', 200, { form: () => makeForm('file') }],
  ['POST /api/documents/batch-upload', 200, { form: () => makeForm('files') }],
  ['GET /api/documents/history', 200],
  ['GET /api/documents/status/{id}', 200],
  ['GET /api/documents/search-content/{id}', 200],
  ['DELETE /api/documents/remove/{id}', 200],
  ['DELETE /api/documents/remove-by-tags', 200, { body: { tags: ['walk-batch'] } }],
  ['GET /api/sync/status', 200],
  ['GET /api/sync/capabilities', 200],
  ['GET /api/sync/events', 200],
  ['POST /api/sync/events', 200, { body: { events: [] } }],
  ['GET /api/sync/baseline', 200],
  ['POST /api/sync/tombstone-conflicts/{hash}', 404, { body: { action: 'keep_local' } }],
  ['POST /api/sync/force', 404, { body: {} }],
  ['POST /api/sync/pause', 404, { body: {} }],
  ['POST /api/sync/resume', 404, { body: {} }],
  ['GET /api/server/status', 200],
  ['GET /api/server/version/check', 200],
  ['POST /api/server/restart', 400, { body: { confirm: true } }],
  ['POST /api/server/update', 400, { body: { confirm: true } }],
  ['GET /api/config/env', 200],
  ['GET /api/config/credentials', 200],
  ['POST /api/config/credentials/test', 200, { body: { api_token: 't', account_id: 'a' } }],
  ['POST /api/config/credentials', 400, { body: { api_token: 't' } }],
  ['POST /api/config/quality', 400, { body: { settings: { MCP_QUALITY_AI_PROVIDER: 'groq' } } }],
  ['GET /api/oauth/status', 200],
  ['GET /api/languages', 200],
  ['GET /api/docs', 302],
  ['GET /api/redoc', 302],
  ['GET /', 200],
  ['GET /api-overview', 302],
  ['GET /openapi.json', 302],
  ['GET /metrics', 200],
  ['GET /mcp/tools', 200],
  ['GET /mcp/health', 200],
  ['POST /mcp', 200, { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } }],
  ['POST /mcp/', 200, { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } }],
  ['GET /.well-known/oauth-authorization-server', 200],
  ['GET /.well-known/oauth-protected-resource', 200],
  ['GET /api/backup/status', 200],
  ['POST /api/backup/now', 200, { body: {} }],
  ['GET /api/backup/list', 200],
  ['DELETE /api/memories/{hash}', 200],
];

/** Answered by a stream, which `service-access.test.ts` reads. */
const STREAMS = ['GET /api/events', 'GET /sse/events'];

function makeForm(field: string): FormData {
  const form = new FormData();
  form.append(field, new File([`Text about krill for ${field}`], `${field}.md`));
  form.append('tags', field === 'file' ? 'walk-one' : 'walk-batch');
  return form;
}

/** Asks for every route in turn; the routes that were asked for, and those that are streams. */
export async function walkRoutes(rest: RestClient): Promise<Set<string>> {
  const known: Record<string, string> = {
    hash: hashOf(STORED),
    tag: 'walk',
    operation: 'optimize_db',
    horizon: 'weekly',
  };
  for (const [at, status, { path = '', body, form } = {}] of ROUTE_CALLS) {
    const [method, template] = at.split(' ') as [string, string];
    const address = `${template.replaceAll(/\{(\w+)\}/g, (_, name: string) => known[name] ?? name)}${path}`;
    const answer =
      form === undefined
        ? await rest.send(method, address, body, {
            'X-API-Key': KEY,
            accept: 'application/json, text/event-stream',
          })
        : await upload(rest, address, form());
    assert.equal(answer.status, status, `${method} ${address}: ${JSON.stringify(answer.body)}`);
    if (answer.body?.upload_id !== undefined) known.id = answer.body.upload_id;
  }
  return new Set([...ROUTE_CALLS.map(([at]) => at), ...STREAMS]);
}

async function upload(rest: RestClient, address: string, body: FormData): Promise<{ status: number; body: Json }> {
  const sent = await fetch(`${rest.server.url}${address}`, { method: 'POST', body, headers: { 'X-API-Key': KEY } });
  return { status: sent.status, body: await sent.json() };
}
