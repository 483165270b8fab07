import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePacket } from '../../../test/make-packet.ts';
import { diffPackets } from './diff-packets.ts';
import { foldAncestors } from './fold-ancestors.ts';

test('locked decisions of earlier packets are taken over, unless a later packet took them up again', () => {
  const parent = makePacket({
    id: 'parent-packet',
    decisions: [
      { what: 'Keep PostgreSQL.', why: 'It works.', locked: true },
      { what: 'Ship weekly', why: 'Rhythm.', locked: true },
      { what: 'Maybe Redis.', why: 'Speed.' },
    ],
  });
  const packet = makePacket({ decisions: [{ what: 'ship weekly.', why: 'Now only tentative.' }] });
  const folded = foldAncestors(packet, [parent]);
  assert.deepEqual(folded.decisions, [
    { what: 'ship weekly.', why: 'Now only tentative.' },
    { what: 'Keep PostgreSQL.', why: 'It works. (decided in parent-packet)', locked: true },
  ]);
});

test('a difference names what went and what came, field by field', () => {
  const before = makePacket({ tags: ['a', 'b'], decisions: [{ what: 'W', why: 'Y' }] });
  const after = makePacket({ tags: ['b', 'c'], decisions: [{ what: 'W', why: 'Y', locked: true }] });
  assert.deepEqual(diffPackets(before, after), [
    { field: 'decisions', removed: ['what: W · why: Y'], added: ['what: W · why: Y · locked: true'] },
    { field: 'tags', removed: ['a'], added: ['c'] },
  ]);
  assert.deepEqual(diffPackets(before, before), []);
});
