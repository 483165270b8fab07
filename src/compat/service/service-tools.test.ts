import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asGiven, call } from '../../../test/conformance/call.ts';
import { callerOf, hitOf, memoryOf, resultOf, stubEngine } from '../../../test/conformance/stub-engine.ts';
import { TOOL_FAMILIES } from '../../mcp/family-names.ts';
import { EngineError } from '../../model/errors.ts';
import { createTools } from '../../server/create-tools.ts';

test('memory_search understands the arguments of the service', async () => {
  let query: unknown;
  const engine = stubEngine({
    search: async (_, given) => {
      query = given;
      return resultOf([]);
    },
  });
  const args = {
    query: 'pool',
    mode: 'ranked',
    time_expr: 'last week',
    n_results: '5',
    max_response_chars: 900.5,
    entity: 'pg',
    agent_id: 'a',
    rerank: true,
    summarize: 'true',
  };
  const { structured } = await call(
    'memory_search',
    {
      ...args,
      tags: 'x,y',
      tag_match: 'all',
      quality_boost: '0.3',
      include_debug: true,
      ranking_weights: { quality: 1 },
    },
    engine,
  );
  assert.deepEqual(asGiven(query), {
    filter: { tags: ['x', 'y'], tagMatch: 'all', agent: 'a', entity: 'pg' },
    query: 'pool',
    mode: 'hybrid',
    when: 'last week',
    limit: 5,
    maxChars: 900,
    qualityBoost: 0.3,
    debug: true,
    rerank: true,
    ranking: { quality: 1 },
  });
  assert.deepEqual([structured.notices, structured.summary], [undefined, null]);
});

test('memory_store understands the arguments of the service', async () => {
  let input: unknown;
  const engine = stubEngine({
    storeMemory: async (_, given) => {
      input = given;
      return { outcome: 'duplicate', memory: memoryOf(), warnings: [], searchableBy: 'text', redactions: [] };
    },
  });
  const { structured } = await call(
    'memory_store',
    {
      content: 'x',
      conversation_id: 'c1',
      agent_id: 'a1',
      client_hostname: 'h1',
      store: 'work',
      metadata: { tags: 'a,b', type: 'decision', source: 'chat' },
    },
    engine,
  );
  assert.deepEqual(asGiven(input), {
    content: 'x',
    conversation: 'c1',
    agent: 'a1',
    host: 'h1',
    type: 'decision',
    tags: ['a', 'b'],
    metadata: { source: 'chat' },
    project: 'work',
  });
  assert.equal(structured.warnings, undefined);
  assert.equal((await call('memory_store', { content: 'x', store: 'all' }, engine)).isError, true);
});

test('restore_deleted brings back the deleted memory with the same text', async () => {
  const engine = stubEngine({
    getMemories: async () => ({ memories: [], missing: ['h'] }),
    restoreMemories: async (_, refs) => ({ restored: refs[0]?.length === 64 ? [memoryOf()] : [], missing: [] }),
  });
  assert.equal(
    (await call('memory_store', { content: 'x', restore_deleted: true }, engine)).structured.outcome,
    'restored',
  );
});

test('memory_update takes the updates object, whose other keys become metadata', async () => {
  const inputs: unknown[] = [];
  const engine = stubEngine({
    updateMemory: async (_, given) => {
      inputs.push(given);
      return {
        outcome: 'updated',
        memory: memoryOf(),
        changed: ['tags'],
        previous: null,
        warnings: [],
        redactions: [],
      };
    },
  });
  const updates = { tags: 'a,b', memory_type: 'decision', metadata: { x: 1 }, priority: 'high', content_hash: 'no' };
  const { structured } = await call(
    'memory_update',
    { content_hash: 'a'.repeat(64), updates, preserve_timestamps: false },
    engine,
  );
  assert.deepEqual(asGiven(inputs[0]), {
    ref: 'a'.repeat(64),
    type: 'decision',
    tags: ['a', 'b'],
    metadata: { priority: 'high', x: 1 },
    preserveTimestamps: false,
  });
  assert.match(JSON.stringify(structured.warnings), /content_hash/);
});

