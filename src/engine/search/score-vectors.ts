import type { EmbedderId } from '../../model/passage.ts';
import { type Body, codeWords, type Vectors } from './index/part.ts';
import { nthLargest } from './largest-values.ts';
import type { SearchPart } from './search-set.ts';
import { hammingDistance, writeSignCode } from './vectors/sign-code.ts';

/** What the meaning of a doc is where it was not looked at. */
export const NO_MEANING = -2;
/** How many of the nearest by their codes, and of the best by their words, are compared exactly. Those on the border are all in. */
const NEAREST = 500;
const BEST_BY_WORDS = 300;
const FAR = 65_535;

export interface VectorQuery {
  vector: Float32Array;
  embedder: EmbedderId;
}

export interface VectorScoring {
  query: VectorQuery;
  /** For each part, 1 where a doc may be found; null: every one. */
  masks: readonly (Uint8Array | null)[];
  /** Scores by words over all docs of the set. */
  text: Float32Array;
  /** Receives cosines, NO_MEANING elsewhere. */
  meaning: Float32Array;
}

/** Cosines of the docs that could matter: codes first, over all that pass the filter, then exactly. Returns how many docs have a vector of this embedder. */
export function* scoreVectors(parts: readonly SearchPart[], scoring: VectorScoring): Generator<SearchPart, number, Body> {
  const { query, masks, text, meaning } = scoring;
  meaning.fill(NO_MEANING);
  const distances = new Uint16Array(meaning.length).fill(FAR);
  const histogram = new Uint32Array(query.vector.length + 1);
  const code = new Uint32Array(codeWords(query.vector.length));
  writeSignCode(query.vector, code, 0);
  for (const [i, each] of parts.entries()) {
    const vectors = comparable(yield each, query);
    if (vectors !== null) measureDistances(vectors, { code, mask: masks[i]!, distances: sliceOf(distances, each), histogram });
  }
  const compared = histogram.reduce((sum, count) => sum + count, 0);
  if (compared === 0) return 0;
  const farthest = findBorder(histogram);
  const leastText = nthLargest(text, BEST_BY_WORDS);
  for (const each of parts) {
    const vectors = comparable(yield each, query);
    if (vectors === null) continue;
    const near = sliceOf(distances, each);
    const [own, target] = [sliceOf(text, each), sliceOf(meaning, each)];
    for (let doc = 0; doc < near.length; doc++) {
      if (near[doc]! <= farthest || (near[doc] !== FAR && own[doc]! > 0 && own[doc]! >= leastText)) target[doc] = cosine(query.vector, vectors, doc);
    }
  }
  return compared;
}

/** Of the vector with a doc's row. */
function cosine(vector: Float32Array, { rows, scales, dimensions }: Vectors, doc: number): number {
  const start = doc * dimensions;
  let sum = 0;
  for (let i = 0; i < dimensions; i++) sum += vector[i]! * rows[start + i]!;
  return Math.max(-1, Math.min(1, sum * scales[doc]!));
}

function comparable({ vectors }: Body, { vector, embedder }: VectorQuery): Vectors | null {
  return vectors !== null && vectors.embedder === embedder && vectors.dimensions === vector.length ? vectors : null;
}

function sliceOf<T extends Float32Array | Uint16Array>(array: T, { base, part }: SearchPart): T {
  return array.subarray(base, base + part.columns.docCount) as T;
}

interface Measurement {
  code: Uint32Array;
  mask: Uint8Array | null;
  distances: Uint16Array;
  histogram: Uint32Array;
}

function measureDistances({ codes, scales, dimensions }: Vectors, { code, mask, distances, histogram }: Measurement): void {
  const width = codeWords(dimensions);
  for (let doc = 0; doc < distances.length; doc++) {
    if (scales[doc] === 0 || (mask !== null && mask[doc] === 0)) continue;
    const distance = hammingDistance(codes, doc * width, code, width);
    distances[doc] = distance;
    histogram[distance] = histogram[distance]! + 1;
  }
}

/** The smallest distance within which NEAREST docs lie. */
function findBorder(histogram: Uint32Array): number {
  let within = 0;
  for (let distance = 0; distance < histogram.length; distance++) {
    within += histogram[distance]!;
    if (within >= NEAREST) return distance;
  }
  return histogram.length - 1;
}
