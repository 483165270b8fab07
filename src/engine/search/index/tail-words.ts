import { grown } from './growable.ts';
import type { Postings, Term, TermList, Words } from './part.ts';
import { compareBytes, encodeText } from './string-table.ts';

export interface TailWords extends Words {
  add(doc: number, counts: ReadonlyMap<string, number>): void;
  readonly bytes: number;
}

/** The rough cost of a word's entry in the map and its text. */
const WORD_BYTES = 120;
const POSTING_BYTES = 9;

/** Postings that grow: every posting is one row of three arrays, and the rows of a word are chained from its newest to its oldest. */
export function createTailWords(): TailWords {
  const numbers = new Map<string, number>();
  const texts: string[] = [];
  let newest = new Int32Array(0);
  let sizes = new Uint32Array(0);
  let docs = new Uint32Array(0);
  let counts = new Uint8Array(0);
  let older = new Int32Array(0);
  let rows = 0;

  const numberOf = (word: string): number => {
    const known = numbers.get(word);
    if (known !== undefined) return known;
    const number = texts.length;
    texts.push(word);
    numbers.set(word, number);
    newest = grown(newest, number + 1);
    sizes = grown(sizes, number + 1);
    newest[number] = -1;
    return number;
  };
  const postingsOf = (number: number): Postings => {
    const size = sizes[number]!;
    const postings = { docs: new Uint32Array(size), counts: new Uint8Array(size) };
    let row = newest[number]!;
    for (let i = size - 1; i >= 0; i--) {
      postings.docs[i] = docs[row]!;
      postings.counts[i] = counts[row]!;
      row = older[row]!;
    }
    return postings;
  };
  const select = (wanted: (text: string) => boolean): Term[] => texts.filter(wanted).map((text) => ({ text, bytes: encodeText(text) }));

  return {
    add(doc, words) {
      docs = grown(docs, rows + words.size);
      counts = grown(counts, rows + words.size);
      older = grown(older, rows + words.size);
      for (const [word, count] of words) {
        const number = numberOf(word);
        docs[rows] = doc;
        counts[rows] = Math.min(count, 255);
        older[rows] = newest[number]!;
        newest[number] = rows++;
        sizes[number] = sizes[number]! + 1;
      }
    },
    get bytes() {
      return rows * POSTING_BYTES + texts.length * WORD_BYTES;
    },
    find(term) {
      const number = numbers.get(term.text);
      return number === undefined ? null : postingsOf(number);
    },
    withPrefix: (prefix) => select((text) => text.startsWith(prefix.text)),
    near: (term, isNear) => select((text) => Math.abs(text.length - term.text.length) <= 2 && isNear(term.text, text)),
    list: () => listTerms(texts, postingsOf),
  };
}

function listTerms(texts: readonly string[], postingsOf: (number: number) => Postings): TermList {
  const terms = texts.map((text, number) => ({ bytes: encodeText(text), number }));
  terms.sort((a, b) => compareBytes(a.bytes, b.bytes));
  return { count: terms.length, bytesAt: (index) => terms[index]!.bytes, postingsAt: (index) => postingsOf(terms[index]!.number) };
}
