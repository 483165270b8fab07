import type { Instant } from '../../model/ids.ts';
import type { CosineScale } from '../ports.ts';
import { addContext } from './add-context.ts';
import { type Contest, chooseBest } from './choose-best.ts';
import { joinDocs, leastOfBest, selectDocs } from './contenders.ts';
import { countMatches, countMatching } from './count-matching.ts';
import { favourSpeaker } from './favour-speaker.ts';
import { favourTimes } from './favour-times.ts';
import { type IndexFilter, maskRecords, spreadToDocs } from './filter-mask.ts';
import { fuseDoc, type Legs, type Weights } from './fuse.ts';
import type { Body, Part } from './index/part.ts';
import { leaveOutHopeless, type Support, supportFound, supportLikely, supportOthers } from './prune-support.ts';
import type { RankingPart } from './ranking-parts.ts';
import { computeIdf, resolveTerms, type TextPlan } from './resolve-terms.ts';
import {
  addSupport,
  addSupportTo,
  greatestSupport,
  planTextPass,
  scoreDeciding,
  type TextPass,
} from './score-all-text.ts';
import { NO_MEANING, scoreMoreVectors, scoreVectors, type VectorQuery, type VectorScoring } from './score-vectors.ts';
import type { Scratch } from './scratch.ts';
import type { SearchPart, SearchSet } from './search-set.ts';
import type { QueryTerm } from './text/parse-query.ts';
import type { Contender } from './top-records.ts';
import { FULL_TRUST, trustWords } from './trust-words.ts';
import { compareHits, VARIED, varyHits } from './vary-hits.ts';
import { MAX_WEIGHT, weighQuality, weighRecency } from './weigh.ts';

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
  asksForTime: boolean;
  without: readonly RankingPart[];
  weights: Weights;
  filter: IndexFilter;
  qualityBoost: number;
  now: Instant;
  /** How many of the best to name. */
  keep: number;
}

export interface Ranked extends Contender {
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
}

/** Scores every doc that passes the filter and names the best records. Asks for the words and vectors of one part after the other. */
export function* rank(set: SearchSet, request: RankRequest, scratch: Scratch): Generator<SearchPart, Ranking, Body> {
  const { parts, docCount } = set;
  const { vector, useText, required } = request;
  const masks = parts.map(({ part }) => maskDocs(part, request));
  const passed = parts.reduce((sum, { part }, i) => sum + countPassed(masks[i]!, part.columns.docCount), 0);
  const plan = yield* resolveTerms(parts, request.terms);
  const pass = planTextPass(plan, {
    parts,
    masks,
    text: scratch.take('text', docCount),
    list: scratch.takeList(docCount + 1),
    required,
  });
  if (vector === null)
    return { ...(yield* rankByText(pass, request)), plan, passed, searchedBy: 'text', compared: 0, cosines: null };
  const { text } = pass;
  const meaning = scratch.take('meaning', docCount, NO_MEANING);
  if (useText || required.length > 0) yield* scoreDeciding(pass);
  const support = useText ? yield* supportLikely(pass, request) : { likely: pass.matches, from: 0 };
  const scanner = scratch.scanner(vector.vector.length);
  const scoring = { query: vector, scanner, masks, text, matches: support.likely, meaning };
  const { compared, spread, docs, leastText } = yield* scoreVectors(parts, scoring);
  if (compared === 0)
    return {
      ...(yield* rankByText({ ...pass, text: text.fill(0) }, request)),
      plan,
      passed,
      searchedBy: 'text',
      compared,
      cosines: null,
    };
  yield* supportFound(pass, docs, support.from);
  const scores = scratch.take('fused', docCount);
  yield* joinLegs(
    {
      pass,
      support,
      leastText,
      found: docs,
      request,
      scoring,
      legs: {
        text: useText ? text : null,
        meaning,
        spread,
        rarest: computeIdf(plan.docCount, 0),
        trust: request.without.includes('trust')
          ? FULL_TRUST
          : trustWords(plan, text, listMatches(parts, support.likely)),
        weights: request.weights,
      },
    },
    scores,
  );
  const chosen = yield* chooseVaried({ parts, scores, request }, vector, docs);
  const best = chosen.map((each) => explain(each, { text, meaning, now: request.now }));
  return {
    best,
    total: countMatching(parts, scores),
    plan,
    passed,
    searchedBy: useText ? 'text+meaning' : 'meaning',
    compared,
    cosines: vector.cosines,
  };
}

/** `found` are docs among which the best are likely to be. */
function* chooseVaried(
  contest: Contest & { request: RankRequest },
  vector: VectorQuery,
  found: readonly Uint32Array[],
): Generator<SearchPart, Contender[], Body> {
  const { request } = contest;
  if (request.without.includes('variety')) return chooseBest(contest);
  const wider = { ...contest, request: { ...request, keep: Math.max(request.keep, VARIED) } };
  const best = chooseBest(wider, undefined, request.keep > MAX_PRUNED ? 0 : leastOfBest(wider, found));
  return varyHits(best, request.keep, yield* compareHits(best, vector));
}

