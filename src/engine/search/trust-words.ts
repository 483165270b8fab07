import { computeIdf, type TextPlan } from './resolve-terms.ts';

/** From this share of the question’s words on, held by the best passage, words are trusted fully; half of it earns a quarter of the trust. */
const FULL_TRUST_FROM = 0.4;

/**
 * 0 to 1: how far the words of a question can be relied on. Where even the best passage holds little of what was asked, the few words it shares with
 * the question are a coincidence more often than not, and meaning should decide.
 */
export function trustWords(plan: TextPlan, text: Float32Array): number {
  const rarest = computeIdf(plan.docCount, 0);
  const known = Map.groupBy(plan.terms, ({ query }) => query);
  let possible = 0;
  for (const [query, terms] of known) possible += query.weight * Math.max(...terms.map(({ idf }) => idf));
  for (const query of plan.missing) possible += query.weight * rarest;
  let best = 0;
  for (let doc = 0; doc < text.length; doc++) if (text[doc]! > best) best = text[doc]!;
  return possible === 0 ? 0 : Math.min(1, best / possible / FULL_TRUST_FROM) ** 2;
}
