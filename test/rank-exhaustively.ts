import { listTimeTerms } from '../src/search/add-bonuses.ts';
import { varietyBeside } from '../src/search/mmr.ts';
import type { RankRequest } from '../src/search/rank.ts';
import { RANK_LIMITS } from '../src/search/ranking-steps.ts';
import {
  blendQuality,
  CONTEXT_REACH,
  computeIdf,
  FULL_TRUST,
  fuse,
  MAX_WEIGHT,
  type Neighbours,
  NOT_COMPARED,
  type ScoredQuestion,
  scorePassage,
  scoreWords,
  trustWords,
  weighScore,
} from '../src/search/score.ts';
import { tokenize } from '../src/search/text/tokenize.ts';
import { roundQuery } from '../src/search/vectors/cosines.ts';
import { estimateSpread } from '../src/search/vectors/estimate-spread.ts';
import { hammingDistance, makeSignCode } from '../src/search/vectors/sign-code.ts';

/** A live record as it was stored. */
export interface PlainRecord {
  id: string;
  space: string;
  passages: { text: string; vector: { bytes: Int8Array; scale: number } | null }[];
  /** The conversation and session of a turn, and who speaks. */
  turnOf: string | null;
  speaker: string | null;
  project: string | null;
  createdAt: number;
  updatedAt: number;
  quality: number;
  passesFilter: boolean;
}

export interface ExhaustiveHit {
  id: string;
  space: string;
  ordinal: number;
  score: number;
  text: number;
  meaning: number | null;
}

interface Doc {
  record: PlainRecord;
  ordinal: number;
  words: readonly string[];
  counts: number[];
  text: number;
  /** With the question, whether or not it is a candidate; null without a vector. */
  cosine: number | null;
  distance: number;
  isCandidate: boolean;
  neighbours: Neighbours | null;
}

const STOP_WEIGHT = 0.2;

/** The ranking as score.ts defines it, with no index and nothing left out: every passage is scored, then all are sorted. Knows whole words alone: no phrases, prefixes or misspellings. */
export function rankExhaustively(
  records: readonly PlainRecord[],
  request: RankRequest,
): { hits: ExhaustiveHit[]; total: number } {
  const docs = records.flatMap((record) =>
    record.passages.map(({ text, vector }, ordinal) => readDoc({ record, ordinal, text, vector }, request)),
  );
  const question = describeQuestion(docs, request);
  const isHybrid = docs.some(({ cosine }) => cosine !== null);
  for (const doc of docs) {
    const isScored = doc.record.passesFilter && (request.useText || !isHybrid);
    doc.counts = question.words.map((term) => (isScored ? doc.words.filter((word) => word === term).length : 0));
    doc.text = scoreWords({ counts: doc.counts, length: doc.words.length }, question);
  }
  if (!isHybrid) return choose(docs, ({ text }) => text, request);
  question.spread = estimateSpread(countDistances(docs, request.vector!.vector.length));
  if (!request.without.includes('trust'))
    question.trust = trustWords(Math.max(0, ...docs.map(({ text }) => text)), question.whole);
  markCandidates(docs, request);
  if (!request.without.includes('context')) addNeighbours(docs, question, request);
  const timeTerms = new Set(listTimeTerms().map(({ text }) => text));
  const score = (doc: Doc) =>
    scorePassage(
      {
        ...doc,
        length: doc.words.length,
        cosine: doc.isCandidate ? doc.cosine! : NOT_COMPARED,
        speaker: doc.record.speaker,
        project: doc.record.project,
        namesTime: doc.words.some((word) => timeTerms.has(word)),
      },
      question,
    );
  return choose(docs, score, request);
}

