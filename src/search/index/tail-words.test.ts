import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeText } from './string-table.ts';
import { createTailWords } from './tail-words.ts';

test('a word that is asked for while the tail grows has all docs that hold it, in order, each time', () => {
  const words = createTailWords();
  const fox = { text: 'fox', bytes: encodeText('fox') };
  const expected: [number, number][] = [];
  for (let doc = 0; doc < 300; doc++) {
    const count = doc % 3 === 0 ? 0 : 1 + (doc % 300);
    words.add(doc, ['red', ...Array.from({ length: count }, () => 'fox')]);
    if (count > 0) expected.push([doc, Math.min(255, count)]);
    if (doc % 7 !== 0 && doc < 290) continue;
    const { docs, counts } = words.find(fox) ?? { docs: new Uint32Array(0), counts: new Uint8Array(0) };
    assert.deepEqual(
      [...docs],
      expected.map(([each]) => each),
    );
    assert.deepEqual(
      [...counts],
      expected.map(([, each]) => each),
    );
    assert.equal(words.count(fox), expected.length);
    const room = { docs: new Uint32Array(400), counts: new Uint8Array(400) };
    assert.equal(
      words.unpack(fox, () => room),
      expected.length,
    );
    assert.deepEqual(room.docs.subarray(0, docs.length), docs);
    assert.deepEqual(room.counts.subarray(0, docs.length), counts);
  }
});

test('words that begin alike are named, or nothing where they are more than asked for', () => {
  const words = createTailWords();
  words.add(0, ['fox', 'foxes', 'foxglove', 'red']);
  const fox = { text: 'fox', bytes: encodeText('fox') };
  const named = (most: number) => words.withPrefix(fox, most)?.map(({ text }) => text) ?? null;
  assert.deepEqual(named(3), ['fox', 'foxes', 'foxglove']);
  assert.equal(named(2), null);
});
