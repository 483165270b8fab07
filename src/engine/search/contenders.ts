import type { Contest } from './choose-best.ts';
import { createLargestValues } from './largest-values.ts';

/** For each part the docs that match, in no order. */
type Matches = readonly Uint32Array[];

/** The score of the last of the `keep` best records, before weighing; -Infinity where fewer match. */
export function leastOfBest({ parts, scores, request }: Contest, matches: Matches): number {
  const best = createLargestValues(request.keep);
  let least = best.least;
  for (const [i, { part, base }] of parts.entries()) {
    const { docRecord, docStart, docCount, singlePassages } = part.columns;
    const own = scores.subarray(base, base + docCount);
    const docs = matches[i]!;
    for (let k = 0; k < docs.length; k++) {
      const doc = docs[k]!;
      const score = own[doc]!;
      if (score <= least) continue;
      if (
        !singlePassages &&
        !isBestOf(own, doc, { start: docStart[docRecord[doc]!]!, end: docStart[docRecord[doc]! + 1]! })
      )
        continue;
      best.add(score);
      least = best.least;
    }
  }
  return least;
}

/** Of docs with the same score the first is the best. */
function isBestOf(scores: Float32Array, doc: number, { start, end }: { start: number; end: number }): boolean {
  const score = scores[doc]!;
  for (let other = start; other < doc; other++) if (scores[other]! >= score) return false;
  for (let other = doc + 1; other < end; other++) if (scores[other]! > score) return false;
  return true;
}

/** What these docs score, one part after the other. */
export function gatherScores({ parts, scores }: Pick<Contest, 'parts' | 'scores'>, matches: Matches): Float32Array {
  const gathered = new Float32Array(matches.reduce((sum, docs) => sum + docs.length, 0));
  let next = 0;
  for (const [i, { base }] of parts.entries()) {
    const docs = matches[i]!;
    for (let k = 0; k < docs.length; k++) gathered[next++] = scores[base + docs[k]!]!;
  }
  return gathered;
}

/** The docs whose scores lie in the range, ascending. */
export function selectDocs(
  { parts, scores }: Pick<Contest, 'parts' | 'scores'>,
  matches: Matches,
  { from, below }: { from: number; below: number },
): Uint32Array[] {
  return parts.map(({ base }, i) => {
    const docs = matches[i]!;
    const selected: number[] = [];
    for (let k = 0; k < docs.length; k++) {
      const score = scores[base + docs[k]!]!;
      if (score >= from && score < below) selected.push(docs[k]!);
    }
    return Uint32Array.from(selected).sort();
  });
}

export function joinDocs(a: readonly Uint32Array[], b: readonly Uint32Array[]): Uint32Array[] {
  return a.map((docs, i) => {
    const joined = new Uint32Array(docs.length + b[i]!.length);
    joined.set(docs);
    joined.set(b[i]!, docs.length);
    return joined.sort();
  });
}
