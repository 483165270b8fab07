// Rows of mcp-memory-service's checklist, by number, on the program as an agent runs it with that system's tools: arguments and answers in its words.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type McpProcess, startMcpProcess } from '../e2e/mcp-process.ts';

interface Listed {
  hints: Record<string, boolean>;
  arguments: Record<string, { type: string; required?: boolean; default?: unknown; enum?: string[] }>;
}
const VERSIONS = JSON.parse(readFileSync(join(import.meta.dirname, 'tools-of-both-versions.json'), 'utf8')) as Record<
  string,
  Record<string, Listed>
>;

let ltm: McpProcess;
before(async () => {
  ltm = await startMcpProcess({ LTM_TOOLS: 'service', LTM_PROJECT: 'off' });
});
after(() => ltm.close());

const hashOf = (text: string): string => createHash('sha256').update(text.trim().toLowerCase()).digest('hex');

async function invoke(name: string, args: Record<string, unknown> = {}) {
  const result = await ltm.client.callTool({ name, arguments: args });
  const [block] = result.content as { type: string; text: string }[];
  return { isError: result.isError === true, text: block?.text ?? '', structured: result.structuredContent };
}

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

test('row 4: memory_store answers with the hash of the trimmed, lower-cased text', async () => {
  const { text, isError } = await invoke('memory_store', { content: '  Row Four stores THIS  ' });
  assert.equal(text, `Memory stored successfully (hash: ${hashOf('row four stores this')})`);
  assert.equal(isError, false);
});

test('row 5: the same text in another case is refused as an exact match', async () => {
  await invoke('memory_store', { content: 'Row five says it once' });
  const { text, isError } = await invoke('memory_store', { content: ' ROW FIVE says it once' });
  assert.equal(text, 'Error storing memory: Duplicate content detected (exact match)');
  assert.equal(isError, true);
});

test('rows 6 and 7: a near copy is refused and names what it resembles; a conversation allows it, but not the same text', async () => {
  const first = 'The staging database password rotates every first Monday of the month';
  const near = 'The staging database password rotates on every first Monday of a month';
  await invoke('memory_store', { content: first });
  assert.equal(
    (await invoke('memory_store', { content: near })).text,
    `Error storing memory: Duplicate content detected (semantically similar to ${hashOf(first)})`,
  );
  assert.match((await invoke('memory_store', { content: near, conversation_id: 'c6' })).text, /^Memory stored/);
  assert.match((await invoke('memory_store', { content: near, conversation_id: 'c6' })).text, /exact match/);
  await ltm.restart({ MCP_SEMANTIC_DEDUP_ENABLED: 'false' });
  const third = 'The staging database password rotates on the first Monday of a month';
  assert.match((await invoke('memory_store', { content: third })).text, /^Memory stored/);
  await ltm.restart();
});

test('row 10 and 11: tags and type in the metadata; an unknown type is stored with a warning that names it', async () => {
  const { text } = await invoke('memory_store', {
    content: 'Typed by hand',
    metadata: { tags: 'A,b', type: 'fooish', colour: 'red' },
  });
  assert.match(text, /^Memory stored successfully/);
  assert.match(text, /"fooish"/);
  const { memories } = await ltm.call('memory_list', { tags: ['a'] });
  assert.deepEqual(memories[0].tags, ['a', 'b']);
  assert.deepEqual(memories[0].metadata, { colour: 'red' });
});

test('row 14: longer content is stored in parts that know the whole', async () => {
  await ltm.restart({ MCP_SQLITEVEC_MAX_CONTENT_LENGTH: '100' });
  const content = Array.from({ length: 30 }, (_, n) => `Sentence number ${n} of a long text.`).join(' ');
  const { text } = await invoke('memory_store', { content });
  assert.match(text, /^Successfully stored \d+ memory chunks \(original hash: [0-9a-f]{64}\)$/);
  await ltm.restart();
});

test('row 15: memory_store_session stores one memory, or parts of whole turns, with session and chunk tags', async () => {
  const turn = (n: number) => ({
    role: n % 2 === 0 ? 'user' : 'assistant',
    content: `Turn ${n} of the talk about ferries`,
  });
  const short = await invoke('memory_store_session', {
    turns: [turn(0), { role: 'user', content: ' ' }, turn(1)],
    session_id: 's15',
    tags: 'Ships',
  });
  assert.match(short.text, /^Session stored successfully \(session_id: s15, hash: [0-9a-f]{64}, turns: 2\)$/);
  const { memories } = await ltm.call('memory_list', { tags: ['session:s15'] });
  assert.equal(
    memories[0].content,
    '[user] Turn 0 of the talk about ferries\n[assistant] Turn 1 of the talk about ferries',
  );
  assert.deepEqual([memories[0].memory_type, memories[0].tags], ['session', ['session:s15', 'ships']]);
  const long = await invoke('memory_store_session', { turns: Array.from({ length: 60 }, (_, n) => turn(n)) });
  const parts = /session_id: (\S+), chunks: (\d+)\/(\d+), turns: 60\)$/.exec(long.text);
  assert.ok(parts && parts[2] === parts[3] && Number(parts[2]) > 1, long.text);
  const all = await ltm.call('memory_list', { tags: [`session:${parts[1]}`] });
  assert.equal(all.total, Number(parts[2]));
  for (const { content, tags } of all.memories) {
    assert.ok(content.split('\n').every((line: string) => /^\[(user|assistant)\] Turn \d+ of/.test(line)));
    assert.ok(tags.some((tag: string) => new RegExp(`^chunk:\\d+/${parts[2]}$`).test(tag)));
  }
  const empty = await invoke('memory_store_session', { turns: [{ role: 'user', content: '' }] });
  assert.equal(empty.isError, true);
});

