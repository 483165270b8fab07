import type { RecordFilter } from '../../model/filter.ts';
import type { Instant } from '../../model/ids.ts';
import { maskRecords, spreadToDocs } from './filter-mask.ts';
import { fuse } from './fuse.ts';
import type { Columns } from './index/columns.ts';
import type { Body } from './index/part.ts';
import { maskPhraseWords } from './phrase-words.ts';
import { resolveTerms, type TextPlan } from './resolve-terms.ts';
import { makeSaturation, type Saturation, scoreText } from './score-text.ts';
import { NO_MEANING, scoreVectors, type VectorQuery } from './score-vectors.ts';
import type { Scratch } from './scratch.ts';
import type { SearchPart, SearchSet } from './search-set.ts';
import type { QueryTerm } from './text/parse-query.ts';
import { type Contender, createTopRecords, type TopRecords } from './top-records.ts';
import { blendQuality, MAX_WEIGHT, weighQuality, weighRecency } from './weigh.ts';

export interface RankRequest {
  terms: readonly QueryTerm[];
  /** Words that a doc must hold, all of them. */
  required: readonly string[];
  /** null: words alone. */
  vector: VectorQuery | null;
  /** false: meaning alone, where there is any. */
  useText: boolean;
  filter: RecordFilter;
  qualityBoost: number;
  now: Instant;
  /** How many of the best to name. */
  keep: number;
}

export interface Ranked extends Contender {
  text: number;
  meaning: number | null;
  weights: { recency: number; quality: number };
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
}

/** Scores every doc that passes the filter and names the best records. Asks for the words and vectors of one part after the other. */
export function* rank(set: SearchSet, request: RankRequest, scratch: Scratch): Generator<SearchPart, Ranking, Body> {
  const { parts, docCount } = set;
  const { filter, now, vector } = request;
  const masks = parts.map(({ part }) => {
    const records = maskRecords(part, filter, now);
    return records === null ? null : spreadToDocs(part.columns, records);
  });
  const passed = parts.reduce((sum, { part }, i) => sum + countPassed(masks[i]!, part.columns.docCount), 0);
  const plan = yield* resolveTerms(parts, request.terms);
  const text = scratch.take('text', docCount);
  const maxLength = parts.reduce((longest, { part }) => Math.max(longest, part.columns.maxLength), 0);
  const scoring = { masks, text, plan, saturation: makeSaturation(plan.averageLength, maxLength), required: request.required };
  if (request.useText || vector === null || request.required.length > 0) yield* scoreAllText(parts, scoring);
  const meaning = scratch.take('meaning', vector === null ? 0 : docCount);
  const compared = vector === null ? 0 : yield* scoreVectors(parts, { query: vector, masks: scoring.masks, text, meaning });
  const byText = request.useText || compared === 0;
  if (byText && !request.useText) yield* scoreAllText(parts, scoring);
  const scores = compared === 0 ? text : scratch.take('fused', docCount);
  if (compared > 0) fuse(byText ? text : null, meaning, scores);
  const { top, total } = chooseBest(parts, scores, request);
  const best = top.list().map((each) => explain(each, { text, meaning, now }));
  return { best, total, plan, passed, searchedBy: compared === 0 ? 'text' : byText ? 'text+meaning' : 'meaning', compared };
}

function countPassed(mask: Uint8Array | null, docCount: number): number {
  if (mask === null) return docCount;
  let passed = 0;
  for (let doc = 0; doc < mask.length; doc++) passed += mask[doc]!;
  return passed;
}

interface AllText {
  masks: (Uint8Array | null)[];
  text: Float32Array;
  plan: TextPlan;
  saturation: Saturation;
  required: readonly string[];
}

function* scoreAllText(parts: readonly SearchPart[], { masks, text, plan, saturation, required }: AllText): Generator<SearchPart, void, Body> {
  text.fill(0);
  for (const [i, each] of parts.entries()) {
    const { part, base } = each;
    const body = yield each;
    const scores = text.subarray(base, base + part.columns.docCount);
    scoreText(part, body, { terms: plan.terms, saturation, scores });
    if (required.length > 0) masks[i] = maskPhraseWords(part, body, { required, mask: masks[i]! });
    const mask = masks[i]!;
    if (mask !== null) for (let doc = 0; doc < scores.length; doc++) if (mask[doc] === 0) scores[doc] = 0;
  }
}

/** The best doc of each record, weighed, into the heap. */
function chooseBest(parts: readonly SearchPart[], scores: Float32Array, request: RankRequest): { top: TopRecords; total: number } {
  const top = createTopRecords(request.keep);
  const highest = request.qualityBoost === 0 ? 1 : highestOf(scores) * MAX_WEIGHT;
  let total = 0;
  for (const part of parts) {
    const { columns } = part.part;
    const { docStart, docRecord, docCount } = columns;
    const own = scores.subarray(part.base, part.base + docCount);
    total += countMatching(columns, own);
    let least = leastScore(top, request);
    for (let doc = 0; doc < docCount; doc++) {
      if (own[doc]! < least || own[doc]! <= 0) continue;
      const record = docRecord[doc]!;
      const end = docStart[record + 1]!;
      const best = bestOf(own, doc, end);
      offer(top, { part, record, doc: best, score: own[best]! }, request, highest);
      least = leastScore(top, request);
      doc = end - 1;
    }
  }
  return { top, total };
}

/** Records with a doc that scores. Apart from the choice above, since most docs fail there at the first comparison. */
function countMatching({ docRecord, docCount }: Columns, scores: Float32Array): number {
  let matching = 0;
  let last = -1;
  for (let doc = 0; doc < docCount; doc++) {
    const isNew = scores[doc]! > 0 && docRecord[doc] !== last ? 1 : 0;
    matching += isNew;
    if (isNew === 1) last = docRecord[doc]!;
  }
  return matching;
}

/** Below this no weighing can help a doc in. Docs of a record before one that reaches it were below it, so looking onwards finds the best. */
function leastScore(top: TopRecords, { qualityBoost }: RankRequest): number {
  return qualityBoost > 0 ? -Infinity : top.least / MAX_WEIGHT;
}

function bestOf(scores: Float32Array, start: number, end: number): number {
  let best = start;
  for (let doc = start + 1; doc < end; doc++) if (scores[doc]! > scores[best]!) best = doc;
  return best;
}

function offer(top: TopRecords, found: Omit<Contender, 'relevance'>, { now, qualityBoost }: RankRequest, highest: number): void {
  const { updatedAt, quality } = found.part.part.columns;
  const judged = quality[found.record]!;
  const relevance = found.score * weighRecency(updatedAt[found.record]!, now) * weighQuality(judged);
  const score = qualityBoost === 0 ? relevance : blendQuality(relevance / highest, judged, qualityBoost);
  top.offer({ ...found, score, relevance });
}

function highestOf(scores: Float32Array): number {
  let highest = 0;
  for (let doc = 0; doc < scores.length; doc++) if (scores[doc]! > highest) highest = scores[doc]!;
  return highest;
}

/** Taken at once: the arrays are used again by the next search. */
function explain(found: Contender, { text, meaning, now }: { text: Float32Array; meaning: Float32Array; now: Instant }): Ranked {
  const { updatedAt, quality } = found.part.part.columns;
  const at = found.part.base + found.doc;
  const cosine = meaning[at] ?? NO_MEANING;
  return {
    ...found,
    text: text[at]!,
    meaning: cosine > NO_MEANING ? cosine : null,
    weights: { recency: weighRecency(updatedAt[found.record]!, now), quality: weighQuality(quality[found.record]!) },
  };
}
