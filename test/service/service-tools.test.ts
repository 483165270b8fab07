// Rows of mcp-memory-service's checklist about what it lists and tells, mistakes and sessions, by number: its tools over stdio, in its words.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { hashOf, type ServiceClient, startServiceTools } from './service-client.ts';

interface Listed {
  hints: Record<string, boolean>;
  arguments: Record<string, { type: string; required?: boolean; default?: unknown; enum?: string[] }>;
}
const VERSIONS = JSON.parse(readFileSync(join(import.meta.dirname, 'tools-of-both-versions.json'), 'utf8')) as Record<
  string,
  Record<string, Listed>
>;

let ltm: ServiceClient;
before(async () => {
  ltm = await startServiceTools();
  for (let n = 0; n < 5; n++) await ltm.store(`Paged ${n}`, { tags: ['page'] });
  await ltm.store('The gateway listens on port 7002');
});
after(() => ltm.close());

for (const [version, tools] of Object.entries(VERSIONS))
  test(`row 2: every tool of ${version} is listed, with its arguments, defaults, required ones and hints`, async () => {
    const listed = new Map((await ltm.client.listTools()).tools.map((tool) => [tool.name, tool]));
    for (const [name, wanted] of Object.entries(tools)) {
      const tool = listed.get(name);
      assert.ok(tool, name);
      const properties = (tool.inputSchema.properties ?? {}) as Record<string, { default?: unknown; enum?: string[] }>;
      for (const [argument, { required, default: usual, enum: choices }] of Object.entries(wanted.arguments)) {
        assert.ok(argument in properties, `${name}.${argument}`);
        assert.equal(tool.inputSchema.required?.includes(argument) === true, required === true, `${name}.${argument}`);
        assert.deepEqual(properties[argument]?.default, usual, `${name}.${argument}`);
        for (const one of choices ?? [])
          assert.ok(properties[argument]?.enum?.includes(one), `${name}.${argument}: ${one}`);
      }
      if (wanted.hints.readOnlyHint === true) assert.equal(tool.annotations?.readOnlyHint, true, name);
    }
  });

