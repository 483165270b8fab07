import type { EmbedderId } from '../model/passage.ts';
import { type DocLists, surveyScores } from './doc-lists.ts';
import type { Body, Vectors } from './index/part.ts';
import type { CosineScale, Embedder } from './ports.ts';
import type { RankLimits } from './ranking-steps.ts';
import type { Spread } from './score.ts';
import type { SearchPart } from './search-set.ts';
import { measureCosines, roundQuery } from './vectors/cosines.ts';
import { estimateSpread } from './vectors/estimate-spread.ts';
import { findBorder, makeSignCode } from './vectors/sign-code.ts';
import type { Nearest, VectorScanner } from './vectors/vector-scanner.ts';

export interface VectorQuery {
  vector: Float32Array;
  embedder: EmbedderId;
  cosines: CosineScale;
  /** 0 to 1: how well the embedder knows the question's words. */
  familiarity: number;
  familiarityOf?: Embedder['familiarityOf'];
  weighWords?: Embedder['weighWords'];
}

export interface QueryForms {
  code: Uint32Array;
  rounded: Int16Array;
}

export function formQuery({ vector }: VectorQuery): QueryForms {
  return { code: makeSignCode(vector), rounded: roundQuery(vector) };
}

export interface VectorScoring {
  query: VectorQuery;
  /** The query as it is compared with codes and with rows. */
  forms: QueryForms;
  scanner: VectorScanner;
  /** For each part, 1 where a doc may be found; null: every one. */
  masks: readonly (Uint8Array | null)[];
  /** Scores by words over all docs of the set, and the docs among which the best by words are. */
  text: Float32Array;
  likely: DocLists;
  /** Receives cosines; NOT_COMPARED throughout before. */
  meaning: Float32Array;
  limits: Pick<RankLimits, 'nearest' | 'bestByWords'>;
}

export interface VectorScores {
  /** How many docs have a vector of this embedder, and how the cosines with all of them are spread. */
  compared: number;
  spread: Spread;
  /** The docs that got a cosine. */
  candidates: DocLists;
  /** The score of the last of the best by words: docs that score as much are candidates, where they have a vector. */
  leastText: number;
  /** The best score by words; -Infinity where nothing matches. */
  bestText: number;
}

/** Chooses candidates, the nearest by their sign codes and the best by their words, and re-scores them by their exact cosines. */
export function* scoreVectors(
  parts: readonly SearchPart[],
  scoring: VectorScoring,
): Generator<SearchPart, VectorScores, Body> {
  const { query, limits, likely, text } = scoring;
  const dimensions = query.vector.length;
  const nearest: Nearest = { histogram: new Uint32Array(dimensions + 1), wanted: limits.nearest, limit: dimensions };
  const near: number[][] = [];
  for (const [i, each] of parts.entries()) near.push(scanCodes(each, yield each, { scoring, nearest, i }));
  const compared = sumOf(nearest.histogram);
  const spread = estimateSpread(nearest.histogram);
  if (compared === 0) return { compared, spread, candidates: [], leastText: 0, bestText: 0 };
  const border = findBorder(nearest);
  const { nth: leastText, largest: bestText } = surveyScores({ parts, scores: text }, likely, limits.bestByWords);
  const candidates: Uint32Array[] = [];
  for (const [i, each] of parts.entries()) {
    const docs = chooseDocs({ near: near[i]!, border, likely: likely[i]!, leastText, base: each.base }, scoring);
    candidates.push(yield* compareDocs(each, docs, scoring));
  }
  return { compared, spread, candidates, leastText, bestText };
}

function sumOf(counts: Uint32Array): number {
  let sum = 0;
  for (let i = 0; i < counts.length; i++) sum += counts[i]!;
  return sum;
}

/** Docs that may be among the nearest, each followed by its distance. */
function scanCodes(
  { part }: SearchPart,
  body: Body,
  { scoring, nearest, i }: { scoring: VectorScoring; nearest: Nearest; i: number },
): number[] {
  const vectors = comparable(body, scoring.query);
  if (vectors === null) return [];
  const count = part.columns.docCount;
  const mask = maskVectors(vectors, scoring.masks[i]!, count);
  return scoring.scanner.scan({ query: scoring.forms.code, codes: vectors.codes, count, mask }, nearest);
}

/** Narrowed to docs that have a vector; null where all are to be looked at. */
function maskVectors({ scales, complete }: Vectors, mask: Uint8Array | null, count: number): Uint8Array | null {
  if (complete) return mask;
  const narrowed = new Uint8Array(count);
  for (let doc = 0; doc < count; doc++) narrowed[doc] = scales[doc] === 0 || mask?.[doc] === 0 ? 0 : 1;
  return narrowed;
}

interface Choice {
  near: readonly number[];
  border: number;
  likely: Uint32Array;
  leastText: number;
  base: number;
}

/** Each doc once. The near ones have a mark in `meaning` until their cosines come. */
function chooseDocs({ near, border, likely, leastText, base }: Choice, { text, meaning }: VectorScoring): Uint32Array {
  const chosen = new Uint32Array(near.length / 2 + likely.length);
  let count = 0;
  for (let k = 0; k < near.length; k += 2) {
    if (near[k + 1]! > border) continue;
    chosen[count++] = near[k]!;
    meaning[base + near[k]!] = NEAR;
  }
  for (let k = 0; k < likely.length; k++) {
    const doc = likely[k]!;
    if (text[base + doc]! >= leastText && meaning[base + doc] !== NEAR) chosen[count++] = doc;
  }
  return chosen.slice(0, count);
}

const NEAR = 0;

/** Writes the cosines of those docs that have a vector, and returns these. */
export function* compareDocs(
  each: SearchPart,
  docs: Uint32Array,
  { query, forms, scanner, meaning }: Pick<VectorScoring, 'query' | 'forms' | 'scanner' | 'meaning'>,
): Generator<SearchPart, Uint32Array, Body> {
  const vectors = comparable(yield each, query);
  if (vectors === null) return new Uint32Array(0);
  const known = vectors.complete ? docs : docs.filter((doc) => vectors.scales[doc] !== 0);
  const cosines = measureCosines(scanner, vectors, { query: forms.rounded, docs: known });
  for (let k = 0; k < known.length; k++) meaning[each.base + known[k]!] = cosines[k]!;
  return known;
}

export function comparable({ vectors }: Body, { vector, embedder }: VectorQuery): Vectors | null {
  return vectors !== null && vectors.embedder === embedder && vectors.dimensions === vector.length ? vectors : null;
}
