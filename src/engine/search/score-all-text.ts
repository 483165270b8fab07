import type { Body } from './index/part.ts';
import { maskPhraseWords } from './phrase-words.ts';
import { MAX_SUPPORT_WEIGHT, type ScoredTerm, type TextPlan } from './resolve-terms.ts';
import { MAX_SATURATION, makeSaturation, type Saturation, scoreText, supportText } from './score-text.ts';
import type { SearchPart } from './search-set.ts';

export interface TextPass {
  parts: readonly SearchPart[];
  /** For each part, 1 where a doc may be found; null: every one. Narrowed to docs that hold the required words. */
  masks: (Uint8Array | null)[];
  /** One for each doc of the set. */
  text: Float32Array;
  required: readonly string[];
  saturation: Saturation;
  /** The words that make a match. */
  deciding: ScoredTerm[];
  /** Stop words of the query: they order what matches, they match nothing by themselves. */
  supporting: ScoredTerm[];
}

export function planTextPass(plan: TextPlan, { parts, masks, text, required }: Pick<TextPass, 'parts' | 'masks' | 'text' | 'required'>): TextPass {
  const maxLength = parts.reduce((longest, { part }) => Math.max(longest, part.columns.maxLength), 0);
  const isSupport = (term: ScoredTerm) => term.query.weight <= MAX_SUPPORT_WEIGHT;
  const saturation = makeSaturation(plan.averageLength, maxLength);
  return { parts, masks, text, required, saturation, deciding: plan.terms.filter((term) => !isSupport(term)), supporting: plan.terms.filter(isSupport) };
}

/** Scores by the deciding words; docs that the filter or a phrase leaves out get 0. */
export function* scoreDeciding({ parts, masks, text, required, saturation, deciding }: TextPass): Generator<SearchPart, void, Body> {
  for (const [i, each] of parts.entries()) {
    const { part, base } = each;
    const body = yield each;
    const scores = text.subarray(base, base + part.columns.docCount);
    scoreText(part, body, { terms: deciding, saturation, scores });
    if (required.length > 0) masks[i] = maskPhraseWords(part, body, { required, mask: masks[i]! });
    const mask = masks[i]!;
    if (mask !== null) for (let doc = 0; doc < scores.length; doc++) if (mask[doc] === 0) scores[doc] = 0;
  }
}

/** Adds the supporting words to what matches, or to the named docs of each part alone. */
export function* addSupport({ parts, text, saturation, supporting }: TextPass, among?: readonly Uint32Array[]): Generator<SearchPart, void, Body> {
  if (supporting.length === 0) return;
  for (const [i, each] of parts.entries()) {
    const { part, base } = each;
    const scores = text.subarray(base, base + part.columns.docCount);
    supportText(part, yield each, { terms: supporting, saturation, scores }, among?.[i]);
  }
}

/** The most that the supporting words can add to one doc. */
export function greatestSupport({ supporting }: TextPass): number {
  return supporting.reduce((sum, { weight, idf }) => sum + weight * idf * MAX_SATURATION, 0);
}
