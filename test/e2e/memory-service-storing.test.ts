// Rows 2 to 14 of the mcp-memory-service checklist, by number, on the program as an agent runs it: the tools, and storing.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { MEMORY_TYPES } from '../../src/model/memory-types.ts';
import { type McpProcess, startMcpProcess } from './mcp-process.ts';

let ltm: McpProcess;
before(async () => {
  ltm = await startMcpProcess();
});
after(() => ltm.close());

const _contents = (list: { content?: string; snippet?: string }[]): (string | undefined)[] =>
  list.map((item) => item.content ?? item.snippet);

test('2: the tools have schemas, annotations and required arguments', async () => {
  const { tools } = await ltm.client.listTools();
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  for (const name of [
    'memory_store',
    'memory_search',
    'memory_list',
    'memory_delete',
    'memory_update',
    'memory_health',
  ])
    assert.ok(byName.has(name), name);
  assert.deepEqual(byName.get('memory_store')?.inputSchema.required, ['content']);
  for (const name of ['memory_search', 'memory_list', 'memory_get', 'memory_health'])
    assert.equal(byName.get(name)?.annotations?.readOnlyHint, true, name);
  assert.equal(byName.get('memory_delete')?.annotations?.destructiveHint, true);
  assert.notEqual(byName.get('memory_store')?.annotations?.destructiveHint, true);
});

test('4: memory_store answers with the SHA-256 of the trimmed, lower-cased text', async () => {
  const { content_hash: hash } = await ltm.call('memory_store', { content: '  Row Four stores THIS  ' });
  assert.equal(hash, createHash('sha256').update('row four stores this').digest('hex'));
});

test('5: the same text in another case is a duplicate, and the answer names the one that is there', async () => {
  const first = await ltm.call('memory_store', { content: 'Row five says it once' });
  const second = await ltm.call('memory_store', { content: '  ROW FIVE says it once ' });
  assert.equal(second.outcome, 'duplicate');
  assert.equal(second.id, first.id);
});

test('6: a near copy is stored and named, or refused on request; the threshold is a setting', async () => {
  const first = await ltm.call('memory_store', {
    content: 'The staging database password rotates every first Monday of the month',
  });
  const near = 'The staging database password rotates on every first Monday of a month';
  const refused = await ltm.fail('memory_store', { content: near, on_duplicate: 'refuse' });
  assert.equal(refused.code, 'duplicate');
  assert.match(JSON.stringify(refused), new RegExp(first.id));
  const second = await ltm.call('memory_store', { content: near });
  assert.equal(second.outcome, 'stored');
  assert.equal(second.resembles[0].id, first.id);
  assert.ok(second.resembles[0].similarity >= 0.85 && second.resembles[0].similarity <= 1);
  await ltm.restart({ MCP_SEMANTIC_DEDUP_THRESHOLD: '0.999' });
  const third = await ltm.call('memory_store', {
    content: 'The staging database password rotates on every first Monday in a month',
  });
  assert.equal(third.resembles?.length ?? 0, 0);
  await ltm.restart();
});

test('7: a conversation id skips the check for near copies, not for exact ones', async () => {
  await ltm.call('memory_store', { content: 'Seven wonders are listed in the travel plan for May' });
  const near = await ltm.call('memory_store', {
    content: 'Seven wonders are listed in the travel plan for the May',
    conversation_id: 'c7',
    on_duplicate: 'refuse',
  });
  assert.equal(near.outcome, 'stored');
  assert.equal(
    (
      await ltm.fail('memory_store', {
        content: 'seven wonders are listed in the travel plan for may',
        conversation_id: 'c7',
        on_duplicate: 'refuse',
      })
    ).code,
    'duplicate',
  );
});

