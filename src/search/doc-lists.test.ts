import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listLargest } from './doc-lists.ts';
import type { SearchPart } from './search-set.ts';

const partAt = (base: number) => ({ base }) as SearchPart;
/** The same numbers each time, of which many are alike. */
const scores = Float32Array.from({ length: 3000 }, (_, i) => ((i * 7919) % 1009) / 8);
const parts = [partAt(0), partAt(1700)];
const docs = [Uint32Array.from({ length: 1700 }, (_, i) => 1699 - i), Uint32Array.from({ length: 1300 }, (_, i) => i)];

test('finds the n-th largest score and all docs that lie within the margin of it', () => {
  for (const [n, margin] of [
    [1, 0],
    [5, 0.25],
    [40, 3],
    [500, 20],
    [3000, 0],
  ] as const) {
    const { nth, listed } = listLargest({ parts, scores }, docs, { n, margin });
    assert.equal(nth, scores.toSorted().at(-n), `${n}`);
    const expected = parts.map(({ base }, i) =>
      docs[i]!.toSorted().filter((doc) => scores[base + doc]! >= nth - margin),
    );
    assert.deepEqual(
      listed.map((own) => own.toSorted()),
      expected,
      `${n}`,
    );
  }
});

test('lists all docs where there are fewer than asked for', () => {
  const { nth, listed } = listLargest({ parts, scores }, docs, { n: 3001, margin: 1 });
  assert.equal(nth, -Infinity);
  assert.deepEqual(
    listed.map(({ length }) => length),
    [1700, 1300],
  );
});
