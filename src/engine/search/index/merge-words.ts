import { grown } from './growable.ts';
import { createByteWriter, putPostings } from './number-list.ts';
import type { Postings, TermList } from './part.ts';
import type { Sections } from './segment-format.ts';
import { compareBytes, makeStringTableInTurns } from './string-table.ts';

export interface WordSource {
  terms: TermList;
  /** The new number of each doc, -1 for those left out. */
  docMap: Int32Array;
}

type WordSections = Pick<Sections, 'termStart' | 'termBytes' | 'postingStart' | 'postingAt' | 'postings'>;

/** Docs of frequent words that are moved between two looks at the clock: a millisecond. */
export const MOVED_AT_ONCE = 30_000;

/** The words of several parts in one dictionary; a word that only dead docs hold is gone from it. */
export async function mergeWords(
  sources: readonly WordSource[],
  pace: () => Promise<void> | undefined,
): Promise<WordSections> {
  const target = createPostingsTarget();
  const cursors = sources.map(() => 0);
  let moved = 0;
  for (let steps = 0; ; steps++) {
    const term = firstTerm(sources, cursors);
    if (term === null) break;
    for (let i = 0; i < sources.length; i++) {
      const { terms, docMap } = sources[i]!;
      const at = cursors[i]!;
      if (at >= terms.count || compareBytes(terms.bytesAt(at), term) !== 0) continue;
      moved += target.add(terms.postingsAt(at), docMap);
      cursors[i] = at + 1;
    }
    target.close(term);
    if (steps % 256 !== 0 && moved < MOVED_AT_ONCE) continue;
    moved = 0;
    await pace();
  }
  return target.finish(pace);
}

function firstTerm(sources: readonly WordSource[], cursors: readonly number[]): Uint8Array | null {
  let first: Uint8Array | null = null;
  for (let i = 0; i < sources.length; i++) {
    const { terms } = sources[i]!;
    if (cursors[i]! >= terms.count) continue;
    const candidate = terms.bytesAt(cursors[i]!);
    if (first === null || compareBytes(candidate, first) < 0) first = candidate;
  }
  return first;
}

function createPostingsTarget() {
  const terms: Uint8Array[] = [];
  const starts = [0];
  const places = [0];
  const target = createByteWriter();
  let docs = new Uint32Array(1024);
  let counts = new Uint8Array(1024);
  let length = 0;
  return {
    /** Returns how many there were. */
    add(postings: Postings, docMap: Int32Array): number {
      docs = grown(docs, length + postings.docs.length);
      counts = grown(counts, length + postings.docs.length);
      for (let i = 0; i < postings.docs.length; i++) {
        const doc = docMap[postings.docs[i]!]!;
        if (doc === -1) continue;
        docs[length] = doc;
        counts[length++] = postings.counts[i]!;
      }
      return postings.docs.length;
    },
    /** Everything added since the last call belongs to this term. */
    close(term: Uint8Array): void {
      if (length === 0) return;
      sortPostings(docs.subarray(0, length), counts.subarray(0, length));
      putPostings(target, docs.subarray(0, length), counts.subarray(0, length));
      terms.push(term);
      starts.push(starts.at(-1)! + length);
      places.push(target.length);
      length = 0;
    },
    async finish(pace: () => Promise<void> | undefined): Promise<WordSections> {
      const table = await makeStringTableInTurns(terms, pace);
      const postings = { postingStart: Uint32Array.from(starts), postingAt: Uint32Array.from(places) };
      return { termStart: table.starts, termBytes: table.bytes, ...postings, postings: target.finish() };
    },
  };
}

function sortPostings(docs: Uint32Array, counts: Uint8Array): void {
  let sorted = true;
  for (let i = 1; i < docs.length && sorted; i++) sorted = docs[i - 1]! < docs[i]!;
  if (sorted) return;
  // Both numbers in one double (32 + 8 bits), so that one numeric sort moves them together.
  const pairs = Float64Array.from(docs, (doc, i) => doc * 256 + counts[i]!).sort();
  for (let i = 0; i < pairs.length; i++) {
    docs[i] = Math.floor(pairs[i]! / 256);
    counts[i] = pairs[i]! % 256;
  }
}
