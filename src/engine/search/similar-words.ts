import type { Body, Part, Term } from './index/part.ts';
import type { WeighedWord } from './text/lexical-similarity.ts';

export interface Sharing {
  record: number;
  /** The weight of the words it shares, or a little more. */
  shared: number;
}

export type WeighedTerm = WeighedWord & Term;

export interface SharingRequest {
  terms: readonly WeighedTerm[];
  /** The weight that must be shared. */
  least: number;
  /** Zeros, one for each record; -Infinity for one that is not wanted. */
  sums: Float32Array;
}

/** Room for the rounding of sums. */
const SLACK = 1e-3;

/**
 * The records of a part that may share this much of a text. Rare words first: a record that holds none of them is out of reach before the lists of
 * common words, which are long, have to be read.
 */
export function findSharing({ columns }: Part, { words }: Body, { terms, least, sums }: SharingRequest): Sharing[] {
  const rareFirst = terms.map((term) => ({ term, holding: words.count(term) })).sort((a, b) => a.holding - b.holding);
  let remaining = terms.reduce((sum, { weight }) => sum + weight, 0);
  let reachable: number[] = [];
  for (const { term, holding } of rareFirst) {
    const isOpen = remaining >= least - SLACK;
    if (!isOpen && reachable.length === 0) break;
    const { docs, counts } = (holding === 0 ? null : words.find(term)) ?? NO_POSTINGS;
    for (let i = 0; i < docs.length; i++) {
      const record = columns.docRecord[docs[i]!]!;
      const before = sums[record]!;
      if (before === 0) {
        if (!isOpen) continue;
        reachable.push(record);
      }
      sums[record] = before + Math.min(term.weight, counts[i]! * term.each);
    }
    remaining -= term.weight;
    const needed = least - remaining - SLACK;
    if (!isOpen) reachable = reachable.filter((record) => sums[record]! >= needed);
  }
  return reachable.map((record) => ({ record, shared: sums[record]! })).filter(({ shared }) => shared >= least - SLACK);
}

const NO_POSTINGS = { docs: new Uint32Array(0), counts: new Uint8Array(0) };
