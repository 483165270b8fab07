import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { makePacket } from '../../../test/make-packet.ts';
import { engineError, makeCaller, openTestEngine, type TestEngine } from '../../../test/open-test-engine.ts';
import type { StoreMemoryInput } from '../../features/memories/memory.ts';
import type { Caller } from '../../model/caller.ts';

const me = makeCaller('cli');
const agent = makeCaller('mcp', { client: 'odd-agent/2.1', host: 'laptop', agent: 'reviewer' });

async function add({ engine }: TestEngine, caller: Caller, input: StoreMemoryInput): Promise<string> {
  const outcome = await engine.storeMemory(caller, { onDuplicate: 'store', ...input });
  assert.ok('memory' in outcome);
  return outcome.memory.id;
}

describe('a purge by source', () => {
  const SOURCES = [
    'client:odd-agent/2.1',
    'client:odd-agent',
    'odd-agent',
    'host:laptop',
    'laptop',
    'door:mcp',
    'mcp',
    'agent:reviewer',
    'reviewer',
    'user:eve',
    'eve',
  ];
  for (const source of SOURCES)
    test(`takes everything that comes from ${source}, and nothing else`, async (t) => {
      const test = await openTestEngine(t);
      const from = source.endsWith('eve') ? makeCaller('rest', { userId: 'eve' }) : agent;
      const kept = await add(test, me, { content: `laptop odd-agent reviewer mcp eve` });
      const live = await add(test, from, { content: 'live' });
      const deleted = await add(test, from, { content: 'deleted' });
      await test.engine.deleteMemories(me, { refs: [deleted] });
      const old = await add(test, from, { content: 'old' });
      await test.engine.updateMemory(me, { ref: old, content: 'new', versioned: true });
      const { count, outcome, memories } = await test.engine.purge(me, { source, dryRun: true });
      assert.deepEqual([outcome, memories.length >= 3, memories.length], ['would_purge', true, count]);
      const done = await test.engine.purge(me, { source });
      assert.deepEqual([done.outcome, done.count, done.memories], ['purged', count, []]);
      assert.deepEqual(
        (await test.engine.getMemories(me, { refs: [live, deleted, old, kept], includeDeleted: true })).memories.map(
          ({ id }) => id,
        ),
        [kept],
      );
      assert.equal((await test.engine.purge(me, { source })).count, 0);
    });

  test('names what was made from it, and takes that too when told to', async (t) => {
    for (const derived of [false, true]) {
      const test = await openTestEngine(t);
      const { engine, store } = test;
      const kept = await add(test, me, { content: 'about the weather' });
      const original = await add(test, agent, { content: 'the original' });
      const replaced = await engine.updateMemory(me, { ref: original, content: 'another text', versioned: true });
      const rewritten = await add(test, agent, { content: 'as the agent said' });
      await engine.updateMemory(me, { ref: rewritten, content: 'as I say' });
      const summary = await add(test, me, { content: 'both in short' });
      const relation = { to: replaced.memory.id, type: 'derived_from', weight: 1, body: {}, createdAt: 1 };
      await store.commit(me.space, [{ op: 'relate', relation: { ...relation, from: summary } }], 'test');
      const look = await engine.purge(me, { source: 'client:odd-agent', derived, dryRun: true });
      const done = await engine.purge(me, { source: 'client:odd-agent', derived });
      assert.deepEqual(look.derived, done.derived);
      const made = [replaced.memory.id, rewritten, summary].sort();
      assert.deepEqual([done.derived.toSorted(), done.derivedCount], derived ? [[], 0] : [made, 3]);
      assert.deepEqual([look.count, done.count], derived ? [4, 4] : [1, 1]);
      const left = (await engine.listMemories(me, { filter: { includeSuperseded: true } })).items.map(({ id }) => id);
      assert.deepEqual(left.toSorted(), derived ? [kept] : [kept, ...made].sort());
    }
  });

  test('names what replaced a memory that is purged by its id', async (t) => {
    const test = await openTestEngine(t);
    const id = await add(test, me, { content: 'the original' });
    const { memory } = await test.engine.updateMemory(me, { ref: id, content: 'another text', versioned: true });
    assert.deepEqual((await test.engine.purge(me, { refs: [id], dryRun: true })).derived, [memory.id]);
    assert.equal((await test.engine.purge(me, { refs: [id], derived: true })).count, 2);
  });

  test('takes the relations that a source or a session has stated between memories of others', async (t) => {
    for (const what of [{ source: 'client:odd-agent' }, { source: 'agent:scout' }, { session: 's1' }]) {
      const test = await openTestEngine(t);
      const [a, b] = [await add(test, me, { content: 'one' }), await add(test, me, { content: 'two' })];
      await test.engine.relate(agent, { from: a, to: b, type: 'fixes', note: 'odd', agent: 'scout', session: 's1' });
      await test.engine.relate(me, { from: a, to: b, type: 'fixes', note: 'mine' });
      await test.engine.relate(me, { from: a, to: b, type: 'causes' });
      assert.equal((await test.engine.purge(me, { ...what, dryRun: true })).relations, 1);
      assert.equal((await test.engine.purge(me, what)).relations, 1);
      const left = await test.store.scanRelations(me.space, { after: null, limit: 9 });
      assert.deepEqual(
        left.map(({ type }) => type),
        ['causes'],
        'its note is gone too, where it was said anew',
      );
    }
  });

  test('takes nothing for a part of a name, or for a prefix of another kind', async (t) => {
    const test = await openTestEngine(t);
    await add(test, agent, { content: 'x' });
    for (const source of ['odd', 'host:odd-agent', 'user:mcp', 'constructor:x', 'client:'.padEnd(9, 'x')])
      assert.equal((await test.engine.purge(me, { source })).count, 0, source);
    await assert.rejects(test.engine.purge(me, { source: 'client: ' }), engineError('invalid_input'));
    await assert.rejects(test.engine.purge(me, {}), engineError('invalid_input'));
  });

  test('takes records of every kind, many of them', async (t) => {
    const test = await openTestEngine(t);
    const saved = await test.engine.savePacket(agent, { raw: JSON.stringify(makePacket()) });
    assert.equal(saved.outcome, 'saved');
    await test.engine.storeMemories(
      agent,
      Array.from({ length: 1000 }, (_, i) => ({ content: `memory ${i}`, onDuplicate: 'store' as const })),
    );
    const { count, purged } = await test.engine.purge(me, { source: 'odd-agent' });
    assert.deepEqual([count, purged.length], [1001, 100]);
    // What keeps each of their texts out, and the key.
    assert.equal((await test.engine.checkHealth(me)).facts.records, 1001);
    assert.equal((await test.engine.listRejections(me, {})).total, 1000);
  });
});

