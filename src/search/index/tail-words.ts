import { grown } from './growable.ts';
import type { Postings, Term, TermList, Words } from './part.ts';
import { seekDoc } from './seek-doc.ts';
import { sortStrings } from './sort-strings.ts';
import { encodeText } from './string-table.ts';
import { createWordsByEnds } from './words-by-ends.ts';

export interface TailWords extends Words {
  /** With each of its words as often as it occurs. */
  add(doc: number, words: readonly string[]): void;
  readonly bytes: number;
}

/** The rough cost of a word's entry in the map and its text. */
const WORD_BYTES = 120;
const POSTING_BYTES = 14;
/** A shorter chain is followed again each time. */
const SHORTEST_KEPT = 32;

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
  /** Chains that were followed, as lists: a search asks for the same words several times, and the next one for most of them again. */
  lists: Map<number, Postings & { size: number }>;
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
    lists: new Map(),
  };
  const byEnds = createWordsByEnds(chains.texts);
  return {
    add: (doc, own) => addDoc(chains, doc, own),
    get bytes() {
      return chains.rows * POSTING_BYTES + chains.texts.length * WORD_BYTES;
    },
    find(term) {
      const number = chains.numbers.get(term.text);
      return number === undefined ? null : listChain(chains, number);
    },
    unpack(term, room) {
      const number = chains.numbers.get(term.text);
      return number === undefined ? 0 : unpackChain(chains, number, room);
    },
    count(term) {
      const number = chains.numbers.get(term.text);
      return number === undefined ? 0 : chains.sizes[number]!;
    },
    lookUp(term) {
      const number = chains.numbers.get(term.text);
      if (number === undefined) return null;
      const { docs, counts } = listChain(chains, number);
      return (doc) => {
        const at = seekDoc(docs, doc);
        return docs[at] === doc ? counts[at]! : 0;
      };
    },
    countsByDoc: () => null,
    withPrefix(prefix, most) {
      const found = byEnds.startingWith(prefix.text);
      return found.length > most ? null : found.map(toTerm);
    },
    near: (term, isNear) =>
      byEnds
        .couldBeNear(term.text)
        .filter((text) => isNear(term.text, text))
        .map(toTerm),
    list: (pace) => listTerms(chains, pace),
  };
}

function addDoc(chains: Chains, doc: number, words: readonly string[]): void {
  const first = chains.rows;
  chains.docs = grown(chains.docs, first + words.length);
  chains.counts = grown(chains.counts, first + words.length);
  chains.older = grown(chains.older, first + words.length);
  for (const word of words) {
    const number = numberOf(chains, word);
    const newest = chains.newest[number]!;
    // Counted here rather than before: that would take a map for each doc.
    if (newest >= first) {
      chains.counts[newest] = Math.min(chains.counts[newest]! + 1, 255);
      continue;
    }
    const row = chains.rows++;
    chains.docs[row] = doc;
    chains.counts[row] = 1;
    chains.older[row] = newest;
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

function unpackChain(chains: Chains, number: number, room: (size: number) => Postings): number {
  const size = chains.sizes[number]!;
  writeNewest(chains, number, room(size), 0);
  return size;
}

function followChain(chains: Chains, number: number): Postings {
  const size = chains.sizes[number]!;
  const postings = { docs: new Uint32Array(size), counts: new Uint8Array(size) };
  writeNewest(chains, number, postings, 0);
  return postings;
}

/** From where the list ended when it was last made. */
function listChain(chains: Chains, number: number): Postings {
  const size = chains.sizes[number]!;
  if (size < SHORTEST_KEPT) return followChain(chains, number);
  const kept = chains.lists.get(number) ?? { docs: new Uint32Array(0), counts: new Uint8Array(0), size: 0 };
  if (kept.size < size) {
    kept.docs = grown(kept.docs, size);
    kept.counts = grown(kept.counts, size);
    writeNewest(chains, number, kept, kept.size);
    kept.size = size;
    chains.lists.set(number, kept);
  }
  return { docs: kept.docs.subarray(0, size), counts: kept.counts.subarray(0, size) };
}

function writeNewest(chains: Chains, number: number, { docs, counts }: Postings, from: number): void {
  let row = chains.newest[number]!;
  for (let i = chains.sizes[number]! - 1; i >= from; i--) {
    docs[i] = chains.docs[row]!;
    counts[i] = chains.counts[row]!;
    row = chains.older[row]!;
  }
}

function toTerm(text: string): Term {
  return { text, bytes: encodeText(text) };
}

async function listTerms(chains: Chains, pace: () => Promise<void> | undefined): Promise<TermList> {
  const terms = await sortStrings(chains.texts, pace);
  return {
    count: terms.length,
    bytesAt: (index) => terms[index]!.bytes,
    unpackAt: (index, room) => unpackChain(chains, terms[index]!.number, room),
  };
}
