import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planBm25, scoreKeywords } from './bm25.ts';
import type { Body, Part, Postings, SoughtTerm } from './index/part.ts';
import type { ScoredTerm } from './resolve-terms.ts';
import { saturate } from './score.ts';

/** Far more than are scored at a time. */
const DOCS = 150_000;
const AVERAGE = 40;
const docLength = Uint16Array.from({ length: DOCS }, (_, doc) => 20 + ((doc * 31) % 1100));

/** Every so many docs hold it, some of them often. */
function holdEvery(step: number): Postings {
  const docs = Uint32Array.from({ length: Math.ceil(DOCS / step) }, (_, i) => i * step);
  return { docs, counts: Uint8Array.from(docs, (doc) => 1 + (doc % 11)) };
}

const lists = new Map([
  ['often', holdEvery(7)],
  ['rarely', holdEvery(1009)],
  ['between', holdEvery(128)],
]);
const wordNamed = (text: string, idf: number) =>
  ({ text, weight: 1, idf, query: { weight: 1 }, matched: 'word' }) as ScoredTerm;
const terms = [wordNamed('often', 1.3), wordNamed('rarely', 6.1), wordNamed('nowhere', 9), wordNamed('between', 3.7)];
const columns = { docCount: DOCS, docLength, maxLength: 1119 };
const parts = [{ space: 'own', base: 0, part: { columns } as Part }];
const body = { words: { find: ({ text }: SoughtTerm) => lists.get(text) ?? null } } as Body;

function score() {
  const plan = { terms, missing: [], docCount: DOCS, averageLength: AVERAGE };
  const text = new Float32Array(DOCS);
  const bm25 = planBm25(plan, { parts, masks: [null], text, list: new Uint32Array(DOCS + 1), required: [] });
  const steps = scoreKeywords(bm25);
  for (let step = steps.next(); step.done !== true; step = steps.next(body));
  return bm25;
}

test('adds up the words of every doc in the order of the question, however many docs there are', () => {
  const expected = new Float32Array(DOCS);
  for (const { text, idf } of terms) {
    const { docs, counts } = lists.get(text) ?? { docs: [], counts: [] };
    for (const [i, doc] of docs.entries())
      expected[doc] = expected[doc]! + idf * saturate(counts[i]!, docLength[doc]!, AVERAGE);
  }
  assert.deepEqual(score().text, expected);
});

test('lists every doc that holds a keyword once', () => {
  const holding = new Set([...lists.values()].flatMap(({ docs }) => [...docs]));
  assert.deepEqual(score().matches[0]!.toSorted(), Uint32Array.from(holding).sort());
});
