import { addProjectBonus, addSpeakerBonus, addTimeBonus } from './add-bonuses.ts';
import { addContext, type Context } from './add-context.ts';
import { addStopWords, addStopWordsTo, type Bm25, scoreKeywords } from './bm25.ts';
import { boundWeights, type WeightBounds } from './bound-weights.ts';
import { type Candidate, chooseBest, hopelessShare } from './choose-best.ts';
import { countRecords } from './count-records.ts';
import { type DocLists, joinDocs, listLargest, nthRecordScore, surveyScores } from './doc-lists.ts';
import type { Body } from './index/part.ts';
import { compareVectors, rerankByMmr } from './mmr.ts';
import { addStopWordsToBest, type Pruned, reachOfStopWords } from './prune-stop-words.ts';
import type { RankRequest } from './rank.ts';
import { MAX_PRUNED } from './rank-by-words.ts';
import { MEANING_LIMITS, RANK_LIMITS, type RankLimits } from './ranking-steps.ts';
import type { TextPlan } from './resolve-terms.ts';
import {
  computeIdf,
  FULL_TRUST,
  type Fusion,
  fuse,
  NOT_COMPARED,
  type Spread,
  trustWords,
  type WordTrust,
} from './score.ts';
import {
  comparable,
  compareDocs,
  formQuery,
  scoreVectors,
  type VectorQuery,
  type VectorScoring,
} from './score-vectors.ts';
import type { Scratch } from './scratch.ts';
import type { SearchPart } from './search-set.ts';
import { listTurns } from './turns.ts';

interface HybridRequest extends RankRequest {
  vector: VectorQuery;
  plan: TextPlan;
}

export interface HybridRanking {
  best: Candidate[];
  total: number;
  compared: number;
  meaning: Float32Array;
  spread: Spread;
}

/** By words and meaning, or by meaning alone. null where nothing has a vector that could be compared. */
export function* rankHybrid(
  bm25: Bm25,
  request: HybridRequest,
  scratch: Scratch,
): Generator<SearchPart, HybridRanking | null, Body> {
  const { parts, text, masks } = bm25;
  const { vector, useText, plan, limits = useText ? RANK_LIMITS : MEANING_LIMITS } = request;
  if (useText || request.required.length > 0) yield* scoreKeywords(bm25);
  const { likely, from } = yield* addLikelyStopWords(bm25, request, limits);
  const meaning = scratch.take('meaning', text.length, NOT_COMPARED);
  const scanner = scratch.scanner(vector.vector.length);
  const scoring = { query: vector, forms: formQuery(vector), scanner, masks, text, likely, meaning, limits };
  const { compared, spread, candidates, leastText, bestText } = yield* scoreVectors(parts, scoring);
  if (compared === 0) {
    text.fill(0);
    return null;
  }
  const rarest = computeIdf(plan.docCount, 0);
  const trust = request.without.includes('trust') ? FULL_TRUST : trustPlan(plan, rarest, bestText);
  const fusion = { spread, rarest, trust, weights: request.weights };
  const scores = scratch.take('fused', text.length);
  const hybrid: Hybrid = { bm25, request, limits, scoring, fusion, scores, bounds: boundWeights(parts, request.now) };
  const scored = yield* fuseMatches(hybrid, { from, candidates, leastText });
  if (scored !== null) {
    const written = parts.map(({ base }, i) => ({ base, docs: scored[i]! }));
    scratch.wroteOnly('meaning', written);
    scratch.wroteOnly('fused', written);
  }
  if (!request.without.includes('context'))
    yield* addContext(parts, { scores, ...limits, scoreMore: scoreMore(hybrid) });
  if (request.speaker !== null && !request.without.includes('speaker')) addSpeakerBonus(parts, request.speaker, scores);
  if (request.project !== null && !request.without.includes('speaker')) addProjectBonus(parts, request.project, scores);
  if (request.asksForTime && !request.without.includes('time')) yield* addTimeBonus(parts, scores);
  return {
    best: yield* chooseVaried(hybrid, { candidates, scored }),
    total: countMatching(hybrid, candidates),
    compared,
    meaning,
    spread,
  };
}

