import type { Candidate } from './choose-best.ts';
import type { Body, Vectors } from './index/part.ts';
import { comparable, type VectorQuery } from './score-vectors.ts';
import type { SearchPart } from './search-set.ts';
import type { VectorScanner } from './vectors/vector-scanner.ts';

/** From this cosine on a passage says much the same as one before it. */
const ALIKE_FROM = 0.7;
/** The share of its score that a passage loses when it says the very same. */
const REPEATED = 0.25;

/** The cosine of two candidates, by their numbers in the list. */
export type Likeness = (a: number, b: number) => number;

/** The share of its score that is left to a passage beside a better one that is so like it. */
export function varietyBeside(cosine: number): number {
  return 1 - REPEATED * Math.max(0, (cosine - ALIKE_FROM) / (1 - ALIKE_FROM));
}

/**
 * Maximal marginal relevance: moves back what says again what stands before it. Only the first `reranked` are compared, whatever page is asked for: the
 * order must not depend on it. A candidate is compared only when it would be next: its score can only fall, so most pairs need no comparing.
 */
export function rerankByMmr(
  best: readonly Candidate[],
  { keep, reranked }: { keep: number; reranked: number },
  likeness: Likeness,
): Candidate[] {
  const left = best
    .slice(0, reranked)
    .map((candidate, number) => ({ candidate, number, score: candidate.score, variety: 1, compared: 0 }));
  const chosen: typeof left = [];
  while (left.length > 0 && chosen.length < keep) {
    let next = 0;
    for (let k = 1; k < left.length; k++) if (left[k]!.score > left[next]!.score) next = k;
    const first = left[next]!;
    const isCompared = first.compared === chosen.length;
    for (; first.compared < chosen.length; first.compared++)
      first.variety = Math.min(first.variety, varietyBeside(likeness(chosen[first.compared]!.number, first.number)));
    first.score = first.candidate.score * first.variety;
    if (isCompared || first.variety === 1) chosen.push(...left.splice(next, 1));
  }
  const varied = chosen.map(({ candidate, score, variety }) =>
    variety < 1 ? { ...candidate, score, variety } : candidate,
  );
  const lowest = varied.at(-1)?.score ?? 0;
  const rest = best.slice(reranked, keep).map((each) => ({ ...each, score: Math.min(lowest, each.score) }));
  return [...varied, ...rest];
}

/** Compares candidates by their vectors; those without one are like nothing. Asks for the vectors of each part that has some. */
export function* compareVectors(
  candidates: readonly Candidate[],
  query: VectorQuery,
  scanner: VectorScanner,
): Generator<SearchPart, Likeness, Body> {
  const vectors = new Map<SearchPart, Vectors | null>();
  for (const { part } of candidates) if (!vectors.has(part)) vectors.set(part, comparable(yield part, query));
  for (const [part, own] of vectors)
    own?.needRows?.(
      Uint32Array.from(
        candidates.filter((each) => each.part === part),
        ({ doc }) => doc,
      ),
    );
  const scales = candidates.map(({ part, doc }) => vectors.get(part)?.scales[doc] ?? 0);
  const productOf = scanner.pair(candidates.map(({ part, doc }) => readRow(vectors.get(part) ?? null, doc)));
  return (a, b) => {
    const [left, right] = [scales[a]!, scales[b]!];
    return left === 0 || right === 0 ? 0 : productOf(a, b) * left * right;
  };
}

const NO_ROW = new Int8Array(0);

function readRow(vectors: Vectors | null, doc: number): Int8Array {
  return vectors === null ? NO_ROW : vectors.rows.subarray(doc * vectors.dimensions, (doc + 1) * vectors.dimensions);
}
