import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { makePacket } from '../../../test/make-packet.ts';
import { engineError, makeCaller, makeWordEmbedder, openTestEngine } from '../../../test/open-test-engine.ts';
import type { Caller } from '../../model/caller.ts';
import type { Role } from '../../model/identity.ts';
import type { Packet } from './packet.ts';

const TEAM = 'team_crew';

function member(userId: string, role: Role): Caller {
  return makeCaller('rest', {
    userId,
    space: TEAM,
    spaces: [TEAM, userId],
    roles: new Map<string, Role>([
      [TEAM, role],
      [userId, 'owner'],
    ]),
  });
}

function ownSpace(caller: Caller): Caller {
  return { ...caller, space: caller.userId };
}

async function openPackets(context: TestContext) {
  const opened = await openTestEngine(context, { embedder: makeWordEmbedder() });
  const save = async (caller: Caller, more: Partial<Packet> = {}, allowUnredacted: boolean | string[] = false) =>
    opened.engine.savePacket(caller, { raw: JSON.stringify(makePacket(more)), allowUnredacted });
  const list = async (caller: Caller, input = {}) =>
    (await opened.engine.listPackets(caller, input)).items.map(({ id }) => id);
  return { ...opened, save, list };
}

describe('packets in the engine', () => {
  test('are listed in the order of their arrival, whatever their authors and the clock say', async (t) => {
    const { save, list, clock } = await openPackets(t);
    const me = makeCaller();
    await save(me, { id: 'packet-one-1', created_at: '2099-01-01T00:00:00Z' });
    await save(me, { id: 'packet-two-2', created_at: '1999-01-01T00:00:00Z' });
    clock.time -= 86_400_000;
    await save(me, { id: 'packet-three-3' });
    assert.deepEqual(await list(me), ['packet-three-3', 'packet-two-2', 'packet-one-1']);
    await save(me, { id: 'packet-one-1', goal: 'A new goal.' });
    assert.deepEqual(await list(me, { limit: 1 }), ['packet-one-1']);
  });

  test('are named by the beginning of an id that is a ULID, as long as no other begins so', async (t) => {
    const { engine, save, list } = await openPackets(t);
    const me = makeCaller();
    const ids = ['01KA3V7Q2M8XWZ5T9B4CDEFGHJ', '01KA3V7Q2M8XWZ5T9B4CDEFGHK', '01KB3V7Q2M8XWZ5T9B4CDEFGHJ'];
    for (const id of ids) await save(me, { id });
    assert.equal((await engine.getPacket(me, '01kb3v7q')).packet.id, ids[2]);
    assert.equal((await engine.listAncestors(me, '01KB3V7Q2M')).packets[0]?.packet.id, ids[2]);
    await assert.rejects(engine.getPacket(me, '01KA3V7Q2M8'), engineError('conflict'));
    await assert.rejects(engine.getPacket(me, '01KB3V7'), engineError('not_found'));
    await engine.deletePacket(me, '01KB3V7Q');
    assert.deepEqual(new Set(await list(me)), new Set(ids.slice(0, 2)));
  });

  test('whose ids are words are not taken for one another', async (t) => {
    const { engine, save, list } = await openPackets(t);
    const me = makeCaller();
    await save(me, { id: 'feature-12' });
    await save(me, { id: 'feature-123' });
    await engine.deletePacket(me, 'feature-12');
    await assert.rejects(engine.deletePacket(me, 'feature-12'), engineError('not_found'));
    assert.deepEqual(await list(me), ['feature-123']);
  });

  test('are paged by a cursor and filtered by tag, project and words', async (t) => {
    const { engine, save, list } = await openPackets(t);
    const me = makeCaller();
    for (let i = 0; i < 5; i++)
      await save(me, {
        id: `numbered-packet-${i}`,
        ...(i % 2 === 0 && { tags: ['even'] }),
        project: { name: i < 2 ? 'web' : 'api' },
      });
    const first = await engine.listPackets(me, { limit: 2 });
    const second = await engine.listPackets(me, { limit: 2, cursor: first.cursor! });
    assert.deepEqual(
      [...first.items, ...second.items].map(({ id }) => id.at(-1)),
      ['4', '3', '2', '1'],
    );
    assert.deepEqual(await list(me, { tag: 'even', project: 'api' }), ['numbered-packet-4', 'numbered-packet-2']);
    await save(me, { id: 'about-penguins', goal: 'Count penguins in the harbour.' });
    assert.deepEqual(await list(me, { search: 'penguins' }), ['about-penguins']);
  });

  test('belong to whoever handed them in: others of the team read them and cannot replace, publish or delete them', async (t) => {
    const { engine, save } = await openPackets(t);
    const [ada, bob, boss] = [member('ada', 'member'), member('bob', 'member'), member('boss', 'admin')];
    const id = 'shared-packet-1';
    await save(ada, { id });
    await assert.rejects(save(bob, { id, goal: 'Taken over.' }), engineError('forbidden', /another member/));
    assert.equal((await engine.getPacket(bob, id)).packet.goal, makePacket().goal);
    await assert.rejects(engine.deletePacket(bob, id), engineError('forbidden'));
    await assert.rejects(engine.publishPacket(bob, id), engineError('forbidden'));
    await save(boss, { id, goal: 'Corrected.' });
    assert.deepEqual(
      [(await engine.getPacket(ada, id)).packet.goal, (await engine.getPacket(ada, id)).pushedBy],
      ['Corrected.', 'ada'],
    );
    await engine.deletePacket(ada, id);
    await assert.rejects(save(bob, { id }), engineError('forbidden'));
    assert.equal((await save(ada, { id })).outcome, 'saved');
    await assert.rejects(save(member('eve', 'reader'), { id: 'reader-packet-1' }), engineError('forbidden'));
  });

  test('of one id in two spaces are two packets, and a repeated deletion stops at the first', async (t) => {
    const { engine, save } = await openPackets(t);
    const ada = member('ada', 'owner');
    const id = 'in-two-places';
    await save(ada, { id, goal: 'For the team.' });
    await save(ownSpace(ada), { id, goal: 'For myself.' });
    assert.equal((await engine.getPacket(ownSpace(ada), id)).packet.goal, 'For myself.');
    await engine.deletePacket(ownSpace(ada), id);
    await assert.rejects(engine.deletePacket(ownSpace(ada), id), engineError('not_found'));
    assert.equal((await engine.getPacket(ownSpace(ada), id)).packet.goal, 'For the team.');
    const stranger = makeCaller('rest', { userId: 'eve', space: 'eve', spaces: ['eve'] });
    await assert.rejects(engine.getPacket(stranger, id), engineError('not_found', /^not found$/));
  });

  test('come back when they are saved after a deletion, and the same content twice is one', async (t) => {
    const { engine, save, store } = await openPackets(t);
    const me = makeCaller();
    await save(me);
    assert.equal((await save(me)).outcome, 'unchanged');
    await engine.deletePacket(me, makePacket().id);
    await assert.rejects(engine.getPacket(me, makePacket().id), engineError('not_found'));
    assert.equal((await save(me)).outcome, 'saved');
    assert.equal((await engine.getPacket(me, makePacket().id)).packet.goal, makePacket().goal);
    assert.equal((await store.listRecords('owner', { kinds: ['packet'] }, { limit: 10 })).total, 1);
  });

  test('with something secret are refused, unless exactly that is allowed', async (t) => {
    const { save } = await openPackets(t);
    const me = makeCaller();
    const secret = { goal: 'Rotate AKIAIOSFODNN7EXAMPLA in /home/ada/keys.' };
    const refused = await save(me, secret);
    assert.deepEqual(
      refused.outcome === 'unredacted' && refused.findings.map(({ field, kind }) => `${field}/${kind}`).sort(),
      ['goal/abs-path', 'goal/aws-key'],
    );
    const half = await save(me, secret, ['goal/aws-key']);
    assert.deepEqual(half.outcome === 'unredacted' && half.findings.map(({ kind }) => kind), ['abs-path']);
    assert.equal((await save(me, secret, ['goal/aws-key', 'goal/abs-path'])).outcome, 'saved');
    assert.equal((await save(me, { ...secret, id: 'another-packet' }, true)).outcome, 'saved');
  });

  test('are found whole and by decision, attempt and method, beside memories', async (t) => {
    const { engine, save } = await openPackets(t);
    const me = makeCaller();
    await engine.storeMemory(me, { content: 'Penguins swim.' });
    await save(me, {
      decisions: [{ what: 'Use badgers.', why: 'They dig.' }],
      attempts: [{ tried: 'Asked the walrus.', outcome: 'failed', learned: 'Tusks.' }],
      methods: [{ name: 'herd-otters', when_applicable: 'Otters scatter.', how: 'Whistle.' }],
    });
    const partOf = async (query: string) =>
      (await engine.search(me, { query, filter: { kinds: ['packet'] } })).hits[0]?.packet;
    assert.deepEqual(await partOf('badgers'), { id: makePacket().id, part: 'decisions[0]' });
    assert.deepEqual(await partOf('walrus tusks'), { id: makePacket().id, part: 'attempts[0]' });
    assert.deepEqual(await partOf('otters whistle'), { id: makePacket().id, part: 'methods[0]' });
    assert.deepEqual(await partOf('slowest queries'), { id: makePacket().id, part: '' });
    const everything = await engine.search(me, { query: 'penguins' });
    assert.equal(everything.hits[0]?.kind, 'memory');
  });

  test('are no memories: listings, deletions by filter and changes leave them alone, but a hit can be read', async (t) => {
    const { engine, save } = await openPackets(t);
    const me = makeCaller();
    await save(me, { tags: ['shared'] });
    await engine.storeMemory(me, { content: 'A memory.', tags: ['shared'] });
    const [hit] = (await engine.search(me, { query: 'login page', filter: { kinds: ['packet'] } })).hits;
    assert.equal((await engine.listMemories(me, {})).total, 1);
    assert.equal((await engine.deleteMemories(me, { filter: { tags: ['shared'] } })).count, 1);
    await assert.rejects(
      engine.deleteMemories(me, { filter: { tags: ['shared'], kinds: ['packet'] } }),
      engineError('invalid_input'),
    );
    assert.deepEqual((await engine.deleteMemories(me, { refs: [hit!.id] })).missing, [hit!.id]);
    await assert.rejects(engine.updateMemory(me, { ref: hit!.id, content: 'Changed.' }), engineError('not_found'));
    assert.match((await engine.getMemories(me, { refs: [hit!.id] })).memories[0]!.content, /login page/);
    assert.deepEqual((await engine.purgeMemories(me, [hit!.id])).purged, [hit!.id]);
    await assert.rejects(engine.getPacket(me, makePacket().id), engineError('not_found'));
  });

  test('survive an export and an import as they were', async (t) => {
    const here = await openPackets(t);
    const there = await openPackets(t);
    const me = makeCaller();
    await here.save(me, { goal: 'Tabs \u0000 and <marks>.', decisions: [{ what: 'Use badgers.', why: 'They dig.' }] });
    const lines = here.engine.exportRecords(me, {});
    const report = await there.engine.importRecords(me, lines, {});
    assert.deepEqual([report.records, report.problems], [1, []]);
    const [a, b] = await Promise.all([here, there].map(({ engine }) => engine.getPacket(me, makePacket().id)));
    assert.equal(a!.canonical, b!.canonical);
    assert.equal((await there.engine.search(me, { query: 'badgers' })).hits[0]?.packet?.part, 'decisions[0]');
  });

  test('lead back along their parents, over gaps and circles, inside what the caller sees', async (t) => {
    const { engine, save } = await openPackets(t);
    const me = makeCaller();
    await save(me, { id: 'chain-packet-1', parent_id: 'chain-packet-0' });
    await save(me, { id: 'chain-packet-2', parent_id: 'chain-packet-1' });
    const chain = await engine.listAncestors(me, 'chain-packet-2');
    assert.deepEqual(
      [chain.packets.map(({ packet }) => packet.id), chain.missing],
      [['chain-packet-2', 'chain-packet-1'], 'chain-packet-0'],
    );
    await save(me, { id: 'chain-packet-0', parent_id: 'chain-packet-2' });
    const circle = await engine.listAncestors(me, 'chain-packet-2');
    assert.deepEqual([circle.packets.length, circle.circular, circle.missing], [3, true, null]);
  });

  test('cannot be published where nobody keeps the addresses', async (t) => {
    const { engine, save } = await openPackets(t);
    await save(makeCaller());
    await assert.rejects(engine.publishPacket(makeCaller(), makePacket().id), engineError('forbidden'));
    assert.equal(await engine.readPublicPacket('x'.repeat(27)), null);
  });
});
