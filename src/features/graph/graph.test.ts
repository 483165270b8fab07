import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { engineError, makeCaller, makeWordEmbedder, openTestEngine } from '../../../test/open-test-engine.ts';
import type { Explored } from '../../model/graph.ts';

const me = makeCaller();

/** Memories with one letter each, and relations between them as `a causes b`. */
async function openWith(t: TestContext, ...relations: string[]) {
  const opened = await openTestEngine(t);
  const ids = new Map<string, string>();
  const keep = async (name: string): Promise<string> => {
    const known = ids.get(name);
    if (known !== undefined) return known;
    const stored = await opened.engine.storeMemory(me, { content: `About ${name} and what is known of it`, key: name });
    assert.equal(stored.outcome, 'stored');
    const { id } = stored.memory;
    ids.set(name, id);
    return id;
  };
  for (const relation of relations) {
    const [from, type, to] = relation.split(' ');
    opened.clock.run(1000);
    await opened.engine.relate(me, { from: await keep(from!), to: await keep(to!), type });
  }
  const nameOf = (id: string): string => [...ids].find(([, other]) => other === id)?.[0] ?? id;
  const namesOf = ({ nodes }: Pick<Explored, 'nodes'>): string[] => nodes.map(({ id }) => nameOf(id)).toSorted();
  return { ...opened, keep, nameOf, namesOf };
}

describe('relations', () => {
  test('several join one pair, each with its confidence, note and origin, and text at both ends', async (t) => {
    const { engine, keep } = await openWith(t);
    const [a, b] = [await keep('a'), await keep('b')];
    const first = await engine.relate(me, { from: 'a', to: 'b', type: 'causes', confidence: 0.7, note: 'seen twice' });
    assert.deepEqual([first.outcome, first.from.title, first.to.id], ['related', 'About a and what is known of it', b]);
    await engine.relate(me, { from: a, to: b, type: 'Depends_On', agent: 'codex' });
    const { relations, nodes } = await engine.listRelations(me, { ref: a });
    assert.deepEqual(
      relations.map(({ type, confidence, note, by, agent, status }) => [type, confidence, note, by, agent, status]),
      [
        ['causes', 0.7, 'seen twice', 'mcp:owner', null, 'stated'],
        ['depends-on', 1, null, 'mcp:owner', 'codex', 'stated'],
      ],
    );
    assert.deepEqual(nodes.map(({ excerpt }) => excerpt).toSorted(), [
      'About a and what is known of it',
      'About b and what is known of it',
    ]);
  });

  test('one that goes both ways is one relation, whichever end is named first', async (t) => {
    const { engine } = await openWith(t, 'a related b', 'b causes a', 'a causes b');
    assert.equal((await engine.relate(me, { from: 'b', to: 'a', type: 'related' })).outcome, 'unchanged');
    const { relations } = await engine.listRelations(me, { ref: 'a' });
    assert.deepEqual(relations.map(({ type }) => type).toSorted(), ['causes', 'causes', 'related']);
    assert.equal((await engine.unrelate(me, { from: 'b', to: 'a', type: 'related' })).ended.length, 1);
    assert.equal((await engine.unrelate(me, { from: 'b', to: 'a', type: 'causes' })).ended.length, 1);
    assert.equal((await engine.unrelate(me, { from: 'b', to: 'a' })).ended.length, 1, 'whatever is left of the pair');
  });

  test('one that has ended is left out, stays readable, and can be stated again with its past', async (t) => {
    const { engine, store, clock } = await openWith(t, 'a fixes b');
    clock.run(5000);
    await engine.unrelate(me, { from: 'a', to: 'b' });
    assert.deepEqual((await engine.listRelations(me, { ref: 'a' })).relations, []);
    const [ended] = (await engine.listRelations(me, { ref: 'a', status: 'ended' })).relations;
    assert.equal(ended?.endedAt, clock.now());
    assert.equal((await engine.exploreGraph(me, { ref: 'a' })).nodes.length, 0);
    clock.run(5000);
    assert.equal((await engine.relate(me, { from: 'a', to: 'b', type: 'fixes' })).outcome, 'related');
    const [relation] = await store.scanRelations('owner', { after: null, limit: 9 });
    assert.equal((relation!.body.earlier as unknown[]).length, 1);
    assert.equal((await engine.exploreGraph(me, { ref: 'a' })).nodes.length, 1);
  });

  test('what cannot be related is refused, and nothing is written', async (t) => {
    const { engine, store, keep } = await openWith(t);
    const a = await keep('a');
    const head = await store.head('owner');
    await assert.rejects(engine.relate(me, { from: a, to: a }), engineError('invalid_input', /itself/));
    await assert.rejects(engine.relate(me, { from: a, to: 'nobody' }), engineError('not_found'));
    await keep('b');
    for (const bad of [{ type: 'so/so' }, { type: ' ' }, { confidence: 2 }, { note: 'x'.repeat(1001) }])
      await assert.rejects(engine.relate(me, { from: 'a', to: 'b', ...bad }), engineError('invalid_input'));
    const reader = makeCaller('mcp', { scopes: new Set(['read']) });
    await assert.rejects(engine.relate(reader, { from: 'a', to: 'b' }), engineError('forbidden'));
    assert.equal(await store.head('owner'), head + 1);
  });

  test('a secret in a note is not stored', async (t) => {
    const { engine, keep } = await openWith(t);
    await keep('a');
    await keep('b');
    const note = 'key AKIAIOSFODNN7EXAMPLQ is in use';
    const { relation } = await engine.relate(me, { from: 'a', to: 'b', note });
    assert.doesNotMatch(relation.note ?? '', /AKIA/);
  });

  test('survive export and import, their past included', async (t) => {
    const { engine, clock } = await openWith(t, 'a fixes b', 'b related c');
    clock.run(1000);
    await engine.unrelate(me, { from: 'a', to: 'b' });
    const lines: string[] = [];
    for await (const line of engine.exportRecords(me, {})) lines.push(line);
    const other = await openTestEngine(t);
    const given = (async function* () {
      yield* lines;
    })();
    await other.engine.importRecords(me, given, {});
    const before = await engine.listRelations(me, { status: 'all' });
    assert.deepEqual((await other.engine.listRelations(me, { status: 'all' })).relations, before.relations);
    assert.equal(before.relations.length, 2);
  });
});

