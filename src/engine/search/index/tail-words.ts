import { grown } from './growable.ts';
import type { Postings, Term, TermList, Words } from './part.ts';
import { sortStrings } from './sort-strings.ts';
import { encodeText } from './string-table.ts';
import { createWordsByEnds } from './words-by-ends.ts';

export interface TailWords extends Words {
  add(doc: number, counts: ReadonlyMap<string, number>): void;
  readonly bytes: number;
}

/** The rough cost of a word's entry in the map and its text. */
const WORD_BYTES = 120;
const POSTING_BYTES = 9;

/** Postings that grow: every posting is one row of three arrays, and the rows of a word are chained from its newest to its oldest. */
interface Chains {
  numbers: Map<string, number>;
  texts: string[];
  /** By the word's number: its newest row, and how many it has. */
  newest: Int32Array;
  sizes: Uint32Array;
  docs: Uint32Array;
  counts: Uint8Array;
  older: Int32Array;
  rows: number;
}

export function createTailWords(): TailWords {
  const byWord = {
    numbers: new Map<string, number>(),
    texts: [],
    newest: new Int32Array(0),
    sizes: new Uint32Array(0),
  };
  const chains: Chains = {
    ...byWord,
    docs: new Uint32Array(0),
    counts: new Uint8Array(0),
    older: new Int32Array(0),
    rows: 0,
  };
  const byEnds = createWordsByEnds(chains.texts);
  return {
    add: (doc, counts) => addDoc(chains, doc, counts),
    get bytes() {
      return chains.rows * POSTING_BYTES + chains.texts.length * WORD_BYTES;
    },
    find(term) {
      const number = chains.numbers.get(term.text);
      return number === undefined ? null : followChain(chains, number);
    },
    count(term) {
      const number = chains.numbers.get(term.text);
      return number === undefined ? 0 : chains.sizes[number]!;
    },
    countsByDoc: () => null,
    withPrefix: (prefix) => byEnds.startingWith(prefix.text).map(toTerm),
    near: (term, isNear) =>
      byEnds
        .couldBeNear(term.text)
        .filter((text) => isNear(term.text, text))
        .map(toTerm),
    list: (pace) => listTerms(chains, pace),
  };
}

function addDoc(chains: Chains, doc: number, words: ReadonlyMap<string, number>): void {
  chains.docs = grown(chains.docs, chains.rows + words.size);
  chains.counts = grown(chains.counts, chains.rows + words.size);
  chains.older = grown(chains.older, chains.rows + words.size);
  for (const [word, count] of words) {
    const number = numberOf(chains, word);
    const row = chains.rows++;
    chains.docs[row] = doc;
    chains.counts[row] = Math.min(count, 255);
    chains.older[row] = chains.newest[number]!;
    chains.newest[number] = row;
    chains.sizes[number] = chains.sizes[number]! + 1;
  }
}

function numberOf(chains: Chains, word: string): number {
  const known = chains.numbers.get(word);
  if (known !== undefined) return known;
  const number = chains.texts.length;
  chains.texts.push(word);
  chains.numbers.set(word, number);
  chains.newest = grown(chains.newest, number + 1);
  chains.sizes = grown(chains.sizes, number + 1);
  chains.newest[number] = -1;
  return number;
}

function followChain(chains: Chains, number: number): Postings {
  const size = chains.sizes[number]!;
  const postings = { docs: new Uint32Array(size), counts: new Uint8Array(size) };
  let row = chains.newest[number]!;
  for (let i = size - 1; i >= 0; i--) {
    postings.docs[i] = chains.docs[row]!;
    postings.counts[i] = chains.counts[row]!;
    row = chains.older[row]!;
  }
  return postings;
}

function toTerm(text: string): Term {
  return { text, bytes: encodeText(text) };
}

async function listTerms(chains: Chains, pace: () => Promise<void> | undefined): Promise<TermList> {
  const terms = await sortStrings(chains.texts, pace);
  return {
    count: terms.length,
    bytesAt: (index) => terms[index]!.bytes,
    postingsAt: (index) => followChain(chains, terms[index]!.number),
  };
}
