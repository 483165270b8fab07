import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type PlainRecord, rankExhaustively } from '../../test/rank-exhaustively.ts';
import { sampleContent } from '../../test/stores/contract/sample-records.ts';
import { newRecordId } from '../model/ids.ts';
import type { StoredRecord } from '../model/record.ts';
import { mergeParts } from './index/merge-parts.ts';
import { kill, type Part } from './index/part.ts';
import { prepareEntry } from './index/prepare-entry.ts';
import { openSegment } from './index/segment-part.ts';
import { createTail } from './index/tail.ts';
import { writeSegment } from './index/write-segment.ts';
import type { RankRequest } from './rank.ts';
import { RANKING_STEPS } from './ranking-steps.ts';
import { runRanking } from './run-ranking.ts';
import { createScratch } from './scratch.ts';
import { idOf, type SearchSet } from './search-set.ts';
import { parseQuery } from './text/parse-query.ts';
import { tokenize } from './text/tokenize.ts';
import { quantise } from './vectors/quantise.ts';

const NOW = Date.UTC(2026, 0, 15);
const DAY = 86_400_000;
const EMBEDDER = 'waves';
/** Far enough apart that none is a misspelling of another. */
const KEYWORDS = 'harbour lantern copper willow granite meadow saffron yesterday'.split(' ');
const STOP_WORDS = 'of what in is with from about'.split(' ');

type Dice = (sides: number) => number;

/** Numbers that look random and are the same for the same seed. */
function createDice(seed: number): Dice {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

/** Around one of a few directions, so that some are much alike. */
function makeVector(dice: Dice, dimensions: number): Float32Array {
  const direction = createDice(dice(5));
  const vector = Float32Array.from({ length: dimensions }, () => direction(2001) - 1000 + 0.8 * (dice(2001) - 1000));
  const norm = Math.hypot(...vector);
  return vector.map((component) => component / norm);
}

/** One keyword and one stop word are common, the others are not; some texts hold little but a stop word, many times. */
function makeText(dice: Dice, isStuffed: boolean): string {
  const words = [dice(4) > 0 ? KEYWORDS[0]! : KEYWORDS[dice(KEYWORDS.length)]!];
  const repeated = STOP_WORDS[dice(isStuffed ? 2 : STOP_WORDS.length)]!;
  const [others, repeats] = [dice(3) === 0 ? dice(10) : dice(2), dice(isStuffed ? 2 : 8) === 0 ? dice(60) : 0];
  for (let k = 0; k < others; k++)
    words.push(dice(2) === 0 ? KEYWORDS[dice(KEYWORDS.length)]! : STOP_WORDS[dice(STOP_WORDS.length)]!);
  for (let k = 0; k < repeats; k++) words.push(repeated);
  if (dice(10) > 0) words.push('the');
  if (dice(5) === 0) words.push('yesterday');
  return words.join(' ');
}

interface Shape {
  seed: number;
  count: number;
  dimensions: number;
  /** Every record has one passage; no record is a turn; every passage has its vector. */
  single: boolean;
  turnless: boolean;
  complete: boolean;
  /** Many texts repeat a stop word. */
  stuffed: boolean;
}

interface Made extends PlainRecord {
  stored: StoredRecord;
  isDead: boolean;
}

function makeRecord(dice: Dice, { dimensions, single, turnless, complete, stuffed }: Shape): Made {
  const at = NOW - dice(60) * DAY;
  const isTurn = !turnless && dice(2) === 0;
  const speaker = isTurn ? ['maya', 'theo'][dice(2)]! : null;
  const passages = Array.from({ length: single ? 1 : 1 + dice(3) }, () => ({
    text: makeText(dice, stuffed),
    vector: complete || dice(8) > 0 ? quantise(makeVector(dice, dimensions)) : null,
  }));
  const content = `${speaker === null ? '' : `${speaker}: `}${passages[0]!.text}`;
  passages[0]!.text = content;
  const [type, conversation, quality] = [
    dice(8) === 0 ? 'hidden' : 'note',
    isTurn ? `c${dice(2)}` : null,
    dice(11) / 10,
  ];
  const times = { createdAt: at, updatedAt: at + dice(3) * DAY };
  const project = dice(3) === 0 ? 'shop-api' : null;
  const stored = storeRecord(content, { ...times, type, conversation, quality, project });
  const { id, space } = stored;
  const shown = { turnOf: conversation, speaker, project, ...times, quality, passesFilter: type === 'note' };
  return { id, space, passages, ...shown, stored, isDead: dice(12) === 0 };
}

function storeRecord(
  content: string,
  more: Pick<StoredRecord, 'createdAt' | 'updatedAt' | 'type' | 'conversation' | 'quality' | 'project'>,
): StoredRecord {
  const own = { space: 'owner', id: newRecordId(more.createdAt), revision: 1, generation: 1, dot: 'test:1' };
  return { ...sampleContent({ ...more, content }), ...own, deletedAt: null };
}

function makeTail(records: readonly Made[]): Part {
  const tail = createTail(EMBEDDER, () => 0);
  for (const { id, stored, passages } of records) {
    const vectors = passages.flatMap(({ vector }, ordinal) =>
      vector === null ? [] : [{ embedder: EMBEDDER, ordinal, ...vector }],
    );
    const texts = passages.map(({ text }, ordinal) => ({ ordinal, text }));
    tail.add(prepareEntry({ id, record: stored, passages: texts, vectors }, tokenize, EMBEDDER)!);
  }
  return tail;
}

async function toSegment(part: Part): Promise<Part> {
  const sources = [{ columns: part.columns, body: part.body!, dead: part.deadRecords }];
  const contents = await mergeParts({ from: 0, to: 1, sources, deletedIds: [], embedder: EMBEDDER });
  const passages = contents.sections.docRecord.length;
  return openSegment(
    { id: 'one', from: 0, to: 1, passages, embedder: EMBEDDER, bytes: await writeSegment(contents) },
    false,
  );
}

/** One half in a segment, the other in a tail. */
async function makeSet(records: readonly Made[]): Promise<SearchSet> {
  const half = Math.floor(records.length / 2);
  const parts: SearchSet['parts'] = [];
  let docCount = 0;
  for (const part of [await toSegment(makeTail(records.slice(0, half))), makeTail(records.slice(half))]) {
    for (const { id, isDead } of records) if (isDead && part.find(id) !== -1) kill(part, part.find(id));
    if (part.columns.recordCount > 0) parts.push({ space: 'owner', part, base: docCount });
    docCount += part.columns.docCount;
  }
  return {
    parts,
    docCount,
    heads: {},
    lean: false,
    damaged: [],
    lost: 0,
    lacksVectors: 0,
    readBody: async ({ part }) => part.body!,
  };
}

const small = (max: number) => fc.integer({ min: 1, max });
/** The first in most questions: few things at a time keep the ranking from leaving out what it can. */
const mostly = <T>(usual: T, ...others: T[]) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });
const asked = fc.record({
  words: fc.oneof(
    fc.array(fc.constantFrom(...KEYWORDS, ...STOP_WORDS, ...STOP_WORDS), { maxLength: 5 }),
    fc.tuple(fc.constantFrom(...KEYWORDS), fc.constantFrom('the', ...STOP_WORDS.slice(0, 2))),
  ),
  direction: fc.nat(),
  by: fc.constantFrom('words', 'both', 'both', 'meaning'),
  speaker: mostly<string | null>(null, 'maya'),
  project: mostly<string | null>(null, 'shop-api'),
  asksForTime: fc.constantFrom(false, false, true),
  without: mostly([], ...RANKING_STEPS.map((step) => [step])),
  weights: mostly({ words: 1, meaning: 1 }, { words: 0, meaning: 1 }, { words: 2, meaning: 0 }),
  qualityBoost: mostly(0, 0.3, 0.8),
  filter: fc.constantFrom({}, { types: ['note'] }),
  keep: small(8),
  limits: fc.record({
    nearest: small(20),
    bestByWords: small(4),
    lenders: small(5),
    reranked: fc.integer({ min: 2, max: 10 }),
    pruneFrom: fc.constant(0),
  }),
});
type Asked = typeof asked extends fc.Arbitrary<infer T> ? T : never;