function readDoc(
  {
    record,
    ordinal,
    text,
    vector,
  }: Pick<Doc, 'record' | 'ordinal'> & { text: string } & Pick<PlainRecord['passages'][0], 'vector'>,
  request: RankRequest,
): Doc {
  const doc = { record, ordinal, words: tokenize(text), counts: [], text: 0, isCandidate: false, neighbours: null };
  if (request.vector === null || vector === null || vector.scale === 0 || !record.passesFilter)
    return { ...doc, cosine: null, distance: Infinity };
  const query = roundQuery(request.vector.vector);
  const product = query.reduce((sum, part, i) => sum + part * vector.bytes[i]!, 0);
  const cosine = Math.fround(Math.max(-1, Math.min(1, (product / 32_767) * Math.fround(vector.scale))));
  const code = makeSignCode(request.vector.vector);
  return { ...doc, cosine, distance: hammingDistance(makeSignCode(vector.bytes), 0, code, code.length) };
}

function describeQuestion(
  docs: readonly Doc[],
  request: RankRequest,
): ScoredQuestion & { words: string[]; whole: number } {
  const rarest = computeIdf(docs.length, 0);
  const counted = request.terms.map(({ term, weight }) => {
    const holding = docs.filter(({ words }) => words.includes(term)).length;
    return { term, weight, holding, idf: computeIdf(docs.length, holding), isStopWord: weight <= STOP_WEIGHT };
  });
  const known = counted.filter(({ holding }) => holding > 0);
  const terms = [...known.filter(({ isStopWord }) => !isStopWord), ...known.filter(({ isStopWord }) => isStopWord)];
  let whole = 0;
  for (const { weight, idf } of known) whole += weight * idf;
  for (const { weight, holding } of counted) if (holding === 0) whole += weight * rarest;
  const without = (step: 'speaker' | 'time') => request.without.includes(step);
  return {
    terms,
    words: terms.map(({ term }) => term),
    averageLength: docs.reduce((sum, { words }) => sum + words.length, 0) / docs.length || 1,
    rarest,
    whole,
    trust: FULL_TRUST,
    weights: request.weights,
    spread: { mean: 0, deviation: 1 },
    speaker: without('speaker') ? null : request.speaker,
    project: without('speaker') ? null : request.project,
    asksForTime: request.asksForTime && !without('time'),
  };
}

function countDistances(docs: readonly Doc[], dimensions: number): Uint32Array {
  const histogram = new Uint32Array(dimensions + 1);
  for (const { cosine, distance } of docs) if (cosine !== null) histogram[distance]!++;
  return histogram;
}

function nthLargest(values: readonly number[], n: number): number {
  return values.toSorted((a, b) => b - a)[n - 1] ?? -Infinity;
}

function markCandidates(docs: readonly Doc[], { limits = RANK_LIMITS }: RankRequest): void {
  const compared = docs.filter(({ cosine }) => cosine !== null);
  const farthest = -nthLargest(
    compared.map(({ distance }) => -distance),
    limits.nearest,
  );
  const matching = docs.filter(({ text }) => text > 0).map(({ text }) => text);
  const leastText = nthLargest(matching, limits.bestByWords);
  for (const doc of compared) doc.isCandidate = doc.distance <= farthest || (doc.text > 0 && doc.text >= leastText);
}

function addNeighbours(docs: readonly Doc[], question: ScoredQuestion, { limits = RANK_LIMITS }: RankRequest): void {
  const fused = ({ text, cosine, isCandidate }: Doc) =>
    Math.fround(fuse(text, isCandidate ? cosine! : NOT_COMPARED, question));
  const least = nthLargest(docs.map(fused), limits.lenders);
  const lenders = new Set(docs.filter((doc) => fused(doc) > 0 && fused(doc) >= least).map(({ record }) => record));
  const all = [...new Set(docs.map(({ record }) => record))];
  const turns = Map.groupBy(
    all.filter(({ turnOf }) => turnOf !== null),
    ({ space, turnOf }) => `${space} ${turnOf}`,
  );
  const docsOf = Map.groupBy(docs, ({ record }) => record);
  const gaining: { record: PlainRecord; before: PlainRecord[]; after: PlainRecord[] }[] = [];
  for (const list of turns.values()) {
    const sorted = list.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    for (const [i, record] of sorted.entries()) {
      const before = sorted.slice(Math.max(0, i - CONTEXT_REACH), i).reverse();
      const after = sorted.slice(i + 1, i + 1 + CONTEXT_REACH);
      if ([record, ...before, ...after].some((each) => lenders.has(each))) gaining.push({ record, before, after });
    }
  }
  for (const { record } of gaining)
    for (const doc of docsOf.get(record)!) if (fused(doc) === 0 && doc.cosine !== null) doc.isCandidate = true;
  const scoreOf = (record: PlainRecord | undefined) =>
    record === undefined ? 0 : Math.max(...docsOf.get(record)!.map(fused));
  const steps = Array.from({ length: CONTEXT_REACH }, (_, i) => i);
  for (const { record, before, after } of gaining) {
    const own = docsOf.get(record)!;
    own.reduce((best, doc) => (fused(doc) > fused(best) ? doc : best)).neighbours = {
      before: steps.map((step) => scoreOf(before[step])),
      after: steps.map((step) => scoreOf(after[step])),
      words: own.reduce((sum, { words }) => sum + words.length, 0),
    };
  }
}