test('8: tags as a list, as comma text and as JSON text are the same, lower-cased, once each, within limits', async () => {
  const forms = [['Alpha Tag', 'beta', 'BETA'], 'Alpha Tag, beta,BETA', '["Alpha Tag","beta","BETA"]'];
  for (const [i, tags] of forms.entries()) {
    assert.deepEqual(
      (await ltm.call('memory_store', { content: `row eight, form number ${i}`, tags })).tags,
      ['alpha tag', 'beta'],
      String(tags),
    );
    assert.deepEqual(
      (await ltm.call('memory_store', { content: `row eight, old form number ${i}`, metadata: { tags } })).tags,
      ['alpha tag', 'beta'],
      String(tags),
    );
  }
  const many = Array.from({ length: 120 }, (_, i) => `tag${i}-${'x'.repeat(120)}`);
  const limited = await ltm.call('memory_store', { content: 'row eight, too many', tags: many });
  assert.equal(limited.tags.length, 100);
  assert.ok(limited.tags.every((tag: string) => tag.length <= 100));
  assert.equal((await ltm.call('memory_list', { tags: ['alpha tag'] })).total, 6);
  await ltm.call('memory_store', { content: 'row eight, a wildcard', tags: ['a%b_c'] });
  assert.equal((await ltm.call('memory_list', { tags: ['a%b_c'] })).total, 1);
  assert.equal((await ltm.call('memory_list', { tags: ['axbyc', '%', '_'] })).total, 0);
});

test('9: without tags a memory is tagged untagged', async () => {
  assert.deepEqual((await ltm.call('memory_store', { content: 'row nine has no tags' })).tags, ['untagged']);
});

test('10: metadata.tags and tags are united', async () => {
  const stored = await ltm.call('memory_store', {
    content: 'row ten has both',
    tags: ['one'],
    metadata: { tags: 'two,one', colour: 'red' },
  });
  assert.deepEqual([...stored.tags].sort(), ['one', 'two']);
  assert.deepEqual((await ltm.call('memory_get', { id: stored.id })).memories[0].metadata, { colour: 'red' });
});

test('11: an unknown type is kept as given, with a warning that names it', async () => {
  const stored = await ltm.call('memory_store', { content: 'row eleven has a new type', metadata: { type: 'foo' } });
  assert.equal(stored.type, 'foo');
  assert.match(JSON.stringify(stored.warnings), /foo/);
});

test('12: custom types come from a setting', async () => {
  await ltm.restart({ MCP_CUSTOM_MEMORY_TYPES: '{"legal":["contract"]}' });
  assert.equal(
    (await ltm.call('memory_store', { content: 'row twelve is legal', type: 'contract' })).warnings,
    undefined,
  );
  await ltm.restart();
});

test('13: the twelve bases and sixty-six subtypes are all known, and eight more', async () => {
  const types = Object.entries(MEMORY_TYPES).flatMap(([base, subtypes]) => [base, ...subtypes]);
  assert.equal(types.length, 12 + 66 + 8);
  for (const type of types)
    assert.equal(
      (await ltm.call('memory_store', { content: `row thirteen, a ${type}`, type, on_duplicate: 'store' })).warnings,
      undefined,
      type,
    );
});

test('14: content over the limit of the setting is split, with index, total and the hash of the whole', async () => {
  await ltm.restart({ MCP_SQLITEVEC_MAX_CONTENT_LENGTH: '100' });
  const content = Array.from({ length: 50 }, (_, i) => `Sentence ${i} of fourteen.`)
    .join(' ')
    .slice(0, 1000);
  const stored = await ltm.call('memory_store', { content, tags: ['row14'] });
  assert.ok(stored.chunks.length >= 10);
  const { memories, total } = await ltm.call('memory_list', { tags: ['row14'], limit: 100 });
  assert.equal(total, stored.chunks.length);
  const hash = createHash('sha256').update(content.trim().toLowerCase()).digest('hex');
  const indexes = new Set<number>();
  for (const memory of memories) {
    assert.ok(memory.content.length <= 100);
    assert.equal(memory.metadata.original_hash, hash);
    assert.equal(memory.metadata.total_chunks, total);
    indexes.add(memory.metadata.chunk_index);
  }
  assert.equal(indexes.size, total);
  await ltm.restart();
});
