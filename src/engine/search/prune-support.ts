import { HOPELESS_SHARE } from './choose-best.ts';
import { gatherScores, joinDocs, leastOfBest, selectDocs } from './contenders.ts';
import { fuseDoc, type Legs } from './fuse.ts';
import type { Body } from './index/part.ts';
import { selectLargest } from './largest-values.ts';
import type { RankRequest } from './rank.ts';
import { addSupport, addSupportTo, greatestSupport, type TextPass } from './score-all-text.ts';
import { BEST_BY_WORDS, NO_MEANING } from './score-vectors.ts';
import type { SearchPart } from './search-set.ts';
import { listTurns } from './turn-links.ts';
import { VARIED } from './vary-hits.ts';

export interface Support {
  /** For each part the docs among which the best by words are: all that match, or those that have a chance. */
  likely: Uint32Array[];
  /** Docs that match and score less have no support yet; 0 where all have it. */
  from: number;
}

/**
 * Supporting words for those docs alone that words can bring among the best. Exact: whoever is left out could not get there with all the support
 * there is.
 */
export function* supportLikely(pass: TextPass, request: RankRequest): Generator<SearchPart, Support, Body> {
  const { matches } = pass;
  const matching = matches.reduce((sum, docs) => sum + docs.length, 0);
  if (pass.supporting.length === 0 || matching < MIN_MATCHES || !allowsPruning(pass, request)) {
    yield* addSupport(pass);
    return { likely: matches, from: 0 };
  }
  const words = { parts: pass.parts, scores: pass.text };
  const first = selectLargest(gatherScores(words, matches), BEST_BY_WORDS);
  const sure = selectDocs(words, matches, { from: first, below: Infinity });
  yield* addSupportTo(pass, sure, -Infinity);
  const reached = selectLargest(gatherScores(words, sure), BEST_BY_WORDS);
  const from = Math.max(0, reached - greatestSupport(pass) - SLACK);
  const others = selectDocs(words, matches, { from, below: first });
  yield* addSupportTo(pass, others, -Infinity);
  return { likely: joinDocs(sure, others), from };
}

/** With fewer it does not pay. */
const MIN_MATCHES = 4000;
/** Room for the rounding of sums. */
const SLACK = 1e-3;
/** More than nothing and less than any score: it is counted, and never chosen. */
const LEFT_OUT = 1e-20;

/**
 * What stands around a passage, who says it and the times it names can lift any doc, and so can the wish for quality. Where words count for nothing,
 * a doc that has only them is no match.
 */
function allowsPruning(
  { parts }: TextPass,
  { keep, qualityBoost, speaker, asksForTime, without, weights }: RankRequest,
): boolean {
  if (
    keep > VARIED ||
    qualityBoost > 0 ||
    speaker !== null ||
    asksForTime ||
    weights.words <= 0 ||
    without.includes('variety')
  )
    return false;
  return parts.every(({ part }) => part.body !== null && listTurns(part) === null);
}

/** Adds what these docs, of those that match, still lack. */
export function* supportFound(
  pass: TextPass,
  found: readonly Uint32Array[],
  from: number,
): Generator<SearchPart, void, Body> {
  if (from === 0) return;
  const { parts, text } = pass;
  const lacking = parts.map(({ base }, i) =>
    found[i]!.filter((doc) => text[base + doc]! > 0 && text[base + doc]! < from).sort(),
  );
  yield* addSupportTo(pass, lacking, -Infinity);
}

interface Pruned {
  pass: TextPass;
  request: RankRequest;
  support: Support;
  legs: Legs;
  /** For each part the docs whose meaning was compared. All of them are fused. */
  found: readonly Uint32Array[];
  /** What the last of the best by words scores. */
  leastText: number;
}

/** Fuses the best by words and leaves all others out, if none of them can be among the best; false: they can. */
export function leaveOutHopeless(
  { pass, request, support, legs, found, leastText }: Pruned,
  scores: Float32Array,
): boolean {
  const { parts, text, matches } = pass;
  const bestPossible = fuseDoc({ ...legs, text: Float32Array.of(leastText), meaning: Float32Array.of(NO_MEANING) }, 0);
  const floor = leastOfBest({ parts, scores, request: { ...request, keep: VARIED } }, found);
  if (!(bestPossible < floor * HOPELESS_SHARE)) return false;
  for (const [i, { base, part }] of parts.entries()) {
    const own = scores.subarray(base, base + part.columns.docCount);
    for (const doc of support.likely[i]!) if (text[base + doc]! >= leastText) own[doc] = fuseDoc(legs, base + doc);
    markLeftOut(own, matches[i]!);
  }
  return true;
}

function markLeftOut(scores: Float32Array, matches: Uint32Array): void {
  for (let k = 0; k < matches.length; k++) if (scores[matches[k]!] === 0) scores[matches[k]!] = LEFT_OUT;
}

/** Adds to all that match and were not compared what they lack. */
export function* supportOthers({
  pass,
  legs,
  support,
}: Pick<Pruned, 'pass' | 'legs' | 'support'>): Generator<SearchPart, void, Body> {
  const { parts, text, matches } = pass;
  const lacking = parts.map(({ base }, i) =>
    matches[i]!.filter((doc) => text[base + doc]! < support.from && legs.meaning[base + doc] === NO_MEANING).sort(),
  );
  yield* addSupportTo(pass, lacking, -Infinity);
}
