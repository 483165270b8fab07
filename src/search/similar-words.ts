import type { Columns } from './index/columns.ts';
import type { Body, Part, Postings, Words } from './index/part.ts';
import type { Scratch } from './scratch.ts';
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
  /** Not this one; -1: all are wanted. */
  except: number;
  scratch: Scratch;
}

/** Room for the rounding of sums. */
const SLACK = 1e-3;
/** Looking a record up in a word's list costs about as much as this many steps through it. */
const LOOKUP_STEPS = 64;

/** Those that weigh much and are rare come first. */
export function cheapFirst(terms: readonly WeighedWord[], words: Pick<Words, 'count'>): WeighedWord[] {
  for (const term of terms) term.cost = words.count(term) / term.weight;
  return terms.toSorted((a, b) => a.cost - b.cost);
}

/** What was found so far in one part. */
interface Found {
  columns: Columns;
  /** By the number of the record. */
  sums: Float32Array;
  /** Records that hold any of the words, `reached` of them. */
  list: Uint32Array;
  reached: number;
}

/**
 * The records of a part that may share this much of a text. Words that weigh much and are rare should come first: a record that holds none of them is out
 * of reach before the lists of common words, which are long, have to be read.
 */
export function findSharing(
  { columns }: Part,
  { words }: Body,
  { terms, least, except, scratch }: SharingRequest,
): Sharing[] {
  const sums = scratch.take('text', columns.recordCount);
  if (except !== -1) sums[except] = -Infinity;
  const found: Found = { columns, sums, list: scratch.takeList(columns.recordCount), reached: 0 };
  let remaining = terms.reduce((sum, { weight }) => sum + weight, 0);
  for (const term of terms) {
    const isOpen = remaining >= least - SLACK;
    if (!isOpen && found.reached === 0) return [];
    if (!isOpen && found.reached * LOOKUP_STEPS < words.count(term)) addByLookup(found, term, words);
    else {
      const size = words.unpack(term, scratch.takePostings);
      const { docs, counts } = scratch.takePostings(size);
      if (isOpen) addToAll(found, term, { docs, counts, size });
      else addToReached(found, term, { docs, counts, size });
    }
    remaining -= term.weight;
    if (!isOpen) dropBelow(found, least - remaining - SLACK);
  }
  dropBelow(found, least - SLACK);
  return Array.from(found.list.subarray(0, found.reached), (record) => ({ record, shared: sums[record]! }));
}

interface Unpacked extends Postings {
  /** So many of them. */
  size: number;
}

function addToAll(found: Found, { weight, each }: WeighedWord, { docs, counts, size }: Unpacked): void {
  const { sums, list } = found;
  const docRecord = recordsOf(found);
  let { reached } = found;
  for (let i = 0; i < size; i++) {
    const record = docRecord === null ? docs[i]! : docRecord[docs[i]!]!;
    const before = sums[record]!;
    if (before === 0) list[reached++] = record;
    sums[record] = before + Math.min(weight, counts[i]! * each);
  }
  found.reached = reached;
}

/** Which record each doc belongs to; null where each has one of its own: that column is not asked for, since it may have to be read first. */
function recordsOf({ columns }: Found): Uint32Array | null {
  return columns.singlePassages ? null : columns.docRecord;
}

function addToReached(found: Found, { weight, each }: WeighedWord, { docs, counts, size }: Unpacked): void {
  const { sums } = found;
  const docRecord = recordsOf(found);
  for (let i = 0; i < size; i++) {
    const record = docRecord === null ? docs[i]! : docRecord[docs[i]!]!;
    const before = sums[record]!;
    if (before > 0) sums[record] = before + Math.min(weight, counts[i]! * each);
  }
}

function addByLookup({ columns, sums, list, reached }: Found, term: WeighedWord, words: Words): void {
  const countOf = words.lookUp(term);
  if (countOf === null) return;
  const { weight, each } = term;
  for (let i = 0; i < reached; i++) {
    const record = list[i]!;
    const first = columns.singlePassages ? record : columns.docStart[record]!;
    const end = columns.singlePassages ? record + 1 : columns.docStart[record + 1]!;
    for (let doc = first; doc < end; doc++) sums[record] = sums[record]! + Math.min(weight, countOf(doc) * each);
  }
}

function dropBelow(found: Found, needed: number): void {
  const { list, sums } = found;
  let kept = 0;
  for (let i = 0; i < found.reached; i++) {
    const record = list[i]!;
    list[kept] = record;
    if (sums[record]! >= needed) kept++;
  }
  found.reached = kept;
}