test('row 16 and 24: memory_search shows whole texts, hashes, times and tags, and cuts between memories with a notice', async () => {
  const long = (n: number) =>
    `Lighthouse keepers log number ${n}: ${`entry ${n} about the lamp and the weather. `.repeat(20)}`;
  for (let n = 0; n < 6; n++)
    await invoke('memory_store', { content: long(n), conversation_id: 'c16', metadata: { tags: ['lamp'] } });
  const whole = await invoke('memory_search', { query: 'lighthouse lamp', tags: ['lamp'] });
  assert.match(whole.text, /^Found 6 memories \(mode: semantic\) for query: 'lighthouse lamp'\n\n1\. Lighthouse/);
  assert.match(whole.text, /\n {3}Hash: [0-9a-f]{64}\n {3}Created: \d{4}-\d\d-\d\dT\S+Z \[lamp\]/);
  const cut = await invoke('memory_search', { query: 'lighthouse lamp', tags: ['lamp'], max_response_chars: 2500 });
  const notice = /^\[!\] RESPONSE TRUNCATED: Showing (\d+) of 6 results \((\d+) of (\d+) chars\)/.exec(cut.text);
  assert.ok(notice && Number(notice[1]) === 2 && Number(notice[2]) <= 2500, cut.text.slice(0, 200));
  assert.match((await invoke('memory_search', { query: 'lighthouse', max_response_chars: 1 })).text, /Showing 1 of/);
  await ltm.restart({ MCP_MAX_RESPONSE_CHARS: '2500' });
  assert.match(
    (await invoke('memory_search', { query: 'lighthouse lamp', tags: ['lamp'] })).text,
    /RESPONSE TRUNCATED/,
  );
  await ltm.restart();
});

test('row 26: include_debug gives counts and the time range that was read', async () => {
  const { text } = await invoke('memory_search', { query: 'lamp', time_expr: 'today', include_debug: true });
  assert.match(text, /Pre-filter count: \d+\nPost-filter count: \d+\nTime range: \d{4}-/);
  const wrong = await invoke('memory_search', { query: 'lamp', time_expr: 'when pigs fly' });
  assert.equal(wrong.isError, true);
  assert.equal((await invoke('memory_search', {})).isError, true);
});

test('row 28: fallback says how each was found', async () => {
  await invoke('memory_store', { content: 'Zebra crossing', metadata: { tags: ['qqxx'] } });
  const { text } = await invoke('memory_search', { query: 'qqxx', fallback: true });
  assert.match(text, /\[fallback: .*tag\]/);
  assert.match(text, /\(via tag_fallback\)/);
});

test('row 30: memory_list pages and counts', async () => {
  for (let n = 0; n < 5; n++)
    await invoke('memory_store', { content: `Paged ${n}`, conversation_id: 'c', metadata: { tags: ['page'] } });
  const page = await ltm.call('memory_list', { tags: ['page'], page: 2, page_size: 2 });
  const { memories, ...counts } = page;
  assert.deepEqual(counts, { page: 2, page_size: 2, total: 5, total_pages: 3, has_more: true });
  assert.deepEqual(
    memories.map(({ content }: { content: string }) => content),
    ['Paged 2', 'Paged 1'],
  );
  const [{ created_at: seconds, created_at_iso: iso }] = memories;
  assert.equal(new Date(seconds * 1000).toISOString(), iso);
  const text = JSON.parse(await ltm.text('memory_list', { tags: ['page'] }));
  assert.equal(text.total, 5);
});

test('rows 31, 32 and 33: memory_delete by hash, tags and dates; a dry run previews; without a filter it is an error; deleted text can be stored again', async () => {
  for (let n = 0; n < 7; n++)
    await invoke('memory_store', { content: `Doomed ${n}`, conversation_id: 'c', metadata: { tags: ['doom'] } });
  const dry = await invoke('memory_delete', { tags: ['doom'], dry_run: true });
  assert.match(dry.text, /^Would delete 7 memories\nHashes: ([0-9a-f]{64}, ){4}[0-9a-f]{64}\n\.\.\. and 2 more$/);
  assert.equal((await ltm.call('memory_list', { tags: ['doom'] })).total, 7);
  assert.match((await invoke('memory_delete', { content_hash: hashOf('doomed 0') })).text, /Deleted 1 memories$/);
  assert.match((await invoke('memory_delete', { tags: 'doom', after: '2020-01-01' })).text, /Deleted 6 memories$/);
  assert.equal((await invoke('memory_delete', {})).isError, true);
  assert.equal((await invoke('memory_delete', { content_hash: 'f'.repeat(64) })).isError, true);
  assert.match((await invoke('memory_store', { content: 'Doomed 0' })).text, /^Memory stored/);
  assert.match(
    (await invoke('memory_store', { content: 'doomed 1', restore_deleted: true })).text,
    new RegExp(`^Memory restored successfully \\(hash: ${hashOf('doomed 1')}\\)`),
  );
});