function toRequest({ words, direction, by, ...rest }: Asked, dimensions: number): RankRequest {
  const query = {
    vector: makeVector(createDice(direction), dimensions),
    embedder: EMBEDDER,
    cosines: { unrelated: 0, related: 1 },
    familiarity: 1,
  };
  const vector = by === 'words' ? null : query;
  return {
    ...rest,
    terms: parseQuery([KEYWORDS[0], ...words].join(' ')).terms,
    required: [],
    vector,
    useText: by !== 'meaning',
    now: NOW,
  };
}

const shape = fc.record({
  seed: fc.nat(),
  count: fc.integer({ min: 1, max: 200 }),
  dimensions: fc.constantFrom(64, 128),
  single: fc.boolean(),
  turnless: fc.constantFrom(true, true, false),
  complete: fc.boolean(),
  stuffed: fc.boolean(),
});

test('finds the same records in the same order with the same scores as scoring every passage', async () => {
  const scratch = createScratch();
  await fc.assert(
    fc.asyncProperty(shape, fc.array(asked, { minLength: 1, maxLength: 12 }), async (shaped, questions) => {
      const dice = createDice(shaped.seed);
      const made = Array.from({ length: shaped.count }, () => makeRecord(dice, shaped));
      const set = await makeSet(made);
      for (const question of questions) {
        const request = toRequest(question, shaped.dimensions);
        const passes = ({ passesFilter }: Made) => request.filter.types === undefined || passesFilter;
        const live = made.filter(({ isDead }) => !isDead).map((each) => ({ ...each, passesFilter: passes(each) }));
        const { best, total } = await runRanking(set, request, scratch);
        const hits = best.map(({ part, record, doc, score, text, meaning }) => {
          const ordinal = doc - part.part.columns.docStart[record]!;
          return { id: idOf({ part, record }), space: part.space, ordinal, score, text, meaning };
        });
        assert.deepEqual({ hits, total }, rankExhaustively(live, request));
      }
    }),
    { numRuns: 400 },
  );
});