interface Hybrid {
  bm25: Bm25;
  request: HybridRequest;
  limits: RankLimits;
  scoring: VectorScoring;
  fusion: Fusion;
  scores: Float32Array;
  bounds: WeightBounds;
}

/** What a passage of average length that holds every word once would score is the whole question. */
function trustPlan({ terms, missing }: TextPlan, rarest: number, best: number): WordTrust {
  // Terms that stand for one word of the query follow each other.
  let whole = 0;
  for (let i = 0; i < terms.length; ) {
    const { query } = terms[i]!;
    let rarity = 0;
    for (; terms[i]?.query === query; i++) rarity = Math.max(rarity, terms[i]!.idf);
    whole += query.weight * rarity;
  }
  for (const query of missing) whole += query.weight * rarest;
  return trustWords(Math.max(0, best), whole);
}

function* addLikelyStopWords(
  bm25: Bm25,
  request: HybridRequest,
  { bestByWords, pruneFrom, reranked }: RankLimits,
): Generator<SearchPart, Pruned, Body> {
  const { matches, stopWords } = bm25;
  if (!request.useText) return { likely: matches, from: 0 };
  const matching = matches.reduce((sum, docs) => sum + docs.length, 0);
  if (stopWords.length > 0 && matching >= pruneFrom && allowsPruning(bm25, request, reranked)) {
    const words = { parts: bm25.parts, scores: bm25.text };
    const { nth, listed } = listLargest(words, matches, { n: bestByWords, margin: reachOfStopWords(bm25) });
    const needed = (docs: DocLists) => surveyScores(words, docs, bestByWords).nth;
    return yield* addStopWordsToBest(bm25, { byKeywords: nth, among: listed, needed });
  }
  yield* addStopWords(bm25);
  return { likely: matches, from: 0 };
}

/**
 * What stands around a passage, who says it and the times it names can lift any doc, and so can the wish for quality. Where words count for nothing,
 * a doc that has only them is no match.
 */
function allowsPruning({ parts }: Bm25, request: HybridRequest, reranked: number): boolean {
  const { useText, keep, qualityBoost, speaker, project, asksForTime, weights, without } = request;
  const canLift = qualityBoost > 0 || speaker !== null || project !== null || asksForTime;
  if (!useText || canLift || keep > reranked || weights.words <= 0 || without.includes('variety')) return false;
  return parts.every(({ part }) => part.body !== null && listTurns(part) === null);
}

interface Found extends Pick<Pruned, 'from'> {
  candidates: DocLists;
  leastText: number;
}

/**
 * Fuses all that words or meaning found. Where none of the docs that are no candidates can be among the best, they are left out. Returns the docs that then have a
 * score; null: nobody has listed them.
 */
function* fuseMatches(
  hybrid: Hybrid,
  { from, candidates, leastText }: Found,
): Generator<SearchPart, DocLists | null, Body> {
  const { bm25, limits, scoring, fusion, scores, bounds } = hybrid;
  const { parts, text, matches } = bm25;
  const lacking = (docs: DocLists, isCompared: boolean) =>
    parts.map(({ base }, i) =>
      docs[i]!.filter((doc) => {
        const at = base + doc;
        return text[at]! > 0 && text[at]! < from && (scoring.meaning[at] !== NOT_COMPARED) === isCompared;
      }).sort(),
    );
  if (from > 0) yield* addStopWordsTo(bm25, lacking(candidates, true));
  fuseDocs(hybrid, candidates);
  const best = fuse(leastText, NOT_COMPARED, fusion);
  const isHopeless = best < nthRecordScore({ parts, scores }, candidates, limits.reranked) * hopelessShare(bounds);
  if (from > 0 && !isHopeless) yield* addStopWordsTo(bm25, lacking(matches, false));
  if (isHopeless && allowsPruning(bm25, hybrid.request, limits.reranked))
    return fuseLikely(hybrid, candidates, leastText);
  fuseDocs(hybrid, matches);
  return null;
}

