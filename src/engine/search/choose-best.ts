import type { Columns } from './index/columns.ts';
import { createLargestValues } from './largest-values.ts';
import type { RankRequest } from './rank.ts';
import type { SearchPart } from './search-set.ts';
import { type Contender, createTopRecords, type TopRecords } from './top-records.ts';
import { blendQuality, MAX_WEIGHT, MIN_WEIGHT, weighQuality, weighRecency } from './weigh.ts';

/** Room for the rounding of sums. */
const SLACK = 1e-3;

export interface Contest {
  parts: readonly SearchPart[];
  /** One for each doc of the set; 0 where it does not match. */
  scores: Float32Array;
  request: Pick<RankRequest, 'keep' | 'qualityBoost' | 'now'>;
}

/** The best doc of each record, weighed; the best records first. `among` names the docs of each part that have a chance; without it all have. */
export function chooseBest({ parts, scores, request }: Contest, among?: readonly Uint32Array[]): Contender[] {
  const top = createTopRecords(request.keep);
  const highest = request.qualityBoost === 0 ? 1 : highestOf(scores) * MAX_WEIGHT;
  for (const [i, part] of parts.entries()) {
    const { docStart, docRecord, docCount } = part.part.columns;
    const own = scores.subarray(part.base, part.base + docCount);
    const docs = among?.[i];
    const count = docs?.length ?? docCount;
    let least = leastScore(top, request);
    let done = -1;
    for (let k = 0; k < count; k++) {
      const doc = docs === undefined ? k : docs[k]!;
      if (own[doc]! < least || own[doc]! <= 0 || docRecord[doc] === done) continue;
      const record = docRecord[doc]!;
      const best = bestOf(own, doc, docStart[record + 1]!);
      offer(top, { part, record, doc: best, score: own[best]! }, { request, highest });
      least = leastScore(top, request);
      done = record;
    }
  }
  return top.list();
}

/** Below this no weighing can help a doc in. Docs of a record before one that reaches it were below it, so looking onwards finds the best. */
function leastScore(top: TopRecords, { qualityBoost }: Contest['request']): number {
  return qualityBoost > 0 ? -Infinity : top.least / MAX_WEIGHT;
}

function bestOf(scores: Float32Array, start: number, end: number): number {
  let best = start;
  for (let doc = start + 1; doc < end; doc++) if (scores[doc]! > scores[best]!) best = doc;
  return best;
}

function offer(top: TopRecords, found: Omit<Contender, 'relevance'>, { request, highest }: { request: Contest['request']; highest: number }): void {
  const { updatedAt, quality } = found.part.part.columns;
  const judged = quality[found.record]!;
  const relevance = found.score * weighRecency(updatedAt[found.record]!, request.now) * weighQuality(judged);
  const score = request.qualityBoost === 0 ? relevance : blendQuality(relevance / highest, judged, request.qualityBoost);
  top.offer({ ...found, score, relevance });
}

function highestOf(scores: Float32Array): number {
  let highest = 0;
  for (let doc = 0; doc < scores.length; doc++) if (scores[doc]! > highest) highest = scores[doc]!;
  return highest;
}

/** Records with a doc that scores. */
export function countMatching(parts: readonly SearchPart[], scores: Float32Array): number {
  let matching = 0;
  for (const { part, base } of parts) matching += countMatchingIn(part.columns, scores.subarray(base, base + part.columns.docCount));
  return matching;
}

/** Scores are 0 or more, so their bits tell whether they match. Without branches: which docs match cannot be foretold, and a wrong guess costs more than the sum. */
function countMatchingIn({ docRecord, docCount, singlePassages }: Columns, scores: Float32Array): number {
  const bits = bitsOf(scores);
  let matching = 0;
  if (singlePassages) {
    for (let doc = 0; doc < docCount; doc++) matching += isPositive(bits[doc]!);
    return matching;
  }
  let last = -1;
  let counted = 0;
  for (let doc = 0; doc < docCount; doc++) {
    const record = docRecord[doc]!;
    const matches = isPositive(bits[doc]!);
    counted &= record === last ? 1 : 0;
    matching += matches & (counted ^ 1);
    counted |= matches;
    last = record;
  }
  return matching;
}

function isPositive(bits: number): number {
  return (0 - bits) >>> 31;
}

/** Floats that are not negative compare like the whole numbers of the same bits. */
function bitsOf(scores: Float32Array): Int32Array {
  return new Int32Array(scores.buffer, scores.byteOffset, scores.length);
}

/**
 * The docs that can still be among the best when every score may yet grow by `growth` and be weighed: for each part their numbers, ascending.
 * Exact: whoever is left out could not have got in.
 */
export function findContenders({ parts, scores, request }: Contest, growth: number): Uint32Array[] {
  const best = createLargestValues(request.keep);
  let bound = SMALLEST;
  const found = parts.map(({ part, base }) => {
    const { docRecord, docStart, docCount } = part.columns;
    const own = scores.subarray(base, base + docCount);
    const bits = bitsOf(own);
    const docs: number[] = [];
    let last = -1;
    for (let doc = skipBelow(bits, 0, bound); doc < docCount; doc = skipBelow(bits, doc + 1, bound)) {
      docs.push(doc);
      const record = docRecord[doc]!;
      if (record === last) continue;
      last = record;
      best.add(own[bestOf(own, doc, docStart[record + 1]!)]!);
      bound = Math.max(SMALLEST, (best.least * MIN_WEIGHT) / MAX_WEIGHT - growth - SLACK);
    }
    return docs;
  });
  return found.map((docs, i) => Uint32Array.from(docs.filter((doc) => scores[parts[i]!.base + doc]! >= bound)));
}

const oneFloat = new Float32Array(1);
const oneBits = new Int32Array(oneFloat.buffer);

/** The next doc from `start` on that reaches the bound. Eight are tested at once: most docs are far below. */
function skipBelow(bits: Int32Array, start: number, bound: number): number {
  oneFloat[0] = bound;
  const below = oneBits[0]! - 1;
  let doc = start;
  for (const end = bits.length - 7; doc < end; doc += 8) {
    const four = (below - bits[doc]!) | (below - bits[doc + 1]!) | (below - bits[doc + 2]!) | (below - bits[doc + 3]!);
    const more = (below - bits[doc + 4]!) | (below - bits[doc + 5]!) | (below - bits[doc + 6]!) | (below - bits[doc + 7]!);
    if ((four | more) < 0) break;
  }
  while (doc < bits.length && bits[doc]! <= below) doc++;
  return doc;
}

/** Anything that matches scores more. */
const SMALLEST = 1e-30;
