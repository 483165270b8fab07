import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCaller, makeWordEmbedder, openTestSpace, SPACE, type TestSpace } from '../../test/open-test-space.ts';
import type { Store } from '../engine/ports.ts';
import { SEGMENT_PIECE_BYTES } from '../model/segment.ts';

const WORDS =
  'amber birch cedar delta ember fjord glade heath inlet jetty kelp lagoon marsh nook oasis pine quay reef'.split(' ');
const embedder = makeWordEmbedder(Array.from({ length: 128 }, (_, i) => [WORDS[i] ?? `axis${i}`]));
const settings = { flushPassages: 64 };
const BRIEF = { settings: { ...settings, isBrief: true }, embedder };

function textOf(i: number): string {
  const some = Array.from({ length: 3 + (i % 9) }, (_, k) => WORDS[(i * 7 + k * (1 + (i % 5))) % WORDS.length]);
  return `${some.join(' ')} number${i} and the rest of what there is to say of it`;
}

async function fill(space: TestSpace, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    const over = i % 10 === 0 ? { tags: ['tenth'], project: 'shop' } : {};
    ids.push(await space.put(i % 50 === 7 ? `${textOf(i)}\n\n${textOf(i + 3)}` : textOf(i), over, { embedder }));
  }
  return ids;
}

const QUESTIONS = ['amber lagoon', 'the number17', 'numbr21', 'ced*', 'what is there to say of the oasis', '"birch"'];

test('a search that reads of the segments only what it needs answers like one that has them in memory', async (context) => {
  const space = await openTestSpace(context);
  const ids = await fill(space, 250);
  await space.open({ settings, embedder }).indexes.upkeep(SPACE);
  await space.remove(ids[30]!, ids[90]!);
  await space.put('amber lagoon of the newest', {}, { embedder });
  for (const query of QUESTIONS) {
    for (const more of [{}, { filter: { tags: ['tenth'] } }, { mode: 'text' as const }, { limit: 60, offset: 20 }]) {
      const whole = await space.open({ settings, embedder }).search(makeCaller(), { query, ...more });
      const brief = await space.open(BRIEF).search(makeCaller(), { query, ...more });
      assert.deepEqual(brief, whole, query);
      assert.ok(whole.hits.length > 0 || more.filter !== undefined, query);
    }
  }
});

test('a brief search reads a small part of a large segment', async (context) => {
  const space = await openTestSpace(context);
  await fill(space, 500);
  await space.open({ settings: { flushPassages: 10_000 }, embedder }).indexes.rebuild(SPACE);
  let [read, all] = [0, 0];
  const pieceBytes = SEGMENT_PIECE_BYTES;
  const counting = new Proxy(space.store, {
    get(target, name: keyof Store) {
      if (name !== 'openSegment') return target[name];
      return async (...args: Parameters<NonNullable<Store['openSegment']>>) => {
        const pieces = (await target.openSegment!(...args))!;
        all += Math.ceil(pieces.length / pieceBytes);
        return {
          ...pieces,
          read(numbers: readonly number[]) {
            read += numbers.length;
            return pieces.read(numbers);
          },
        };
      };
    },
  });
  await space.open({ ...BRIEF, store: counting }).search(makeCaller(), { query: 'number17', mode: 'text' });
  assert.ok(all > 8 && read > 0 && read < 0.7 * all, `${read} of ${all}`);
});

test('a brief search starts anew when another process has rewritten the segments meanwhile', async (context) => {
  const space = await openTestSpace(context);
  await fill(space, 100);
  const other = space.open({ settings, embedder });
  await other.indexes.upkeep(SPACE);
  const searcher = space.open(BRIEF);
  await searcher.indexes.search([SPACE], () => null);
  await fill(space, 100);
  await other.indexes.rebuild(SPACE);
  assert.ok((await searcher.find('amber lagoon', { limit: 5 })).length === 5);
});

test('a brief search does not trust a damaged piece: it reads everything again', async (context) => {
  const space = await openTestSpace(context);
  await fill(space, 100);
  await space.open({ settings: { flushPassages: 10_000 }, embedder }).indexes.rebuild(SPACE);
  const whole = await space.open({ settings, embedder }).find('amber lagoon');
  let flipped = 0;
  const damaged = new Proxy(space.store, {
    get(target, name: keyof Store) {
      if (name !== 'openSegment') return target[name];
      return async (...args: Parameters<NonNullable<Store['openSegment']>>) => {
        const pieces = (await target.openSegment!(...args))!;
        return {
          ...pieces,
          read: (numbers: readonly number[]) =>
            pieces.read(numbers)!.map((bytes, i) => {
              if (numbers[i] !== 1) return bytes;
              flipped++;
              return bytes.map((byte, at) => (at === 99 ? byte ^ 4 : byte));
            }),
        };
      };
    },
  });
  assert.deepEqual(await space.open({ ...BRIEF, store: damaged }).find('amber lagoon'), whole);
  assert.ok(flipped > 0);
});