test('memory_list takes the size of a page and a type under the names of the service, and a cursor wins over a page', async () => {
  const inputs: unknown[] = [];
  const engine = stubEngine({
    listMemories: async (_, given) => {
      inputs.push(given);
      return { items: [memoryOf({ trust: 'untrusted' })], total: 1, cursor: null };
    },
  });
  const { structured } = await call(
    'memory_list',
    { page: 3, page_size: '5', memory_type: 'note', store: 'x' },
    engine,
  );
  assert.deepEqual(asGiven(inputs[0]), { filter: { types: ['note'], project: 'x' }, page: { limit: 5, offset: 10 } });
  const [ofTrust] = structured.notices as string[];
  assert.match(ofTrust!, /^Text marked trust: untrusted/);
  await call('memory_list', { page: 3, cursor: 'c' }, engine);
  assert.deepEqual(asGiven(inputs[1]), { filter: {}, page: { limit: 20, cursor: 'c' } });
});

test('our own name of an argument wins over that of the service', async () => {
  let query: unknown;
  const engine = stubEngine({
    search: async (_, given) => {
      query = given;
      return resultOf([hitOf()]);
    },
  });
  await call('memory_search', { query: 'x', limit: 3, n_results: 9, when: 'today', time_expr: 'last week' }, engine);
  assert.deepEqual(asGiven(query), { query: 'x', limit: 3, when: 'today', filter: {} });
});

test('ids win over filters in memory_delete, and the filters that were not used are named', async () => {
  let input: unknown;
  const engine = stubEngine({
    deleteMemories: async (_, given) => {
      input = given;
      return { outcome: 'deleted', memories: [memoryOf()], count: 1, missing: [] };
    },
  });
  const { text } = await call('memory_delete', { content_hash: 'abc', tags: ['x'], type: 'note', after: '' }, engine);
  assert.match(text, /not used: tags, type\./);
  assert.deepEqual(asGiven(input), { refs: ['abc'] });
});

test('the nearest argument is looked for among those of the service too', async () => {
  const { structured } = await call('memory_search', { time_exp: 'today' }, stubEngine());
  assert.equal(structured.error?.hint, 'Did you mean "time_expr"?');
});

test('an older name answers as the tool of the service that took its place, and is never listed', async () => {
  const inputs: unknown[] = [];
  const engine = stubEngine({
    deleteMemories: async (_, given) => {
      inputs.push(given);
      return { outcome: 'deleted', memories: [], count: 2, missing: [] };
    },
    search: async (_, given) => {
      if (given.when?.startsWith('the vault')) throw new EngineError('unreadable_time', 'That is no time.');
      inputs.push(given);
      return resultOf([]);
    },
  });
  await call('delete_by_all_tags', { tags: 'a,b' }, engine);
  await call('recall_memory', { query: 'last week' }, engine);
  await call('recall_memory', { query: 'the vault', n_results: 3 }, engine);
  await call('recall_memory', { query: 'the vault last week?' }, engine);
  const filter = { kinds: ['memory', 'section'] };
  assert.deepEqual(asGiven(inputs), [
    { filter: { tags: ['a', 'b'], tagMatch: 'all', ...filter }, dryRun: false },
    { when: 'last week', limit: 5, relevantOnly: false, maxChars: 0, filter },
    { query: 'the vault', limit: 3, relevantOnly: false, maxChars: 0, filter },
    { query: 'the vault', when: 'last week', limit: 5, relevantOnly: false, maxChars: 0, filter },
  ]);
  assert.ok(
    !JSON.stringify((await createTools()).list(TOOL_FAMILIES).tools.map(({ name }) => name)).includes('recall_memory'),
  );
});

test('memory_harvest is refused to everybody but the owner of the machine', async () => {
  const engine = stubEngine({});
  const { isError, structured } = await call('memory_harvest', {}, engine, { ...callerOf(), userId: 'ada' });
  assert.deepEqual([isError, structured.error?.code], [true, 'forbidden']);
});
