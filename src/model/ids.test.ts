import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRecordId, newPacketId, newRecordId, timeOfPacketId } from './ids.ts';

test('ids of one process sort in the order in which they were made, also within a millisecond', () => {
  const now = Date.UTC(2026, 0, 15);
  const ids = Array.from({ length: 5000 }, (_, i) => newRecordId(now + Math.floor(i / 2500)));
  assert.deepEqual(ids, [...ids].sort());
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(ids.every(isRecordId));
});

test('ids of two milliseconds have nothing in common but their time', () => {
  const tails = [1, 2, 3].map((ms) => newRecordId(ms).slice(10));
  assert.equal(new Set(tails.map((tail) => tail.slice(0, 5))).size, 3);
});

test('the random part of an id is digits, which cost a model a third of what letters do', () => {
  assert.match(newRecordId(Date.UTC(2026, 0, 17)).slice(10), /^\d{10}$/);
});

test('a packet id tells when it was made', () => {
  assert.equal(timeOfPacketId(newPacketId(1_794_822_810_963)), 1_794_822_810_963);
});
