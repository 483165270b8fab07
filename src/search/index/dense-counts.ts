import type { Term, Words } from './part.ts';

/** From this share of the docs on a word's counts are spread over all docs: a byte for each instead of five for each that holds it. */
const DENSE_SHARE = 1 / 8;

/** Made when a word is asked for the second time: a body that is read for one search alone would not gain by it. */
export function createDenseCounts(docCount: number, find: Words['find']): (term: Term) => Uint8Array | null {
  const made = new Map<string, Uint8Array | null>();
  return (term) => {
    const known = made.get(term.text);
    if (known) return known;
    const postings = find(term);
    if (postings === null || postings.docs.length < DENSE_SHARE * docCount) return null;
    if (known === undefined) {
      made.set(term.text, null);
      return null;
    }
    const { docs, counts } = postings;
    const dense = new Uint8Array(docCount);
    for (let i = 0; i < docs.length; i++) dense[docs[i]!] = counts[i]!;
    made.set(term.text, dense);
    return dense;
  };
}
