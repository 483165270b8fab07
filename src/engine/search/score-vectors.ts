import type { EmbedderId } from '../../model/passage.ts';
import type { CosineScale } from '../ports.ts';
import { gatherScores } from './contenders.ts';
import type { Spread } from './fuse.ts';
import type { Body, Vectors } from './index/part.ts';
import { selectLargest } from './largest-values.ts';
import type { SearchPart } from './search-set.ts';
import { measureCosines, roundQuery } from './vectors/cosines.ts';
import { estimateSpread } from './vectors/estimate-spread.ts';
import { makeSignCode } from './vectors/sign-code.ts';
import { findBorder, type Nearest, type VectorScanner } from './vectors/vector-scanner.ts';

/** What the meaning of a doc is where it was not looked at. */
export const NO_MEANING = -2;
/** How many of the nearest by their codes, and of the best by their words, are compared exactly. Those on the border are all in. */
const NEAREST = 500;
export const BEST_BY_WORDS = 300;

export interface VectorQuery {
  vector: Float32Array;
  embedder: EmbedderId;
  cosines: CosineScale;
}

export interface VectorScoring {
  query: VectorQuery;
  scanner: VectorScanner;
  /** For each part, 1 where a doc may be found; null: every one. */
  masks: readonly (Uint8Array | null)[];
  /** Scores by words over all docs of the set. */
  text: Float32Array;
  /** For each part the docs that have one. */
  matches: readonly Uint32Array[];
  /** Receives cosines; NO_MEANING throughout before. */
  meaning: Float32Array;
}

/** How many docs have a vector of this embedder, and how the cosines with all of them are spread. */
export interface Compared {
  compared: number;
  spread: Spread;
  /** For each part the docs that got a cosine. */
  docs: Uint32Array[];
  /** The score of the last of the best by words. */
  leastText: number;
}

/** Cosines of the docs that could matter: codes first, over all that pass the filter, then exactly. */
export function* scoreVectors(
  parts: readonly SearchPart[],
  scoring: VectorScoring,
): Generator<SearchPart, Compared, Body> {
  const { query, scanner, masks, meaning } = scoring;
  const dimensions = query.vector.length;
  const nearest: Nearest = { histogram: new Uint32Array(dimensions + 1), wanted: NEAREST, limit: dimensions };
  const code = makeSignCode(query.vector);
  const near: number[][] = [];
  for (const [i, { part }] of parts.entries()) {
    const vectors = comparable(yield parts[i]!, query);
    const count = part.columns.docCount;
    near[i] =
      vectors === null
        ? []
        : scanner.scan(
            { query: code, codes: vectors.codes, count, mask: maskVectors(vectors, masks[i]!, count) },
            nearest,
          );
  }
  const compared = nearest.histogram.reduce((sum, count) => sum + count, 0);
  const spread = estimateSpread(nearest.histogram);
  const chosen: Uint32Array[] = parts.map(() => NO_DOCS);
  if (compared === 0) return { compared, spread, docs: chosen, leastText: 0 };
  const border = findBorder(nearest);
  const leastText = leastOfMatches(parts, scoring);
  const rounded = roundQuery(query.vector);
  for (const [i, each] of parts.entries()) {
    const vectors = comparable(yield each, query);
    if (vectors === null) continue;
    const docs = chooseDocs(
      { near: near[i]!, border, byWords: { docs: scoring.matches[i]!, least: leastText }, base: each.base, vectors },
      scoring,
    );
    chosen[i] = docs;
    const cosines = measureCosines(scanner, vectors, { query: rounded, docs });
    for (let k = 0; k < docs.length; k++) meaning[each.base + docs[k]!] = cosines[k]!;
  }
  return { compared, spread, docs: chosen, leastText };
}

/** Compares docs that the codes had passed over. */
export function* scoreMoreVectors(
  each: SearchPart,
  docs: Uint32Array,
  scoring: VectorScoring,
): Generator<SearchPart, void, Body> {
  const vectors = comparable(yield each, scoring.query);
  if (vectors === null) return;
  const known = docs.filter((doc) => vectors.scales[doc] !== 0);
  const cosines = measureCosines(scoring.scanner, vectors, { query: roundQuery(scoring.query.vector), docs: known });
  for (let k = 0; k < known.length; k++) scoring.meaning[each.base + known[k]!] = cosines[k]!;
}

export function comparable({ vectors }: Body, { vector, embedder }: VectorQuery): Vectors | null {
  return vectors !== null && vectors.embedder === embedder && vectors.dimensions === vector.length ? vectors : null;
}

/** Narrowed to docs that have a vector; null where all are to be looked at. */
function maskVectors({ scales, complete }: Vectors, mask: Uint8Array | null, count: number): Uint8Array | null {
  if (complete) return mask;
  const narrowed = new Uint8Array(count);
  for (let doc = 0; doc < count; doc++) narrowed[doc] = scales[doc] === 0 || mask?.[doc] === 0 ? 0 : 1;
  return narrowed;
}

/** The score of the last of the best by words. */
function leastOfMatches(parts: readonly SearchPart[], { text, matches }: VectorScoring): number {
  return selectLargest(gatherScores({ parts, scores: text }, matches), BEST_BY_WORDS);
}

const NO_DOCS = new Uint32Array(0);

interface Choice {
  /** Docs, each followed by its distance. */
  near: readonly number[];
  border: number;
  byWords: { docs: Uint32Array; least: number };
  base: number;
  vectors: Vectors;
}

/** Each doc once. Those that are taken have a mark in `meaning` until their cosines come. */
function chooseDocs({ near, border, byWords, base, vectors }: Choice, { text, meaning }: VectorScoring): Uint32Array {
  const chosen: number[] = [];
  for (let k = 0; k < near.length; k += 2) {
    if (near[k + 1]! > border) continue;
    chosen.push(near[k]!);
    meaning[base + near[k]!] = TAKEN;
  }
  const { docs, least } = byWords;
  for (let k = 0; k < docs.length; k++) {
    const doc = docs[k]!;
    if (text[base + doc]! >= least && vectors.scales[doc] !== 0 && meaning[base + doc] !== TAKEN) chosen.push(doc);
  }
  return new Uint32Array(chosen);
}

const TAKEN = 0;
