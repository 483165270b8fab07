import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bookmarkKind } from '../features/bookmark/bookmark-kind.ts';
import { makePacket } from '../make-packet.ts';
import { engineError, makeCaller } from '../open-test-engine.ts';
import { openOnStore, STORES } from './open-on-store.ts';

const person = makeCaller('cli');
const bob = makeCaller('rest', { userId: 'bob', space: 'bob', spaces: ['bob'] });

for (const where of STORES) {
  test(`records of every kind come over HTTP as claims, are known again, and rise by a person’s word alone, on ${where}`, async (t) => {
    const { engine } = await openOnStore(t, where, [bookmarkKind]);
    const bookmark = { kind: 'bookmark', key: 'a', body: { url: 'https://a.example', note: 'Dusk.' } };
    await engine.storeMemory(person, { content: 'Zeppelins carry the mail.' });
    await engine.savePacket(person, { raw: JSON.stringify(makePacket()) });
    await engine.storeRecord(person, bookmark);
    const bring = () => engine.importRecords(bob, engine.exportRecords(person, {}), { untrusted: true });
    assert.equal((await bring()).records, 3);
    const again = await bring();
    assert.deepEqual([again.records, again.unchanged, again.conflicts], [0, 3, []]);
    const { items } = await engine.listRecords(bob, {});
    for (const { kind, source, trust, createdAt } of items) {
      assert.deepEqual([source.door, source.userId, trust], ['import', 'bob', 'untrusted'], kind);
      assert.deepEqual(source.claimed, { door: 'cli', userId: 'owner', trust: 'user', createdAt }, kind);
    }
    await engine.storeRecord(bob, { ...bookmark, body: { url: 'https://a.example', note: 'Dawn.' } });
    await engine.updateRecord(bob, { kind: 'bookmark', ref: 'a', body: { note: 'Noon.' } });
    await engine.savePacket(bob, { raw: JSON.stringify(makePacket({ goal: 'Another' })) });
    for (const { id, kind, trust } of (await engine.listRecords(bob, {})).items) {
      assert.equal(trust, 'untrusted', kind);
      await assert.rejects(engine.updateMemory(bob, { ref: id, trust: 'user' }), engineError('forbidden'), kind);
      const raised = await engine.updateMemory({ ...bob, isPerson: true }, { ref: id, trust: 'user' });
      assert.deepEqual([raised.memory.trust, raised.changed], ['user', ['trust']], kind);
    }
  });
}
