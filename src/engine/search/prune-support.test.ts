import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newRecordId } from '../../model/ids.ts';
import { hashContent, type StoredRecord } from '../../model/record.ts';
import { prepareEntry } from './index/prepare-entry.ts';
import { createTail } from './index/tail.ts';
import type { RankRequest } from './rank.ts';
import { runRanking } from './run-ranking.ts';
import { createScratch } from './scratch.ts';
import type { SearchSet } from './search-set.ts';
import { parseQuery } from './text/parse-query.ts';
import { tokenize } from './text/tokenize.ts';
import { VARIED } from './vary-hits.ts';
import { quantise } from './vectors/quantise.ts';

const NOW = Date.UTC(2026, 0, 15);
const EMBEDDER = 'waves';
const COSINES = { unrelated: 0.3, related: 0.7 };
const RARE = 'harbour lantern copper willow granite meadow saffron pillar'.split(' ');
const COMMON = 'the of what in is to and'.split(' ');

/** Numbers that look random and are the same in every run. */
function createDice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

function makeVector(dice: (sides: number) => number): Float32Array {
  const vector = Float32Array.from({ length: 128 }, () => dice(2001) - 1000);
  const norm = Math.hypot(...vector);
  return vector.map((component) => component / norm);
}

/** So many texts that hold the word everybody asks for, some of two passages. */
function makeSet(count: number, dice: (sides: number) => number): SearchSet {
  const tail = createTail(EMBEDDER, () => 0);
  for (let i = 0; i < count; i++) {
    const passages = Array.from({ length: i % 7 === 0 ? 2 : 1 }, (_, ordinal) => ({ ordinal, text: makeText(dice) }));
    const vectors = passages
      .filter(() => dice(50) > 0)
      .map(({ ordinal }) => ({ embedder: EMBEDDER, ordinal, ...quantise(makeVector(dice)) }));
    const record = makeRecord(passages[0]!.text, NOW - dice(90) * 86_400_000, dice(11) / 10);
    tail.add(prepareEntry({ id: record.id, record, passages, vectors }, tokenize, EMBEDDER)!);
  }
  const parts = [{ space: 'owner', part: tail, base: 0 }];
  return { parts, docCount: tail.columns.docCount, heads: {}, lean: false, readBody: async () => tail.body! };
}

function makeText(dice: (sides: number) => number): string {
  const words = ['harbour'];
  for (let k = dice(12); k >= 0; k--)
    words.push(dice(3) === 0 ? RARE[dice(RARE.length)]! : COMMON[dice(COMMON.length)]!);
  return words.join(' ');
}

function makeRecord(content: string, at: number, quality: number): StoredRecord {
  const labels = { key: null, title: null, project: null, agent: null, session: null, conversation: null };
  const times = {
    createdAt: at,
    updatedAt: at,
    validFrom: null,
    validUntil: null,
    supersededBy: null,
    deletedAt: null,
  };
  const facts = {
    kind: 'memory',
    type: 'note',
    tags: [],
    trust: 'user',
    quality,
    source: { door: 'job', userId: 'owner' },
  } as const;
  return {
    space: 'owner',
    id: newRecordId(at),
    revision: 1,
    generation: 1,
    dot: 'test:1',
    ...labels,
    ...times,
    ...facts,
    content,
    contentHash: hashContent(content),
    body: {},
  };
}

test('a first page for which few docs got their supporting words is the beginning of one for which all did', async () => {
  const dice = createDice(7);
  const set = makeSet(4500, dice);
  const scratch = createScratch();
  for (const query of [
    'what is the harbour',
    'the lantern of the harbour in copper',
    'harbour and willow to the meadow',
    'harbour in the granite of what',
  ]) {
    const vector = { vector: makeVector(dice), embedder: EMBEDDER, cosines: COSINES };
    const request: RankRequest = {
      terms: parseQuery(query).terms,
      required: [],
      vector,
      useText: true,
      speaker: null,
      asksForTime: false,
      without: [],
      weights: { words: 1, meaning: 1 },
      filter: {},
      qualityBoost: 0,
      now: NOW,
      keep: 10,
    };
    const few = await runRanking(set, request, scratch);
    const all = await runRanking(set, { ...request, keep: VARIED + 1 }, scratch);
    assert.deepEqual(
      few.best.map(({ part: _part, ...found }) => found),
      all.best.slice(0, 10).map(({ part: _part, ...found }) => found),
    );
    assert.equal(few.total, all.total);
    assert.ok(few.total >= 4500);
  }
});
