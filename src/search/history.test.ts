import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeCaller, openTestSpace, type Searcher, SPACE, type TestSpace } from '../../test/open-test-space.ts';
import { rankExhaustively } from '../../test/rank-exhaustively.ts';
import type { StoredRecord } from '../model/record.ts';
import { parseQuery } from './text/parse-query.ts';

/** Far enough apart that none is a misspelling of another. */
const WORDS = [
  'the',
  'was',
  'with',
  'alpha',
  'bravo',
  'charlie',
  'delta',
  'echo',
  'foxtrot',
  'golf',
  'hotel',
  'india',
  'juliett',
];

const text = fc
  .array(fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 3 })
  .map((passages) => passages.map((words) => words.join(' ')).join('\n\n'));
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('put' as const),
      text,
      quality: fc.constantFrom(0, 0.5, 1),
      age: fc.nat(90),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('update' as const), which: fc.nat(), text }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('delete' as const, 'restore' as const, 'purge' as const),
      which: fc.nat(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('upkeep' as const, 'reopen' as const, 'rebuild' as const, 'search' as const),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface World {
  space: TestSpace;
  searcher: Searcher;
  ids: string[];
  open(): Searcher;
}

const DAY = 86_400_000;

async function take(world: World, each: Step): Promise<void> {
  const { space, ids } = world;
  if (each.do === 'put') {
    const createdAt = space.clock.now() - each.age * DAY;
    ids.push(await space.put(each.text, { quality: each.quality, createdAt, updatedAt: createdAt }));
  } else if (each.do === 'search') await world.searcher.find('alpha');
  else if (each.do === 'upkeep') await world.searcher.indexes.upkeep(SPACE);
  else if (each.do === 'rebuild') await world.searcher.indexes.rebuild(SPACE);
  else if (each.do === 'reopen') world.searcher = world.open();
  else if ('which' in each && ids.length > 0) await change(world, each);
}

async function change({ space, searcher, ids }: World, each: Extract<Step, { which: number }>): Promise<void> {
  const id = ids[each.which % ids.length]!;
  const [record] = await space.store.getRecords(SPACE, [id]);
  if (record === undefined) return;
  if (each.do === 'update' && record.deletedAt === null)
    await space.put(each.text, { quality: record.quality, createdAt: record.createdAt }, { id });
  if (each.do === 'delete' && record.deletedAt === null) await space.remove(id);
  if (each.do === 'restore' && record.deletedAt !== null)
    await space.store.commit(SPACE, [{ op: 'restore', id, at: space.clock.now() }], 'test');
  if (each.do !== 'purge') return;
  await space.purge(id);
  await searcher.indexes.forget(SPACE, [id]);
}

function searchByBruteForce(live: readonly StoredRecord[], query: string, now: number) {
  const records = live.map((record) => ({
    ...record,
    passages: record.content.split('\n\n').map((text) => ({ text, vector: null })),
    turnOf: null,
    speaker: null,
    project: null,
    passesFilter: true,
  }));
  const words = { terms: parseQuery(query).terms, required: [], vector: null, useText: true };
  const plain = {
    speaker: null,
    project: null,
    asksForTime: false,
    without: [],
    weights: { words: 1, meaning: 1 },
    filter: {},
  };
  return rankExhaustively(records, { ...words, ...plain, qualityBoost: 0, now, keep: records.length }).hits;
}

async function compareWithBruteForce({ space, searcher, ids }: World): Promise<void> {
  const live = (await space.store.getRecords(SPACE, [...new Set(ids)])).filter((record) => record.deletedAt === null);
  const known = WORDS.filter((word) => live.some((record) => record.content.includes(word)));
  for (const query of [known.slice(0, 1), known.slice(1, 5), known.slice(-2), known]
    .map((words) => words.join(' '))
    .filter((words) => words !== '')) {
    const limit = known.length % 2 === 0 ? 100 : 3;
    const { hits, total } = await searcher.search(makeCaller(), { query, limit });
    const expected = searchByBruteForce(live, query, space.clock.now());
    assert.equal(total, expected.length);
    assert.deepEqual(
      hits.map((hit) => ({ id: hit.id, text: hit.why.text, score: hit.score })),
      expected.slice(0, limit).map(({ id, text, score }) => ({ id, text, score })),
    );
  }
}

test('whatever the history of writes, flushes, merges and restarts, scores and order are those of BM25 over the records as they are', async (context) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const space = await openTestSpace(context);
      const open = () => space.open({ settings: { flushPassages: 3 } });
      const world: World = { space, searcher: open(), ids: [], open };
      for (const each of steps) await take(world, each);
      await compareWithBruteForce(world);
      world.searcher = open();
      await compareWithBruteForce(world);
      const { indexedPassages, storedPassages, damaged } = await world.searcher.indexes.compare(SPACE);
      assert.deepEqual([indexedPassages, damaged], [storedPassages, []]);
    }),
    { numRuns: 25 },
  );
});

test('no word of a purged record is left in any segment, even if the process died right after the purge', async (context) => {
  const space = await openTestSpace(context);
  const settings = { flushPassages: 2 };
  const id = await space.put('the secret is xyzzyplugh');
  await space.put('alpha bravo');
  const first = space.open({ settings });
  await first.indexes.upkeep(SPACE);
  await space.put('alpha secret xyzzyplugh again', {}, { id });
  await space.put('charlie');
  await first.indexes.upkeep(SPACE);
  await space.purge(id);
  await space.open({ settings }).indexes.upkeep(SPACE);
  const segments = await space.store.readSegments(SPACE, await space.store.listSegments(SPACE));
  assert.ok(segments.length > 0);
  for (const { bytes } of segments) assert.ok(!Buffer.from(bytes).includes('xyzzyplugh'));
  assert.deepEqual(await first.find('alpha'), ['alpha bravo']);
});
