import type { WeightBounds } from './bound-weights.ts';
import type { DocLists, DocScores } from './doc-lists.ts';
import { compareIds } from './index/columns.ts';
import type { RankRequest } from './rank.ts';
import { blendQuality, MAX_WEIGHT, MIN_WEIGHT, weighScore } from './score.ts';
import type { SearchPart } from './search-set.ts';

/** A record by its best doc. */
export interface Candidate {
  score: number;
  /** The score before quality was given its say. */
  relevance: number;
  part: SearchPart;
  record: number;
  doc: number;
  /** The share of its score that is left because a better hit says the same; absent where it says something new. */
  variety?: number;
}

export interface Contest extends DocScores {
  request: Pick<RankRequest, 'keep' | 'qualityBoost' | 'now'>;
}

/** Which docs are worth looking at. */
export interface Chances {
  /** Those of each part that have a chance, ascending; absent: all have. */
  among?: DocLists;
  /** A score that so many records as are wanted reach before weighting. */
  floor?: number;
  /** Of the records of the contest; any weights at all where absent. */
  bounds?: WeightBounds;
}

const ANY_WEIGHTS: WeightBounds = { least: MIN_WEIGHT, most: MAX_WEIGHT };

/** A score below this share of another cannot overtake it by weighting; with room for rounding. */
export function hopelessShare({ least, most }: WeightBounds): number {
  return (least / most) * 0.9999;
}

/** Anything that matches scores more. */
const SMALLEST = 1e-30;

/** The best doc of each record, weighted; the best records first. */
export function chooseBest(contest: Contest, { among, floor = 0, bounds = ANY_WEIGHTS }: Chances = {}): Candidate[] {
  const { parts, scores, request } = contest;
  let kept: Candidate[] = [];
  // Scores below this cannot get in any more.
  let lowest = -Infinity;
  const blends = request.qualityBoost > 0;
  const highest = blends ? highestOf(scores) * MAX_WEIGHT : 1;
  // Below this no weighting can help a doc in.
  const reachable = floor * hopelessShare(bounds);
  let least = blends ? SMALLEST : Math.max(SMALLEST, reachable);
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]!;
    const { columns } = part.part;
    const { docCount } = columns;
    // Not taken where they are not needed: they may have to be read first.
    const several = columns.singlePassages ? null : { docStart: columns.docStart, docRecord: columns.docRecord };
    const own = scores.subarray(part.base, part.base + docCount);
    const bits = new Int32Array(own.buffer, own.byteOffset, docCount);
    const docs = among?.[i];
    const end = docs?.length ?? docCount;
    let done = -1;
    for (let k = 0; ; k++) {
      if (docs === undefined) k = skipBelow(bits, k, least);
      if (k >= end) break;
      const doc = docs === undefined ? k : docs[k]!;
      const record = several === null ? doc : several.docRecord[doc]!;
      if (own[doc]! < least || record === done) continue;
      done = record;
      // Earlier docs of the record were below the least, so looking onwards finds the best.
      const best = several === null ? doc : bestOf(own, doc, several.docStart[done + 1]!);
      const candidate = weighCandidate({ part, record, doc: best, score: own[best]! }, request, highest);
      if (candidate.score < lowest) continue;
      kept.push(candidate);
      // Twice as many as are wanted at the most, then those that are too many go.
      if (kept.length < 2 * request.keep) continue;
      kept = cutTo(kept, request.keep);
      lowest = kept[request.keep - 1]!.score;
      if (!blends) least = Math.max(SMALLEST, reachable, lowest / bounds.most);
    }
  }
  return cutTo(kept, request.keep);
}

function weighCandidate(
  { part, record, doc, score: unweighted }: Omit<Candidate, 'relevance'>,
  { qualityBoost, now }: Contest['request'],
  highest: number,
): Candidate {
  const { quality: qualities, updatedAt } = part.part.columns;
  const quality = qualities[record]!;
  const relevance = weighScore(unweighted, { updatedAt: updatedAt[record]!, quality }, now);
  const score = qualityBoost > 0 ? blendQuality(relevance / highest, quality, qualityBoost) : relevance;
  return { score, relevance, part, record, doc };
}

/** The best of them, best first. */
function cutTo(candidates: Candidate[], limit: number): Candidate[] {
  return candidates.sort(compareCandidates).slice(0, limit);
}

function bestOf(scores: Float32Array, start: number, end: number): number {
  let best = start;
  for (let doc = start + 1; doc < end; doc++) if (scores[doc]! > scores[best]!) best = doc;
  return best;
}

function highestOf(scores: Float32Array): number {
  let highest = 0;
  for (let doc = 0; doc < scores.length; doc++) if (scores[doc]! > highest) highest = scores[doc]!;
  return highest;
}

/** Score, then relevance, then the newer one, then the higher id: the same records always come in the same order. */
function compareCandidates(a: Candidate, b: Candidate): number {
  if (a.score !== b.score) return b.score - a.score;
  if (a.relevance !== b.relevance) return b.relevance - a.relevance;
  const newer = b.part.part.columns.createdAt[b.record]! - a.part.part.columns.createdAt[a.record]!;
  if (newer !== 0) return newer;
  const byId = compareIds(b.part.part.columns.ids, b.record, a.part.part.columns.ids, a.record);
  return byId !== 0 ? byId : a.part.space < b.part.space ? -1 : 1;
}

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
