import type { Columns } from './index/columns.ts';
import type { Body, Part, Postings, Words } from './index/part.ts';
import type { WeighedWord } from './text/lexical-similarity.ts';

export interface Sharing {
  record: number;
  /** The weight of the words it shares, or a little more. */
  shared: number;
}

export interface SharingRequest {
  terms: readonly WeighedWord[];
  /** The weight that must be shared. */
  least: number;
  /** Zeros, one for each record; -Infinity for one that is not wanted. */
  sums: Float32Array;
  /** Room for as many records. */
  list: Uint32Array;
}

/** Room for the rounding of sums. */
const SLACK = 1e-3;
/** Looking a record up in a word's list costs about as much as this many steps through it. */
const LOOKUP_STEPS = 64;

/** Those that weigh much and are rare come first. */
export function cheapFirst(terms: readonly WeighedWord[], words: Pick<Words, 'count'>): WeighedWord[] {
  return terms
    .map((term) => ({ term, cost: words.count(term) / term.weight }))
    .sort((a, b) => a.cost - b.cost)
    .map(({ term }) => term);
}

/**
 * The records of a part that may share this much of a text. Words that weigh much and are rare should come first: a record that holds none of them is out
 * of reach before the lists of common words, which are long, have to be read.
 */
export function findSharing(
  { columns }: Part,
  { words }: Body,
  { terms, least, sums, list }: SharingRequest,
): Sharing[] {
  let remaining = terms.reduce((sum, { weight }) => sum + weight, 0);
  let reachable: Uint32Array = list.subarray(0, 0);
  for (const term of terms) {
    const isOpen = remaining >= least - SLACK;
    if (!isOpen && reachable.length === 0) break;
    const adding = { columns, term, sums };
    if (!isOpen && reachable.length * LOOKUP_STEPS < words.count(term)) addByLookup(words, adding, reachable);
    else {
      const postings = words.find(term);
      if (postings !== null && isOpen) reachable = addToAll(postings, { ...adding, list, found: reachable.length });
      else if (postings !== null) addToReached(postings, adding);
    }
    remaining -= term.weight;
    if (!isOpen) reachable = dropBelow(reachable, sums, least - remaining - SLACK);
  }
  return Array.from(dropBelow(reachable, sums, least - SLACK), (record) => ({ record, shared: sums[record]! }));
}

interface Adding {
  columns: Columns;
  term: WeighedWord;
  sums: Float32Array;
}

function addToAll(
  { docs, counts }: Postings,
  { columns, term, sums, list, found }: Adding & { list: Uint32Array; found: number },
): Uint32Array {
  const records = recordsOf(columns, docs);
  const { weight, each } = term;
  let next = found;
  for (let i = 0; i < docs.length; i++) {
    const record = records[i]!;
    const before = sums[record]!;
    if (before === 0) list[next++] = record;
    sums[record] = before + Math.min(weight, counts[i]! * each);
  }
  return list.subarray(0, next);
}

/** Which record each of the docs belongs to. Where each has one of its own, that column is not asked for: it may have to be read first. */
function recordsOf(columns: Columns, docs: Uint32Array): Uint32Array {
  if (columns.singlePassages) return docs;
  const { docRecord } = columns;
  return docs.map((doc) => docRecord[doc]!);
}

function addToReached({ docs, counts }: Postings, { columns, term, sums }: Adding): void {
  const records = recordsOf(columns, docs);
  const { weight, each } = term;
  for (let i = 0; i < docs.length; i++) {
    const record = records[i]!;
    if (sums[record]! > 0) sums[record] = sums[record]! + Math.min(weight, counts[i]! * each);
  }
}

function addByLookup(words: Words, { columns, term, sums }: Adding, records: Uint32Array): void {
  const countOf = words.lookUp(term);
  if (countOf === null) return;
  const { weight, each } = term;
  for (const record of records) {
    const [first, end] = columns.singlePassages
      ? [record, record + 1]
      : [columns.docStart[record]!, columns.docStart[record + 1]!];
    for (let doc = first; doc < end; doc++) sums[record] = sums[record]! + Math.min(weight, countOf(doc) * each);
  }
}

/** In place. */
function dropBelow(records: Uint32Array, sums: Float32Array, needed: number): Uint32Array {
  let kept = 0;
  for (let i = 0; i < records.length; i++) {
    const record = records[i]!;
    records[kept] = record;
    if (sums[record]! >= needed) kept++;
  }
  return records.subarray(0, kept);
}