test('row 35: memory_update replaces tags, merges metadata, keeps protected keys', async () => {
  const content = 'Row thirty-five';
  await invoke('memory_store', { content, metadata: { tags: ['old'], a: 1 } });
  const { text } = await invoke('memory_update', {
    content_hash: hashOf(content),
    updates: {
      tags: ['new'],
      memory_type: 'decision',
      metadata: { b: 2 },
      c: 3,
      content: 'no',
      content_hash: 'no',
      created_at_iso: 'no',
    },
  });
  assert.match(text, /^Successfully updated memory metadata\. Updated fields: /);
  for (const name of ['tags', 'memory_type', 'metadata']) assert.match(text.split('\n')[0]!, new RegExp(name));
  const { memories } = await ltm.call('memory_list', { tags: ['new'] });
  const { content: kept, content_hash: hash, memory_type: type, metadata } = memories[0];
  assert.deepEqual([kept, hash, type, metadata], [content, hashOf(content), 'decision', { a: 1, b: 2, c: 3 }]);
  assert.equal((await invoke('memory_update', { content_hash: 'f'.repeat(64), updates: {} })).isError, true);
});

test('rows 27 and 36: a versioned update gives a new hash and hides the old text unless it is asked for', async () => {
  await invoke('memory_store', { content: 'The gateway listens on port 7001' });
  const updates = { content: 'The gateway listens on port 7002', reason: 'moved' };
  const { text } = await invoke('memory_update', {
    ...{ content_hash: hashOf('the gateway listens on port 7001'), updates, versioned: true },
  });
  assert.equal(
    text,
    `Successfully created new version. New hash: ${hashOf(updates.content)}\nParent hash: ${hashOf('the gateway listens on port 7001')}`,
  );
  const find = async (more = {}) => (await invoke('memory_search', { query: 'gateway port', ...more })).text;
  assert.ok(!(await find()).includes('7001'));
  assert.match(await find({ include_superseded: true }), /7001/);
});

test('row 38: memory_health and memory_stats are documents in the words of the service', async () => {
  const { text } = await invoke('memory_health');
  assert.match(text, /^Database Health Check Results:\n\{/);
  const health = JSON.parse(text.slice(text.indexOf('{')));
  assert.equal(health.validation.status, 'healthy');
  assert.ok(health.statistics.total_memories > 5 && health.statistics.unique_tags > 3);
  for (const part of ['version', 'integrity', 'performance']) assert.ok(part in health, part);
  const stats = JSON.parse((await invoke('memory_stats')).text);
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
  const add = async (more = {}) => JSON.parse((await invoke('mistake_note_add', { ...mistake, ...more })).text);
  const first = await add();
  assert.deepEqual([first.status, first.failure_count], ['created', 1]);
  assert.deepEqual((await add()).failure_count, 2);
  const again = await add({ error_pattern: 'ECONNRESET when the pool is drained!' });
  assert.deepEqual([again.status, again.failure_count, again.content_hash], ['updated', 3, first.content_hash]);
  for (let n = 0; n < 20; n++)
    await invoke('memory_store', { content: `The pool was drained at ${n} o'clock`, conversation_id: 'c48' });
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
    ...{ session_id: 's1', agent_id: 'builder', task_summary: 'Moved the queue to NATS', outcome: 'success' },
    decisions: [{ decision: 'We use NATS for the queue', reason: 'latency' }],
    errors: [
      { error_pattern: 'lost messages', context_signature: 'queue', incorrect_action: 'no ack', correct_action: 'ack' },
      { content: 'The build broke twice' },
    ],
  });
  assert.deepEqual(done, { status: 'success', observations_created: 3, mistake_notes_updated: 1 });
  const { text } = await invoke('get_bootstrap_profile', { agent_ids: ['builder'], task_summary: 'queue' });
  for (const words of ['Moved the queue to NATS', 'lost messages', 'We use NATS'])
    assert.ok(text.includes(words), text);
  const small = await invoke('get_bootstrap_profile', {
    agent_ids: ['builder'],
    task_summary: 'queue',
    max_tokens: 60,
  });
  assert.ok(small.text.length <= 60 * 4, small.text);
  assert.match((await invoke('get_onboarding_guide')).text, /^# .*\n\n1\. /);
});

test('memory_distill finds statements in stored conversations, and stores them only when told to', async () => {
  await invoke('memory_store_session', {
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
  const { status } = await ltm.call('unquarantine_memory', { content_hash: hashOf('row thirty-five') });
  assert.equal(status, 'not_quarantined');
});
