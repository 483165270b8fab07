import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createDocLookup } from './look-up-docs.ts';
import { createByteWriter, putPostings } from './number-list.ts';
import { createTailWords } from './tail-words.ts';

const someLists = fc.array(
  fc.array(fc.record({ gap: fc.integer({ min: 1, max: 300 }), count: fc.integer({ min: 1, max: 255 }) }), {
    minLength: 1,
    maxLength: 700,
    size: 'max',
  }),
  { minLength: 1, maxLength: 4 },
);

function placeDocs(list: readonly { gap: number; count: number }[]): Map<number, number> {
  let doc = -1;
  return new Map(
    list.map(({ gap, count }) => {
      doc += gap;
      return [doc, count];
    }),
  );
}

test('every doc is found in a packed list with its count, whatever was looked up before, and no other doc is', () => {
  fc.assert(
    fc.property(someLists, (lists) => {
      const expected = lists.map(placeDocs);
      const writer = createByteWriter();
      const places = expected.map((held) => {
        const at = writer.length;
        putPostings(writer, { docs: [...held.keys()], counts: [...held.values()] });
        return at;
      });
      const lookUp = createDocLookup({
        bytes: writer.finish(),
        placeOf: (list) => places[list]!,
        sizeOf: (list) => expected[list]!.size,
      });
      for (const round of [1, 2]) {
        for (const [list, held] of expected.entries()) {
          const countOf = lookUp(list);
          const last = [...held.keys()].at(-1)!;
          for (const doc of [...held.keys()].reverse()) assert.equal(countOf(doc), held.get(doc));
          for (let doc = 0; doc <= last + 2; doc += 3 * round) assert.equal(countOf(doc), held.get(doc) ?? 0);
        }
      }
    }),
    { numRuns: 30 },
  );
});

test('in a tail that grows a doc is looked up with what was added last', () => {
  const words = createTailWords();
  assert.equal(words.lookUp({ text: 'fox' }), null);
  for (let doc = 0; doc < 200; doc++) {
    if (doc % 3 === 0) words.add(doc, new Array<string>(1 + (doc % 7)).fill('fox'));
    const countOf = words.lookUp({ text: 'fox' })!;
    for (let each = 0; each <= doc; each++) assert.equal(countOf(each), each % 3 === 0 ? 1 + (each % 7) : 0);
  }
});
