import type { Body, Vectors } from './index/part.ts';
import { comparable, type VectorQuery } from './score-vectors.ts';
import type { SearchPart } from './search-set.ts';
import type { Contender } from './top-records.ts';

/** So many of the best are looked at, whatever page is asked for: the order must not depend on it. */
export const VARIED = 40;
/** From this cosine on a passage says much the same as one before it. */
const ALIKE_FROM = 0.7;
/** The share of its score that a passage loses when it says the very same. */
const REPEATED = 0.25;

/** How like each other two contenders are, by their numbers in the list. */
export type Likeness = (a: number, b: number) => number;

/**
 * Moves back what says again what stands before it, so that the first hits tell more. Scores never rise down the list.
 * A contender is compared only when it would be next: its worth can only fall, so most pairs need no comparing.
 */
export function varyHits(best: readonly Contender[], keep: number, likeness: Likeness): Contender[] {
  const left: Candidate[] = best
    .slice(0, VARIED)
    .map((contender, number) => ({ contender, number, worth: 1, compared: 0 }));
  const chosen: Candidate[] = [];
  while (left.length > 0 && chosen.length < keep) {
    let next = 0;
    for (let k = 1; k < left.length; k++) if (scoreOf(left[k]!) > scoreOf(left[next]!)) next = k;
    const candidate = left[next]!;
    const isKnown = candidate.compared === chosen.length;
    for (; candidate.compared < chosen.length; candidate.compared++) {
      candidate.worth = Math.min(
        candidate.worth,
        worthBeside(likeness(chosen[candidate.compared]!.number, candidate.number)),
      );
    }
    if (isKnown || candidate.worth === 1) chosen.push(...left.splice(next, 1));
  }
  const varied = chosen.map((each) =>
    each.worth < 1 ? { ...each.contender, score: scoreOf(each), variety: each.worth } : each.contender,
  );
  const lowest = varied.at(-1)?.score ?? 0;
  for (const contender of best.slice(VARIED, keep))
    varied.push({ ...contender, score: Math.min(lowest, contender.score) });
  return varied;
}

interface Candidate {
  contender: Contender;
  number: number;
  /** The share of the score that is left to it, as far as it has been compared. */
  worth: number;
  /** With how many of the chosen. */
  compared: number;
}

function scoreOf({ contender, worth }: { contender: Contender; worth: number }): number {
  return contender.score * worth;
}

function worthBeside(cosine: number): number {
  return 1 - REPEATED * Math.max(0, (cosine - ALIKE_FROM) / (1 - ALIKE_FROM));
}

/** Compares the first contenders by their vectors; those without one are like nothing. Asks for the vectors of each part that has some. */
export function* compareHits(best: readonly Contender[], query: VectorQuery): Generator<SearchPart, Likeness, Body> {
  const looked = best.slice(0, VARIED);
  const vectors = new Map<SearchPart, Vectors | null>();
  for (const part of new Set(looked.map((each) => each.part))) vectors.set(part, comparable(yield part, query));
  const rows = looked.map(({ part, doc }) => readRow(vectors.get(part) ?? null, doc));
  return (a, b) => cosineOf(rows[a], rows[b]);
}

interface Row {
  numbers: Int8Array;
  scale: number;
}

function readRow(vectors: Vectors | null, doc: number): Row | null {
  if (vectors === null || vectors.scales[doc] === 0) return null;
  return {
    numbers: vectors.rows.subarray(doc * vectors.dimensions, (doc + 1) * vectors.dimensions),
    scale: vectors.scales[doc]!,
  };
}

function cosineOf(a: Row | null | undefined, b: Row | null | undefined): number {
  if (a === null || b === null || a === undefined || b === undefined) return 0;
  let sum = 0;
  for (let i = 0; i < a.numbers.length; i++) sum += a.numbers[i]! * b.numbers[i]!;
  return sum * a.scale * b.scale;
}