/** The best passage of each record, weighted and sorted, and where there are vectors ordered by MMR. */
function choose(
  docs: readonly Doc[],
  scoreOf: (doc: Doc) => number,
  { qualityBoost, now, keep, without, vector, limits = RANK_LIMITS }: RankRequest,
): { hits: ExhaustiveHit[]; total: number } {
  const scored = docs.map((doc) => ({ doc, own: scoreOf(doc) })).filter(({ own }) => own > 0);
  const highest = Math.max(...scored.map(({ own }) => own)) * MAX_WEIGHT;
  const best = [...Map.groupBy(scored, ({ doc }) => doc.record)].map(([record, list]) => {
    const { doc, own } = list.reduce((best, each) => (each.own > best.own ? each : best));
    const relevance = weighScore(own, record, now);
    const score = qualityBoost === 0 ? relevance : blendQuality(relevance / highest, record.quality, qualityBoost);
    return { doc, score, relevance };
  });
  best.sort(
    (a, b) =>
      b.score - a.score ||
      b.relevance - a.relevance ||
      b.doc.record.createdAt - a.doc.record.createdAt ||
      (a.doc.record.id < b.doc.record.id ? 1 : -1),
  );
  const isVaried = vector !== null && docs.some(({ cosine }) => cosine !== null) && !without.includes('variety');
  const ordered = isVaried ? orderByMmr(best, limits.reranked) : best;
  const hits = ordered.slice(0, keep).map(({ doc, score }) => ({
    id: doc.record.id,
    space: doc.record.space,
    ordinal: doc.ordinal,
    score,
    text: doc.text,
    meaning: doc.isCandidate ? doc.cosine : null,
  }));
  return { hits, total: best.length };
}

function orderByMmr<T extends { doc: Doc; score: number }>(best: readonly T[], reranked: number): T[] {
  const left = best.slice(0, reranked);
  const chosen: { each: T; score: number }[] = [];
  while (left.length > 0) {
    const scores = left.map((each) =>
      Math.min(each.score, ...chosen.map((other) => each.score * varietyBeside(cosineOf(other.each.doc, each.doc)))),
    );
    const first = scores.indexOf(Math.max(...scores));
    chosen.push({ each: left.splice(first, 1)[0]!, score: scores[first]! });
  }
  const lowest = chosen.at(-1)?.score ?? 0;
  const rest = best.slice(reranked).map((each) => ({ each, score: Math.min(lowest, each.score) }));
  return [...chosen, ...rest].map(({ each, score }) => ({ ...each, score }));
}

function cosineOf(a: Doc, b: Doc): number {
  const [one, other] = [a, b].map(({ record, ordinal }) => record.passages[ordinal]!.vector);
  if (!one || !other || one.scale === 0 || other.scale === 0) return 0;
  return (
    one.bytes.reduce((sum, part, i) => sum + part * other.bytes[i]!, 0) *
    Math.fround(one.scale) *
    Math.fround(other.scale)
  );
}
