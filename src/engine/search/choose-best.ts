import type { RankRequest } from './rank.ts';
import type { SearchPart } from './search-set.ts';
import { type Contender, createTopRecords, type TopRecords } from './top-records.ts';
import { blendQuality, MAX_WEIGHT, MIN_WEIGHT, weighQuality, weighRecency } from './weigh.ts';

export interface Contest {
  parts: readonly SearchPart[];
  /** One for each doc of the set; 0 where it does not match. */
  scores: Float32Array;
  request: Pick<RankRequest, 'keep' | 'qualityBoost' | 'now'>;
}

/**
 * The best doc of each record, weighed; the best records first. `among` names the docs of each part that have a chance; without it all have.
 * `floor` is a score that so many records as are wanted reach before weighing, as far as anybody knows.
 */
export function chooseBest(
  { parts, scores, request }: Contest,
  among?: readonly Uint32Array[],
  floor = 0,
): Contender[] {
  const lowest = request.qualityBoost > 0 ? SMALLEST : Math.max(SMALLEST, floor * HOPELESS_SHARE);
  const top = createTopRecords(request.keep);
  const highest = request.qualityBoost === 0 ? 1 : highestOf(scores) * MAX_WEIGHT;
  for (const [i, part] of parts.entries()) {
    const { docStart, docRecord, docCount } = part.part.columns;
    const own = scores.subarray(part.base, part.base + docCount);
    const bits = new Int32Array(own.buffer, own.byteOffset, docCount);
    const docs = among?.[i];
    let least = Math.max(lowest, leastScore(top, request));
    let done = -1;
    for (let k = 0; ; k++) {
      if (docs === undefined) k = skipBelow(bits, k, least);
      if (k >= (docs?.length ?? docCount)) break;
      const doc = docs === undefined ? k : docs[k]!;
      if (own[doc]! < least || docRecord[doc] === done) continue;
      const record = docRecord[doc]!;
      const best = bestOf(own, doc, docStart[record + 1]!);
      offer(top, { part, record, doc: best, score: own[best]! }, { request, highest });
      least = Math.max(lowest, leastScore(top, request));
      done = record;
    }
  }
  return top.list();
}

/** Below this no weighing can help a doc in. Docs of a record before one that reaches it were below it, so looking onwards finds the best. */
function leastScore(top: TopRecords, { qualityBoost }: Contest['request']): number {
  return qualityBoost > 0 ? SMALLEST : Math.max(SMALLEST, top.least / MAX_WEIGHT);
}

function bestOf(scores: Float32Array, start: number, end: number): number {
  let best = start;
  for (let doc = start + 1; doc < end; doc++) if (scores[doc]! > scores[best]!) best = doc;
  return best;
}

function offer(
  top: TopRecords,
  found: Omit<Contender, 'relevance'>,
  { request, highest }: { request: Contest['request']; highest: number },
): void {
  const { updatedAt, quality } = found.part.part.columns;
  const judged = quality[found.record]!;
  const relevance = found.score * weighRecency(updatedAt[found.record]!, request.now) * weighQuality(judged);
  const score =
    request.qualityBoost === 0 ? relevance : blendQuality(relevance / highest, judged, request.qualityBoost);
  if (score < top.least) return;
  const { part, record, doc } = found;
  top.offer({ score, relevance, part, record, doc });
}

function highestOf(scores: Float32Array): number {
  let highest = 0;
  for (let doc = 0; doc < scores.length; doc++) if (scores[doc]! > highest) highest = scores[doc]!;
  return highest;
}

/** A score below this share of another cannot overtake it by weighing; with room for rounding. */
export const HOPELESS_SHARE = (MIN_WEIGHT / MAX_WEIGHT) * 0.9999;
/** Anything that matches scores more. */
const SMALLEST = 1e-30;
const oneFloat = new Float32Array(1);
const oneBits = new Int32Array(oneFloat.buffer);

/** The next doc from `start` on that reaches the bound. Floats that are not negative compare like whole numbers of the same bits, so eight are tested at once: most docs are far below. */
function skipBelow(bits: Int32Array, start: number, bound: number): number {
  oneFloat[0] = bound;
  const below = oneBits[0]! - 1;
  let doc = start;
  for (const end = bits.length - 7; doc < end; doc += 8) {
    const four = (below - bits[doc]!) | (below - bits[doc + 1]!) | (below - bits[doc + 2]!) | (below - bits[doc + 3]!);
    const more =
      (below - bits[doc + 4]!) | (below - bits[doc + 5]!) | (below - bits[doc + 6]!) | (below - bits[doc + 7]!);
    if ((four | more) < 0) break;
  }
  while (doc < bits.length && bits[doc]! <= below) doc++;
  return doc;
}
