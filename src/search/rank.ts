import type { Instant } from '../model/ids.ts';
import { planBm25 } from './bm25.ts';
import type { Candidate } from './choose-best.ts';
import { type IndexFilter, maskRecords, spreadToDocs } from './filter-mask.ts';
import type { Body, Part } from './index/part.ts';
import type { CosineScale } from './ports.ts';
import { rankByWords } from './rank-by-words.ts';
import { rankHybrid } from './rank-hybrid.ts';
import type { RankingStep, RankLimits } from './ranking-steps.ts';
import { resolveTerms, type TextPlan } from './resolve-terms.ts';
import { NOT_COMPARED, qualityWeight, recencyWeight, type Spread, type Weights } from './score.ts';
import type { VectorQuery } from './score-vectors.ts';
import type { Scratch } from './scratch.ts';
import type { SearchPart, SearchSet } from './search-set.ts';
import type { QueryTerm } from './text/parse-query.ts';

export interface RankRequest {
  terms: readonly QueryTerm[];
  /** Words that a doc must hold, all of them. */
  required: readonly string[];
  /** null: words alone. */
  vector: VectorQuery | null;
  /** false: meaning alone, where there is any. */
  useText: boolean;
  /** The one speaker whom the question is about. */
  speaker: string | null;
  /** The one project whom the question is about. */
  project: string | null;
  asksForTime: boolean;
  without: readonly RankingStep[];
  weights: Weights;
  filter: IndexFilter;
  qualityBoost: number;
  now: Instant;
  /** How many of the best to name. */
  keep: number;
  /** RANK_LIMITS where absent. */
  limits?: RankLimits;
}

export interface Ranked extends Candidate {
  text: number;
  meaning: number | null;
  weights: { recency: number; quality: number; variety?: number };
}

export interface Ranking {
  /** Best first. */
  best: Ranked[];
  /** Records that matched at all. */
  total: number;
  plan: TextPlan;
  /** Docs that pass the filter. */
  passed: number;
  searchedBy: 'text' | 'meaning' | 'text+meaning';
  /** Docs that pass the filter and whose meaning could be compared. */
  compared: number;
  /** How to read the cosines; null: meaning took no part. */
  cosines: CosineScale | null;
  /** Of the question's cosines with everything searched; null like `cosines`. */
  spread: Spread | null;
  /** How well the embedder knows the question's words; 0 like without one. */
  familiarity: number;
  /** The same of other words; null: nobody can tell. */
  familiarityOf: ((text: string) => number) | null;
  /** The one speaker whom the question is about. */
  speaker: string | null;
  /** How much each word says; null: nobody can tell. */
  weighWords: ((words: readonly string[]) => number[]) | null;
}

/** Names the records with the best scores (score.ts). Asks for the words and vectors of one part after the other. */
export function* rank(set: SearchSet, request: RankRequest, scratch: Scratch): Generator<SearchPart, Ranking, Body> {
  const { parts, docCount } = set;
  const masks = parts.map(({ part }) => maskDocs(part, request));
  const passed = parts.reduce((sum, { part }, i) => sum + countPassed(masks[i]!, part.columns.docCount), 0);
  const plan = yield* resolveTerms(parts, request.terms);
  const text = scratch.take('text', docCount);
  const bm25 = planBm25(plan, {
    parts,
    masks,
    text,
    list: scratch.takeList(docCount + 1),
    required: request.required,
  });
  const { vector } = request;
  const hybrid = vector === null ? null : yield* rankHybrid(bm25, { ...request, vector, plan }, scratch);
  if (hybrid === null || vector === null) {
    const { best, total } = yield* rankByWords(bm25, request);
    const ranked = best.map((each) => explain(each, { text, meaning: NOTHING, now: request.now }));
    return {
      best: ranked,
      total,
      plan,
      passed,
      searchedBy: 'text',
      compared: 0,
      cosines: null,
      spread: null,
      familiarity: 0,
      familiarityOf: null,
      speaker: request.speaker,
      weighWords: null,
    };
  }
  const { best, total, compared, meaning, spread } = hybrid;
  return {
    best: best.map((each) => explain(each, { text, meaning, now: request.now })),
    total,
    plan,
    passed,
    searchedBy: request.useText ? 'text+meaning' : 'meaning',
    compared,
    cosines: vector.cosines,
    spread,
    familiarity: vector.familiarity,
    familiarityOf: vector.familiarityOf ?? null,
    speaker: request.speaker,
    weighWords: vector.weighWords ?? null,
  };
}

const NOTHING = new Float32Array(0);

function maskDocs(part: Part, { filter, now }: RankRequest): Uint8Array | null {
  const records = maskRecords(part, filter, now);
  return records === null ? null : spreadToDocs(part.columns, records);
}

function countPassed(mask: Uint8Array | null, docCount: number): number {
  if (mask === null) return docCount;
  let passed = 0;
  for (let doc = 0; doc < mask.length; doc++) passed += mask[doc]!;
  return passed;
}

/** Taken at once: the arrays are used again by the next search. */
function explain(
  found: Candidate,
  { text, meaning, now }: { text: Float32Array; meaning: Float32Array; now: Instant },
): Ranked {
  const { updatedAt, quality } = found.part.part.columns;
  const at = found.part.base + found.doc;
  const cosine = meaning[at] ?? NOT_COMPARED;
  return {
    ...found,
    text: text[at]!,
    meaning: cosine === NOT_COMPARED ? null : cosine,
    weights: {
      recency: recencyWeight(updatedAt[found.record]!, now),
      quality: qualityWeight(quality[found.record]!),
      ...(found.variety === undefined ? {} : { variety: found.variety }),
    },
  };
}
