import { computeIdf, type TextPlan } from './resolve-terms.ts';

/** From this share of the question’s words on, held by the best passage, words are trusted fully. */
const FULL_TRUST_FROM = 0.3;

/** How far the words of a question can be relied on. */
export interface WordTrust {
  /** 0 to 1: where even the best passage holds little of what was asked, the words it shares are a coincidence more often than not. */
  question: number;
  /** The score of a passage that holds every word once, at the usual length: what a passage scores beside it is the share of the question it holds. */
  whole: number;
}

/** Words count in full whatever a passage holds. */
export const FULL_TRUST: WordTrust = { question: 1, whole: 0 };

/** `matches` are lists of the docs that have a score, each list starting at its `base` in `text`. */
export function trustWords(
  plan: TextPlan,
  text: Float32Array,
  matches: Iterable<{ base: number; docs: Uint32Array }>,
): WordTrust {
  const rarest = computeIdf(plan.docCount, 0);
  const known = Map.groupBy(plan.terms, ({ query }) => query);
  let whole = 0;
  for (const [query, terms] of known) whole += query.weight * Math.max(...terms.map(({ idf }) => idf));
  for (const query of plan.missing) whole += query.weight * rarest;
  let best = 0;
  for (const { base, docs } of matches)
    for (let k = 0; k < docs.length; k++) best = Math.max(best, text[base + docs[k]!]!);
  return { question: whole === 0 ? 0 : Math.min(1, best / whole / FULL_TRUST_FROM), whole };
}