describe('walking the graph', () => {
  test('connected finds what is around, each once at its shortest distance, with its text', async (t) => {
    const { engine, nameOf } = await openWith(t, 'a causes b', 'b causes c', 'a causes c', 'c causes d', 'e fixes a');
    const { nodes } = await engine.exploreGraph(me, { ref: 'a', maxHops: 2 });
    assert.deepEqual(nodes.map(({ id, distance }) => `${nameOf(id)}${distance}`).toSorted(), ['b1', 'c1', 'd2', 'e1']);
    assert.match(nodes[0]!.excerpt, /what is known of it/);
    const out = await engine.exploreGraph(me, { ref: 'a', direction: 'in' });
    assert.deepEqual(
      out.nodes.map(({ id }) => nameOf(id)),
      ['e'],
    );
    const typed = await engine.exploreGraph(me, { ref: 'a', types: ['fixes'] });
    assert.deepEqual(
      typed.nodes.map(({ id }) => nameOf(id)),
      ['e'],
    );
    assert.equal((await engine.exploreGraph(me, { ref: 'a', limit: 1 })).more, true);
  });

  test('a path is a shortest one, in both directions unless asked otherwise, and null where there is none', async (t) => {
    const { engine, nameOf, keep } = await openWith(
      t,
      'a causes b',
      'c causes b',
      'c related d',
      'd causes e',
      'a causes x',
      'x causes y',
      'y causes z',
    );
    await keep('alone');
    const way = async (from: string, to: string, more = {}) =>
      (await engine.exploreGraph(me, { action: 'path', ref: from, to, ...more })).path?.map(nameOf).join('') ?? null;
    assert.equal(await way('a', 'e'), 'abcde');
    assert.equal(await way('e', 'a'), 'edcba');
    assert.equal(await way('a', 'e', { direction: 'out' }), null);
    assert.equal(await way('c', 'e', { direction: 'out' }), 'cde');
    assert.equal(await way('d', 'b', { direction: 'out' }), 'dcb', 'related goes both ways');
    assert.equal(await way('a', 'e', { types: ['causes'] }), null);
    assert.equal(await way('a', 'e', { maxHops: 3 }), null);
    assert.equal(await way('a', 'z', { maxHops: 3 }), 'axyz');
    assert.equal(await way('a', 'a'), 'a');
    assert.equal(await way('a', 'alone'), null);
    const { relations } = await engine.exploreGraph(me, { action: 'path', ref: 'a', to: 'c' });
    assert.deepEqual(
      relations.map(({ type, from }) => [type, nameOf(from)]),
      [
        ['causes', 'a'],
        ['causes', 'c'],
      ],
    );
  });

  test('a subgraph holds the start and every relation between what it reaches', async (t) => {
    const { engine, namesOf } = await openWith(t, 'a causes b', 'b causes c', 'c fixes a', 'c fixes b', 'c causes d');
    const found = await engine.exploreGraph(me, { action: 'subgraph', ref: 'a', maxHops: 1 });
    assert.deepEqual(namesOf(found), ['a', 'b', 'c']);
    assert.equal(found.relations.length, 4);
  });

  test('infer names pairs that one type joins indirectly, and none that are joined already', async (t) => {
    const { engine, nameOf } = await openWith(t, 'a causes b', 'b causes c', 'c causes d', 'a causes d', 'x fixes a');
    const { pairs } = await engine.exploreGraph(me, { action: 'infer', types: ['causes'] });
    assert.deepEqual(pairs.map(({ from, to, distance }) => `${nameOf(from)}${nameOf(to)}${distance}`).toSorted(), [
      'ac2',
      'bd2',
    ]);
  });

  test('suggest proposes what has neighbours in common', async (t) => {
    const { engine, nameOf } = await openWith(
      t,
      'a related x',
      'a related y',
      'b related x',
      'b related y',
      'c related x',
      'c related p',
      'c related q',
      'c related r',
    );
    const { pairs } = await engine.exploreGraph(me, { action: 'suggest', ref: 'a' });
    const common = pairs.filter(({ distance }) => distance === 2);
    assert.deepEqual(
      common.map(({ to, confidence }) => [nameOf(to), confidence]),
      [
        ['b', 1],
        ['c', 0.5],
      ],
    );
  });

  test('deleted records are passed over until they are restored, and purged ones are gone', async (t) => {
    const { engine, namesOf } = await openWith(t, 'a causes b', 'b causes c');
    const around = async () => namesOf(await engine.exploreGraph(me, { ref: 'a', maxHops: 5 }));
    assert.deepEqual(await around(), ['b', 'c']);
    await engine.deleteMemories(me, { refs: ['b'] });
    assert.deepEqual(await around(), []);
    await engine.restoreMemories(me, ['b']);
    assert.deepEqual(await around(), ['b', 'c']);
    await engine.purgeMemories(me, ['b']);
    assert.deepEqual(await around(), []);
  });

  test('what another process has written is seen, also when the feed is no longer kept as far back', async (t) => {
    const { engine, path, store, keep, namesOf } = await openWith(t, 'a causes b');
    const around = async () => namesOf(await engine.exploreGraph(me, { ref: 'a' }));
    assert.deepEqual(await around(), ['b']);
    const other = await openTestEngine(t, { path });
    await keep('c');
    await other.engine.relate(me, { from: 'a', to: 'c', type: 'fixes' });
    assert.deepEqual(await around(), ['b', 'c']);
    await other.engine.unrelate(me, { from: 'a', to: 'b' });
    await store.pruneFeed('owner', { upTo: await store.head('owner'), now: Date.now() });
    assert.deepEqual(await around(), ['c']);
  });
});

