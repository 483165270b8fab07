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

function countMatchingIn({ docRecord, docCount }: Columns, scores: Float32Array): number {
  let matching = 0;
  let last = -1;
  for (let doc = 0; doc < docCount; doc++) {
    if (scores[doc]! <= 0 || docRecord[doc] === last) continue;
    last = docRecord[doc]!;
    matching++;
  }
  return matching;
}

/**
 * The docs that can still be among the best when every score may yet grow by `growth` and be weighed: for each part their numbers, ascending,
 * and how many records match at all. Exact: whoever is left out could not have got in.
 */
export function findContenders({ parts, scores, request }: Contest, growth: number): { docs: Uint32Array[]; total: number } {
  const best = createLargestValues(request.keep);
  const found: number[][] = [];
  let bound = 0;
  let total = 0;
  for (const { part, base } of parts) {
    const { docRecord, docStart, docCount } = part.columns;
    const own = scores.subarray(base, base + docCount);
    const docs: number[] = [];
    let [last, shown] = [-1, -1];
    for (let doc = 0; doc < docCount; doc++) {
      const score = own[doc]!;
      if (score <= 0) continue;
      const record = docRecord[doc]!;
      if (record !== last) total++;
      last = record;
      if (score < bound) continue;
      docs.push(doc);
      if (record === shown) continue;
      shown = record;
      best.add(own[bestOf(own, doc, docStart[record + 1]!)]!);
      bound = (best.least * MIN_WEIGHT) / MAX_WEIGHT - growth - SLACK;
    }
    found.push(docs);
  }
  return { docs: found.map((docs, i) => Uint32Array.from(docs.filter((doc) => scores[parts[i]!.base + doc]! >= bound))), total };
}