function fuseDocs({ bm25, request, scoring, fusion, scores }: Hybrid, docs: DocLists): void {
  const { parts, text } = bm25;
  const { meaning } = scoring;
  for (const [i, { base }] of parts.entries()) {
    const own = docs[i]!;
    for (let k = 0; k < own.length; k++) {
      const at = base + own[k]!;
      scores[at] = fuse(request.useText ? text[at]! : 0, meaning[at]!, fusion);
    }
  }
}

/** More than nothing and less than any score: it is counted, and never chosen. */
const LEFT_OUT = 1e-20;

/**
 * Of what matches and is no candidate, those few that are as good by their words as candidates are: they have no vector. They are among the likely ones, but where all
 * that match have to be marked; a part in which nothing lacks its vector has none of them.
 */
function fuseLikely(hybrid: Hybrid, candidates: DocLists, leastText: number): DocLists | null {
  const { bm25, scoring, fusion, scores } = hybrid;
  const { parts, text, matches } = bm25;
  const isMarked = !countsByLists(hybrid);
  const others = parts.map(({ part, base }, i) => {
    if (!isMarked && part.body !== null && comparable(part.body, scoring.query)?.complete === true) return NO_DOCS;
    const own = (isMarked ? matches : scoring.likely)[i]!;
    const fused: number[] = [];
    for (let k = 0; k < own.length; k++) {
      const at = base + own[k]!;
      if (scores[at] !== 0) continue;
      if (text[at]! >= leastText) {
        scores[at] = fuse(text[at]!, NOT_COMPARED, fusion);
        fused.push(own[k]!);
      } else if (isMarked) scores[at] = LEFT_OUT;
    }
    return Uint32Array.from(fused);
  });
  return isMarked ? null : joinDocs(candidates, others);
}

/** For turns beside the best ones that were no candidates. */
function scoreMore(hybrid: Hybrid): Context['scoreMore'] {
  const { parts, masks } = hybrid.bm25;
  return function* (part, docs) {
    const mask = masks[parts.indexOf(part)] ?? null;
    const allowed = mask === null ? docs : docs.filter((doc) => mask[doc] !== 0);
    yield* compareDocs(part, allowed, hybrid.scoring);
    fuseDocs(
      hybrid,
      parts.map((each) => (each === part ? allowed : NO_DOCS)),
    );
  };
}

const NO_DOCS = new Uint32Array(0);

/** Where nothing lends a score to others, those that match are the docs with words and the candidates beside them. */
function countsByLists({ bm25, request }: Hybrid): boolean {
  if (!request.useText || request.weights.words <= 0) return false;
  return bm25.parts.every(({ part }) => part.columns.singlePassages && listTurns(part) === null);
}

function countMatching(hybrid: Hybrid, candidates: DocLists): number {
  const { bm25, scores } = hybrid;
  const { parts, text, matches } = bm25;
  if (!countsByLists(hybrid)) return countRecords(parts, scores);
  let count = 0;
  for (let i = 0; i < parts.length; i++) {
    const { base } = parts[i]!;
    const own = candidates[i]!;
    count += matches[i]!.length;
    for (let k = 0; k < own.length; k++) if (text[base + own[k]!] === 0) count++;
  }
  return count;
}

/** The best are likely to be among the candidates. Where those that have a score are listed, no others are looked at. */
function* chooseVaried(
  { bm25, request, limits, scoring, scores, bounds }: Hybrid,
  { candidates, scored }: { candidates: DocLists; scored: DocLists | null },
): Generator<SearchPart, Candidate[], Body> {
  const { parts } = bm25;
  if (request.without.includes('variety')) return chooseBest({ parts, scores, request });
  const { reranked } = limits;
  const keep = Math.max(request.keep, reranked);
  const floor = request.keep > MAX_PRUNED ? 0 : nthRecordScore({ parts, scores }, candidates, keep);
  const among = scored ?? undefined;
  const best = chooseBest({ parts, scores, request: { ...request, keep } }, { among, floor, bounds });
  const likeness = yield* compareVectors(best.slice(0, reranked), request.vector, scoring.scanner);
  return rerankByMmr(best, { keep: request.keep, reranked }, likeness);
}