function listMatches(parts: readonly SearchPart[], matches: readonly Uint32Array[]) {
  return parts.map(({ base }, i) => ({ base, docs: matches[i]! }));
}

interface Joining {
  pass: TextPass;
  support: Support;
  leastText: number;
  /** For each part the docs whose meaning was compared. */
  found: readonly Uint32Array[];
  request: RankRequest;
  scoring: VectorScoring;
  legs: Legs;
}

/** Words and meaning together, then what stands around a passage, who says it, and whether it answers a question for a time. */
function* joinLegs(joining: Joining, scores: Float32Array): Generator<SearchPart, void, Body> {
  const { pass, request, scoring, legs } = joining;
  const { parts } = pass;
  yield* fuseLegs(joining, scores);
  if (!request.without.includes('context'))
    yield* addContext(parts, {
      scores,
      *scoreMore(part, docs) {
        const mask = scoring.masks[parts.indexOf(part)] ?? null;
        const allowed = mask === null ? docs : docs.filter((doc) => mask[doc] !== 0);
        yield* scoreMoreVectors(part, allowed, scoring);
        for (const doc of allowed) scores[part.base + doc] = fuseDoc(legs, part.base + doc);
      },
    });
  if (request.speaker !== null && !request.without.includes('speaker')) favourSpeaker(parts, request.speaker, scores);
  if (request.asksForTime && !request.without.includes('time')) yield* favourTimes(parts, scores);
}

/** Whatever neither words nor meaning found stays at 0. */
function* fuseLegs(joining: Joining, scores: Float32Array): Generator<SearchPart, void, Body> {
  const { pass, support, found, legs } = joining;
  fuseDocs(pass.parts, found, { legs, scores });
  if (support.from > 0) {
    if (leaveOutHopeless(joining, scores)) return;
    yield* supportOthers(joining);
  }
  fuseDocs(pass.parts, pass.matches, { legs, scores });
}

function fuseDocs(
  parts: readonly SearchPart[],
  docs: readonly Uint32Array[],
  { legs, scores }: { legs: Legs; scores: Float32Array },
): void {
  for (const [i, { base }] of parts.entries()) {
    const own = docs[i]!;
    for (let k = 0; k < own.length; k++) scores[base + own[k]!] = fuseDoc(legs, base + own[k]!);
  }
}

/** Deciding words first. Where only the best are wanted, the supporting ones are looked up for those alone that can still be among them. */
function* rankByText(
  pass: TextPass,
  request: RankRequest,
): Generator<SearchPart, Pick<Ranking, 'best' | 'total'>, Body> {
  const { parts, text } = pass;
  yield* scoreDeciding(pass);
  const contest = { parts, scores: text, request };
  const total = countMatches(parts, text, pass.matches);
  const readsOnce = parts.every(({ part }) => part.body !== null);
  let docs: Uint32Array[] | undefined;
  if (pass.supporting.length > 0 && request.qualityBoost === 0 && request.keep <= MAX_PRUNED && readsOnce)
    docs = yield* supportBest(pass, contest);
  else yield* addSupport(pass);
  return {
    best: chooseBest(contest, docs).map((each) => explain(each, { text, meaning: NOTHING, now: request.now })),
    total,
  };
}

/**
 * Supports those docs alone that can be among the best, and names them. Exact: the best by deciding words are finished first, and whoever could not
 * overtake the last of them with all support there is and the greatest weight is left out.
 */
function* supportBest(pass: TextPass, contest: Contest): Generator<SearchPart, Uint32Array[], Body> {
  const { matches } = pass;
  const least = leastOfBest(contest, matches);
  const first = yield* addSupportTo(pass, selectDocs(contest, matches, { from: least, below: Infinity }), -Infinity);
  const last = least === -Infinity ? undefined : chooseBest(contest, first).at(contest.request.keep - 1);
  if (last === undefined) return first;
  const needed = last.score / MAX_WEIGHT - SLACK;
  const others = selectDocs(contest, matches, { from: needed - greatestSupport(pass), below: least });
  return joinDocs(first, yield* addSupportTo(pass, others, needed));
}

/** Room for the rounding of sums. */
const SLACK = 1e-3;
/** Beyond so many wanted records nearly every doc has a chance. */
const MAX_PRUNED = 1000;
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
  found: Contender,
  { text, meaning, now }: { text: Float32Array; meaning: Float32Array; now: Instant },
): Ranked {
  const { updatedAt, quality } = found.part.part.columns;
  const at = found.part.base + found.doc;
  const cosine = meaning[at] ?? NO_MEANING;
  return {
    ...found,
    text: text[at]!,
    meaning: cosine > NO_MEANING ? cosine : null,
    weights: {
      recency: weighRecency(updatedAt[found.record]!, now),
      quality: weighQuality(quality[found.record]!),
      ...(found.variety === undefined ? {} : { variety: found.variety }),
    },
  };
}