test('row 38: memory_health and memory_stats are documents in the words of the service', async () => {
  const { text } = await ltm.invoke('memory_health');
  assert.match(text, /^Database Health Check Results:\n\{/);
  const health = JSON.parse(text.slice(text.indexOf('{')));
  assert.equal(health.validation.status, 'healthy');
  assert.deepEqual([health.statistics.total_memories, health.statistics.unique_tags], [6, 2]);
  for (const part of ['version', 'integrity', 'performance']) assert.ok(part in health, part);
  for (const fact of [
    'backend',
    'has_embedding_model',
    'missing_embeddings',
    'orphaned_embeddings',
    'database_size_mb',
  ])
    assert.ok(fact in health.statistics, fact);
  const stats = JSON.parse((await ltm.invoke('memory_stats')).text);
  for (const part of ['total_calls', 'hit_rate', 'storage_cache', 'service_cache', 'backend_info', 'message'])
    assert.ok(part in stats, part);
});

test('row 40: every resource of the service can be read', async () => {
  for (const uri of [
    'memory://stats',
    'memory://tags',
    'memory://recent/3',
    'memory://tag/page',
    'memory://search/gateway',
  ]) {
    const { contents } = await ltm.client.readResource({ uri });
    assert.ok(JSON.parse((contents[0] as { text: string }).text), uri);
  }
  const { contents } = await ltm.client.readResource({ uri: 'memory://tags' });
  assert.match((contents[0] as { text: string }).text, /"page"/);
});

test('row 41: the five prompts of the service are listed, take their arguments and answer with one message', async () => {
  const { prompts } = await ltm.client.listPrompts();
  assert.deepEqual(
    prompts.map(({ name }) => name),
    ['memory_review', 'memory_analysis', 'knowledge_export', 'memory_cleanup', 'learning_session'],
  );
  const get = async (name: string, args: Record<string, string>) => {
    const { messages } = await ltm.client.getPrompt({ name, arguments: args });
    assert.deepEqual([messages.length, messages[0]?.role], [1, 'user']);
    return (messages[0]!.content as { text: string }).text;
  };
  assert.match(await get('memory_review', { time_period: 'today', focus_area: 'gateway' }), /port 7002/);
  assert.match(await get('memory_analysis', { tags: 'page' }), /Analyse 5 memories[\s\S]*- page: 5/);
  const exported = JSON.parse(await get('knowledge_export', { format: 'json', filter: 'page,nothing' }));
  assert.equal(exported.count, 5);
  assert.match(await get('knowledge_export', { format: 'markdown' }), /^# Knowledge Export/);
  assert.match(await get('memory_cleanup', { older_than: '2020-01-01' }), /0 are older than 2020-01-01/);
  assert.match(
    await get('learning_session', { topic: 'Rust Traits', key_points: 'a, b', questions: 'why' }),
    /Stored as [0-9a-f]{64}/,
  );
  const { memories } = await ltm.call('memory_list', { tags: ['rust_traits'] });
  assert.match(memories[0].content, /^# Learning Session: Rust Traits\n\n## Key Points\n- a\n- b/);
});

test('row 48: a mistake is noted, counted when it is made again, found, changed and deleted', async () => {
  const mistake = {
    error_pattern: 'ECONNRESET when the pool is drained',
    context_signature: 'deploy of the shop API',
    incorrect_action: 'restart the database',
    correct_action: 'drain the pool before the deploy',
  };
  const add = async (more = {}) => JSON.parse((await ltm.invoke('mistake_note_add', { ...mistake, ...more })).text);
  const first = await add();
  assert.deepEqual([first.status, first.failure_count], ['created', 1]);
  assert.deepEqual((await add()).failure_count, 2);
  const again = await add({ error_pattern: 'ECONNRESET when the pool is drained!' });
  assert.deepEqual([again.status, again.failure_count, again.content_hash], ['updated', 3, first.content_hash]);
  for (let n = 0; n < 20; n++)
    await ltm.invoke('memory_store', { content: `The pool was drained at ${n} o'clock`, conversation_id: 'c48' });
  const found = await ltm.call('mistake_note_search', { query: 'pool drained' });
  assert.deepEqual([found.count, found.notes[0].failure_count], [1, 3]);
  const changed = await ltm.call('mistake_note_update', {
    content_hash: first.content_hash,
    failure_count: 9,
    correct_action: 'wait',
  });
  assert.equal((await ltm.call('mistake_note_search', { query: 'pool' })).notes[0].failure_count, 9);
  assert.equal((await ltm.call('mistake_note_delete', { content_hash: changed.content_hash })).status, 'deleted');
  assert.equal((await ltm.call('mistake_note_search', { query: 'pool' })).count, 0);
});

test('what a session came to is committed, and an agent is given it at the start of the next', async () => {
  const done = await ltm.call('commit_session_legacy', {
    session_id: 's1',
    agent_id: 'builder',
    task_summary: 'Moved the queue to NATS',
    outcome: 'success',
    decisions: [{ decision: 'We use NATS for the queue', reason: 'latency' }],
    errors: [
      { error_pattern: 'lost messages', context_signature: 'queue', incorrect_action: 'no ack', correct_action: 'ack' },
      { content: 'The build broke twice' },
    ],
  });
  assert.deepEqual(done, { status: 'success', observations_created: 3, mistake_notes_updated: 1 });
  const { text } = await ltm.invoke('get_bootstrap_profile', { agent_ids: ['builder'], task_summary: 'queue' });
  for (const words of ['Moved the queue to NATS', 'lost messages', 'We use NATS'])
    assert.ok(text.includes(words), text);
  const small = await ltm.invoke('get_bootstrap_profile', {
    agent_ids: ['builder'],
    task_summary: 'queue',
    max_tokens: 60,
  });
  assert.ok(small.text.length <= 60 * 4, small.text);
  assert.match((await ltm.invoke('get_onboarding_guide')).text, /^# .*\n\n1\. /);
});

test('memory_distill finds statements in stored conversations, and stores them only when told to', async () => {
  await ltm.invoke('memory_store_session', {
    session_id: 'd1',
    turns: [
      { role: 'user', content: 'Hello there' },
      {
        role: 'assistant',
        content: 'We decided to use PostgreSQL for the billing service because of row level security.',
      },
    ],
  });
  const dry = await ltm.call('memory_distill', {});
  assert.ok(dry.dry_run && dry.candidates_found >= 1, JSON.stringify(dry));
  assert.equal((await ltm.call('memory_list', { tags: ['distilled'] })).total, 0);
  const real = await ltm.call('memory_distill', { dry_run: false });
  assert.equal(real.stored, (await ltm.call('memory_list', { tags: ['distilled'] })).total);
});

test('nothing is in quarantine that was stored here, and a memory that is not cannot be taken out', async () => {
  assert.deepEqual(await ltm.call('get_quarantined_memories', {}), { quarantined: [], count: 0 });
  const { status } = await ltm.call('unquarantine_memory', { content_hash: hashOf('paged 0') });
  assert.equal(status, 'not_quarantined');
});
