// Rows of mcp-memory-service's checklist about storing, changing and deleting, by number: its tools over stdio, in its words.
import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { after, before, test } from 'node:test';
import type { Json } from './rest-client.ts';
import { hashOf, type ServiceClient, startServiceTools } from './service-client.ts';

let ltm: ServiceClient;
before(async () => {
  ltm = await startServiceTools();
});
after(() => ltm.close());

test('row 4: memory_store answers with the hash of the trimmed, lower-cased text', async () => {
  const { text, isError } = await ltm.invoke('memory_store', { content: '  Row Four stores THIS  ' });
  assert.equal(text, `Memory stored successfully (hash: ${hashOf('row four stores this')})`);
  assert.equal(isError, false);
});

test('row 5: the same text in another case is refused as an exact match', async () => {
  await ltm.invoke('memory_store', { content: 'Row five says it once' });
  const { text, isError } = await ltm.invoke('memory_store', { content: ' ROW FIVE says it once' });
  assert.equal(text, 'Error storing memory: Duplicate content detected (exact match)');
  assert.equal(isError, true);
});

test('rows 6 and 7: a near copy is refused and names what it resembles; a conversation allows it, but not the same text', async () => {
  const first = 'The staging database password rotates every first Monday of the month';
  const near = 'The staging database password rotates on every first Monday of a month';
  await ltm.invoke('memory_store', { content: first });
  assert.equal(
    (await ltm.invoke('memory_store', { content: near })).text,
    `Error storing memory: Duplicate content detected (semantically similar to ${hashOf(first)})`,
  );
  assert.match((await ltm.invoke('memory_store', { content: near, conversation_id: 'c6' })).text, /^Memory stored/);
  assert.match((await ltm.invoke('memory_store', { content: near, conversation_id: 'c6' })).text, /exact match/);
  await ltm.restart({ MCP_SEMANTIC_DEDUP_ENABLED: 'false' });
  const third = 'The staging database password rotates on the first Monday of a month';
  assert.match((await ltm.invoke('memory_store', { content: third })).text, /^Memory stored/);
  await ltm.restart();
});

test('row 10 and 11: tags and type in the metadata; an unknown type is stored with a warning that names it', async () => {
  const { text } = await ltm.invoke('memory_store', {
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
  const { text } = await ltm.invoke('memory_store', { content });
  assert.match(text, /^Successfully stored \d+ memory chunks \(original hash: [0-9a-f]{64}\)$/);
  await ltm.restart();
});

test('row 15: memory_store_session stores one memory, or parts of whole turns, with session and chunk tags', async () => {
  const turn = (n: number) => ({
    role: n % 2 === 0 ? 'user' : 'assistant',
    content: `Turn ${n} of the talk about ferries`,
  });
  const short = await ltm.invoke('memory_store_session', {
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
  const long = await ltm.invoke('memory_store_session', { turns: Array.from({ length: 60 }, (_, n) => turn(n)) });
  const parts = /session_id: (\S+), chunks: (\d+)\/(\d+), turns: 60\)$/.exec(long.text);
  assert.ok(parts && parts[2] === parts[3] && Number(parts[2]) > 1, long.text);
  const all = await ltm.call('memory_list', { tags: [`session:${parts[1]}`] });
  assert.equal(all.total, Number(parts[2]));
  for (const { content, tags } of all.memories) {
    assert.ok(content.split('\n').every((line: string) => /^\[(user|assistant)\] Turn \d+ of/.test(line)));
    assert.ok(tags.some((tag: string) => new RegExp(`^chunk:\\d+/${parts[2]}$`).test(tag)));
  }
  const empty = await ltm.invoke('memory_store_session', { turns: [{ role: 'user', content: '' }] });
  assert.equal(empty.isError, true);
});

test('rows 31, 32 and 33: memory_delete by hash, tags and dates; a dry run previews; without a filter it is an error; deleted text can be stored again', async () => {
  for (let n = 0; n < 7; n++)
    await ltm.invoke('memory_store', { content: `Doomed ${n}`, conversation_id: 'c', metadata: { tags: ['doom'] } });
  const dry = await ltm.invoke('memory_delete', { tags: ['doom'], dry_run: true });
  assert.match(dry.text, /^Would delete 7 memories\nHashes: ([0-9a-f]{64}, ){4}[0-9a-f]{64}\n\.\.\. and 2 more$/);
  assert.equal((await ltm.call('memory_list', { tags: ['doom'] })).total, 7);
  assert.match((await ltm.invoke('memory_delete', { content_hash: hashOf('doomed 0') })).text, /Deleted 1 memories$/);
  assert.match((await ltm.invoke('memory_delete', { tags: 'doom', after: '2020-01-01' })).text, /Deleted 6 memories$/);
  assert.equal((await ltm.invoke('memory_delete', {})).isError, true);
  const missing = await ltm.invoke('memory_delete', { content_hash: 'f'.repeat(64) });
  assert.deepEqual([missing.isError, /^Error: Memory with hash f{64} not found/.test(missing.text)], [true, true]);
  assert.match((await ltm.invoke('memory_store', { content: 'Doomed 0' })).text, /^Memory stored/);
  assert.match(
    (await ltm.invoke('memory_store', { content: 'doomed 1', restore_deleted: true })).text,
    new RegExp(`^Memory restored successfully \\(hash: ${hashOf('doomed 1')}\\)`),
  );
});

test('row 35: memory_update replaces tags, merges metadata, keeps protected keys', async () => {
  const content = 'Row thirty-five';
  await ltm.invoke('memory_store', { content, metadata: { tags: ['old'], a: 1 } });
  const { text } = await ltm.invoke('memory_update', {
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
  assert.equal((await ltm.invoke('memory_update', { content_hash: 'f'.repeat(64), updates: {} })).isError, true);
});

test('rows 27 and 36: a versioned update gives a new hash and hides the old text unless it is asked for', async () => {
  await ltm.invoke('memory_store', { content: 'The gateway listens on port 7001' });
  const updates = { content: 'The gateway listens on port 7002', reason: 'moved' };
  const { text } = await ltm.invoke('memory_update', {
    content_hash: hashOf('the gateway listens on port 7001'),
    updates,
    versioned: true,
  });
  assert.equal(
    text,
    `Successfully created new version. New hash: ${hashOf(updates.content)}\nParent hash: ${hashOf('the gateway listens on port 7001')}`,
  );
  const find = async (more = {}) => (await ltm.invoke('memory_search', { query: 'gateway port', ...more })).text;
  assert.ok(!(await find()).includes('7001'));
  assert.match(await find({ include_superseded: true }), /7001/);
});

test('row 69: MCP_MEMORY_INCLUDE_HOSTNAME writes the machine down here too, by the call or as this one', async (t) => {
  const naming = await startServiceTools({ MCP_MEMORY_INCLUDE_HOSTNAME: '1' });
  t.after(() => naming.close());
  const listed = async (client: ServiceClient) =>
    (await client.document('memory_list')).memories.map(({ tags, metadata }: Json) => [tags, metadata.hostname]);
  await naming.invoke('memory_store', { content: 'Row 69 of this machine' });
  await naming.invoke('memory_store', { content: 'A ferry of another one', client_hostname: 'Box-8' });
  assert.deepEqual(await listed(naming), [
    [['source:box-8'], 'Box-8'],
    [[`source:${hostname().toLowerCase()}`], hostname()],
  ]);
  await ltm.invoke('memory_store', { content: 'Row 69 without it, elsewhere', client_hostname: 'Box-8' });
  assert.deepEqual((await listed(ltm))[0], [['untagged'], undefined]);
});
