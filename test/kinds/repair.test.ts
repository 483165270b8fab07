import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KINDS } from '../all-kinds.ts';
import { bookmarkKind } from '../features/bookmark/bookmark-kind.ts';
import { makePacket } from '../make-packet.ts';
import { makeCaller } from '../open-test-engine.ts';
import { openOnStore, STORES } from './open-on-store.ts';

const caller = makeCaller('cli');
const repair = { repair: true, backupPath: null };

for (const where of STORES) {
  test(`altered passages of every kind are made anew, on ${where}`, async (t) => {
    const { engine, tamper } = await openOnStore(t, where, [bookmarkKind]);
    await engine.storeMemory(caller, { content: 'Zeppelins carry the mail.' });
    await engine.savePacket(caller, { raw: JSON.stringify(makePacket({ goal: 'Zeppelins land softly.' })) });
    await engine.storeRecord(caller, {
      kind: 'bookmark',
      body: { url: 'https://a.example', note: 'Zeppelins at dusk.' },
    });
    await tamper("UPDATE passages SET text = 'flipped bits' WHERE ordinal = 0");
    assert.equal((await engine.examine(caller, {})).sound, false);
    const repaired = await engine.examine(caller, repair);
    assert.deepEqual([repaired.sound, repaired.repaired.length], [true, 3]);
    const { hits } = await engine.search(caller, { query: 'zeppelins' });
    assert.deepEqual(hits.map(({ kind }) => kind).sort(), ['bookmark', 'memory', 'packet']);
  });

  test(`what a record repeats of its body is derived again, on ${where}`, async (t) => {
    const { engine, tamper } = await openOnStore(t, where, [bookmarkKind]);
    await engine.savePacket(caller, { raw: JSON.stringify(makePacket({ tags: ['login'] })) });
    await engine.storeRecord(caller, { kind: 'bookmark', body: { url: 'https://a.example', note: 'Dusk.' } });
    const before = (await engine.listRecords(caller, {})).items;
    await tamper("UPDATE records SET content = 'flipped', title = 'bits'");
    const repaired = await engine.examine(caller, repair);
    assert.deepEqual([repaired.sound, repaired.repaired.length], [true, 2]);
    const after = (await engine.listRecords(caller, {})).items;
    assert.deepEqual(
      after.map(({ title, content, tags }) => [title, content, tags]),
      before.map(({ title, content, tags }) => [title, content, tags]),
    );
  });

  test(`a packet whose text is not intact goes back to its newest intact version, on ${where}`, async (t) => {
    const { engine, tamper } = await openOnStore(t, where);
    const packet = makePacket();
    await engine.savePacket(caller, { raw: JSON.stringify(packet) });
    await engine.savePacket(caller, { raw: JSON.stringify({ ...packet, goal: 'Another goal.' }) });
    await tamper("UPDATE records SET body = replace(body, 'Another goal', 'Nobody knows')");
    const repaired = await engine.examine(caller, repair);
    assert.deepEqual([repaired.sound, repaired.repaired.length], [true, 1]);
    assert.equal((await engine.getPacket(caller, packet.id)).packet.goal, packet.goal);
  });
}

test('the codes that segments keep are never given to another kind', () => {
  assert.deepEqual(
    KINDS.toSorted((one, other) => one.code - other.code).map(({ name, code }) => [name, code]),
    [
      ['memory', 0],
      ['packet', 1],
      ['observation', 2],
      ['session', 3],
      ['spend', 4],
      ['document', 10],
      ['section', 11],
      ['rejection', 14],
      ['workspace', 20],
      ['note', 21],
      ['transcript', 22],
      ['transcript_part', 23],
      ['consolidation', 30],
      ['alias', 50],
    ],
  );
});