describe('inferred relations', () => {
  async function openNotes(t: TestContext) {
    const opened = await openTestEngine(t, { embedder: makeWordEmbedder() });
    const ids: string[] = [];
    for (const content of [
      'Ask Grace about the pool in src/pool.ts',
      'The pool in src/pool.ts is what Grace asked about',
      'Tomatoes need water in the morning',
      'src/pool.ts was rewritten in the spring by someone else entirely, for reasons of speed',
    ]) {
      const stored = await opened.engine.storeMemory(me, { content });
      assert.equal(stored.outcome, 'stored');
      ids.push(stored.memory.id);
    }
    const statusOf = async () =>
      (await opened.engine.listRelations(me, { status: 'all' })).relations.map(
        ({ from, to, status }) => [ids.indexOf(from), ids.indexOf(to)].toSorted().join('') + status,
      );
    return { ...opened, ids, statusOf };
  }

  test('come from neighbours and shared entities with a reason, never from pairs without either, and once', async (t) => {
    const { engine, ids, statusOf, store } = await openNotes(t);
    const { pairs } = await engine.inferRelations(me, { minConfidence: 0.05, dryRun: true });
    assert.ok(
      pairs.every(({ from, to }) => from !== ids[2] && to !== ids[2]),
      'nothing joins the tomatoes',
    );
    assert.match(pairs[0]!.reason, /alike; both mention file:src\/pool.ts/);
    assert.deepEqual(await statusOf(), [], 'a dry run writes nothing');
    const first = await engine.inferRelations(me, { minConfidence: 0.05 });
    assert.ok(first.pairs.length >= 2);
    const head = await store.head('owner');
    assert.deepEqual((await engine.inferRelations(me, { minConfidence: 0.05 })).pairs, []);
    assert.equal(await store.head('owner'), head);
    assert.ok((await statusOf()).every((status) => status.endsWith('inferred')));
  });

  test('are left out of walks below the measured confidence until confirmed, and rejected for good', async (t) => {
    const { engine, ids, statusOf } = await openNotes(t);
    await engine.inferRelations(me, { minConfidence: 0.05 });
    const [weak] = (await engine.listRelations(me, { status: 'inferred' })).relations.filter(
      ({ confidence }) => confidence < 0.9,
    );
    const around = async (more = {}) =>
      (await engine.exploreGraph(me, { ref: weak!.from, maxHops: 1, ...more })).nodes.map(({ id }) => id);
    assert.ok(!(await around()).includes(weak!.to));
    assert.ok((await around({ minConfidence: 0 })).includes(weak!.to));
    assert.equal((await engine.relate(me, { from: weak!.from, to: weak!.to })).outcome, 'confirmed');
    assert.ok((await around()).includes(weak!.to));
    for (const { from, to } of (await engine.listRelations(me, {})).relations) await engine.unrelate(me, { from, to });
    assert.deepEqual((await engine.inferRelations(me, { minConfidence: 0.05 })).pairs, []);
    assert.ok((await statusOf()).every((status) => status.endsWith('ended')));
    assert.equal(ids.length, 4);
  });
});
