import type { Body } from './index/part.ts';
import { maskPhraseWords } from './phrase-words.ts';
import { MAX_SUPPORT_WEIGHT, type ScoredTerm, type TextPlan } from './resolve-terms.ts';
import { greatestImpact, makeSaturation, type Saturation, scoreText, supportDocs, supportText } from './score-text.ts';
import type { SearchPart } from './search-set.ts';

export interface TextPass {
  parts: readonly SearchPart[];
  /** For each part, 1 where a doc may be found; null: every one. Narrowed to docs that hold the required words. */
  masks: (Uint8Array | null)[];
  /** One for each doc of the set. */
  text: Float32Array;
  /** For each part the docs that match, in no order; none before it is scored. */
  matches: Uint32Array[];
  /** Room for the matches of all parts and one more. */
  list: Uint32Array;
  required: readonly string[];
  saturation: Saturation;
  /** The words that make a match. */
  deciding: ScoredTerm[];
  /** Stop words of the query: they order what matches, they match nothing by themselves. */
  supporting: ScoredTerm[];
}

export function planTextPass(
  plan: TextPlan,
  given: Pick<TextPass, 'parts' | 'masks' | 'text' | 'list' | 'required'>,
): TextPass {
  const maxLength = given.parts.reduce((longest, { part }) => Math.max(longest, part.columns.maxLength), 0);
  const isSupport = (term: ScoredTerm) => term.query.weight <= MAX_SUPPORT_WEIGHT;
  const saturation = makeSaturation(plan.averageLength, maxLength);
  const matches: Uint32Array[] = given.parts.map(() => new Uint32Array(0));
  return {
    ...given,
    matches,
    saturation,
    deciding: plan.terms.filter((term) => !isSupport(term)),
    supporting: plan.terms.filter(isSupport),
  };
}

/** Scores by the deciding words; docs that the filter or a phrase leaves out get 0. */
export function* scoreDeciding({
  parts,
  masks,
  text,
  list,
  matches,
  required,
  saturation,
  deciding,
}: TextPass): Generator<SearchPart, void, Body> {
  for (const [i, each] of parts.entries()) {
    const { part, base } = each;
    const body = yield each;
    const scores = text.subarray(base, base + part.columns.docCount);
    const own = list.subarray(base, base + part.columns.docCount + 1);
    const found = own.subarray(0, scoreText(part, body, { terms: deciding, saturation, scores }, own));
    if (required.length > 0) masks[i] = maskPhraseWords(part, body, { required, mask: masks[i]! });
    const mask = masks[i]!;
    matches[i] = mask === null ? found : dropHidden(found, mask, scores);
  }
}

function dropHidden(found: Uint32Array, mask: Uint8Array, scores: Float32Array): Uint32Array {
  let kept = 0;
  for (let i = 0; i < found.length; i++) {
    const doc = found[i]!;
    found[kept] = doc;
    if (mask[doc] === 0) scores[doc] = 0;
    else kept++;
  }
  return found.subarray(0, kept);
}

/** Adds the supporting words to everything that matches. */
export function* addSupport({
  parts,
  text,
  matches,
  saturation,
  supporting,
}: TextPass): Generator<SearchPart, void, Body> {
  if (supporting.length === 0) return;
  for (const [i, each] of parts.entries()) {
    const { part, base } = each;
    const scores = text.subarray(base, base + part.columns.docCount);
    supportText(part, yield each, { terms: supporting, saturation, scores }, matches[i]!);
  }
}

/** Adds them to these docs of each part alone, and gives back those that can still reach `least`. */
export function* addSupportTo(
  pass: TextPass,
  docs: readonly Uint32Array[],
  least: number,
): Generator<SearchPart, Uint32Array[], Body> {
  const { parts, text, saturation, supporting } = pass;
  const left: Uint32Array[] = [];
  for (const [i, each] of parts.entries()) {
    const { part, base } = each;
    const scores = text.subarray(base, base + part.columns.docCount);
    left.push(
      docs[i]!.length === 0
        ? docs[i]!
        : supportDocs(part, yield each, { terms: supporting, saturation, scores }, { docs: docs[i]!, least }),
    );
  }
  return left;
}

/** The most that the supporting words can add to one doc. */
export function greatestSupport({ supporting }: TextPass): number {
  return supporting.reduce((sum, term) => sum + greatestImpact(term), 0);
}