test('a purge by source takes what it can, and names what is too damaged to tell', async (t) => {
  const test = await openTestEngine(t);
  const damaged = await add(test, agent, { content: 'flipped' });
  await add(test, agent, { content: 'sound' });
  const database = new DatabaseSync(test.path);
  database.exec(`UPDATE records SET content = 'altered' WHERE id = '${damaged}'`);
  database.close();
  const { count, remains } = await test.engine.purge(me, { source: 'mcp' });
  assert.equal(count, 1);
  assert.match(remains.join(), new RegExp(damaged));
  assert.equal((await test.engine.purge(me, { refs: [damaged] })).count, 1);
});

test('a purge by session takes that session, with a source what is of both', async (t) => {
  const test = await openTestEngine(t);
  await add(test, agent, { content: 'agent, one', session: 's1' });
  const mine = await add(test, me, { content: 'me, one', session: 's1' });
  const other = await add(test, agent, { content: 'agent, two', session: 's2' });
  assert.equal((await test.engine.purge(me, { session: 's1', source: 'mcp' })).count, 1);
  assert.deepEqual((await test.engine.purge(me, { session: 's1' })).purged, [mine]);
  assert.deepEqual((await test.engine.getMemories(me, { refs: [other] })).missing, []);
});

test('a purge by name tells what it did not find, and once gone there is nothing to find', async (t) => {
  const test = await openTestEngine(t);
  const id = await add(test, me, { content: 'x', key: 'k' });
  const look = await test.engine.purge(me, { refs: ['k', 'nothing'], dryRun: true });
  assert.deepEqual([look.count, look.missing, look.memories[0]?.id], [1, ['nothing'], id]);
  assert.deepEqual((await test.engine.purge(me, { refs: ['k', id] })).purged, [id]);
  assert.deepEqual((await test.engine.purge(me, { refs: ['k'] })).missing, ['k']);
});

test('a purge leaves no word in any file, and the feed tells of it', async (t) => {
  const test = await openTestEngine(t, { settings: { flushPassages: 1 } });
  const id = await add(test, agent, { content: 'the zyzzyvapurge password', tags: 'quokkapurge', session: 's' });
  await test.engine.updateMemory(me, { ref: id, content: 'the numbatpurge password' });
  await add(test, me, { content: 'another memory' });
  await test.engine.runUpkeep();
  const words = ['zyzzyvapurge', 'quokkapurge', 'numbatpurge'];
  const files = () => ['', '-wal'].map((end) => test.path + end).filter((file) => existsSync(file));
  const found = () => words.filter((word) => files().some((file) => readFileSync(file).includes(word)));
  assert.deepEqual(found(), words);
  await test.engine.purge(me, { session: 's' });
  assert.deepEqual(found(), []);
  const changes = await test.engine.listChanges(me, { after: 0, limit: 100 });
  assert.deepEqual(
    changes.filter(({ op }) => op === 'purged').map((change) => [change.id, change.actor]),
    [[id, 'cli:owner']],
  );
  assert.deepEqual((await test.engine.search(me, { query: 'zyzzyvapurge' })).hits, []);
});

test('a purge needs the admin scope, and the role in a team', async (t) => {
  const test = await openTestEngine(t);
  const id = await add(test, me, { content: 'x' });
  const writer = makeCaller('rest', { scopes: new Set(['read', 'write']) });
  const member = makeCaller('rest', { roles: new Map([['owner', 'member']]) });
  for (const input of [{ refs: [id] }, { source: 'cli' }, { session: 's' }, { refs: [id], dryRun: true }])
    for (const caller of [writer, member])
      await assert.rejects(test.engine.purge(caller, input), engineError('forbidden'));
});
