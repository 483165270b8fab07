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
  const lists = sources.map(({ terms }) => terms);
  const cursors = sources.map(() => 0);
  const heads = startHeads(lists);
  let moved = 0;
  for (let steps = 0; ; steps++) {
    const term = firstOf(heads);
    if (term === null) break;
    for (let i = 0; i < sources.length; i++) {
      const head = heads[i]!;
      if (head === null || compareBytes(head, term) !== 0) continue;
      moved += target.add(sources[i]!, cursors[i]!);
      cursors[i]!++;
      heads[i] = headAt(lists[i]!, cursors[i]!);
    }
    target.close(term);
    if (steps % 256 !== 0 && moved < MOVED_AT_ONCE) continue;
    moved = 0;
    await pace();
  }
  return target.finish(pace);
}

/** Strings in the order of their bytes. */
type Sorted = Pick<TermList, 'count' | 'bytesAt'>;

/** The string that comes next of each list; null after its last. */
export function startHeads(lists: readonly Sorted[]): (Uint8Array | null)[] {
  return lists.map((list) => headAt(list, 0));
}

export function headAt(list: Sorted, cursor: number): Uint8Array | null {
  return cursor < list.count ? list.bytesAt(cursor) : null;
}

export function firstOf(heads: readonly (Uint8Array | null)[]): Uint8Array | null {
  let first: Uint8Array | null = null;
  for (let i = 0; i < heads.length; i++) {
    const head = heads[i]!;
    if (head !== null && (first === null || compareBytes(head, first) < 0)) first = head;
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
  let unpacked: Postings = { docs: new Uint32Array(1024), counts: new Uint8Array(1024) };
  const room = (size: number): Postings => {
    unpacked = { docs: grown(unpacked.docs, size), counts: grown(unpacked.counts, size) };
    return unpacked;
  };
  return {
    /** The docs of the term that stands there; returns how many there were. */
    add({ terms, docMap }: WordSource, at: number): number {
      const size = terms.unpackAt(at, room);
      docs = grown(docs, length + size);
      counts = grown(counts, length + size);
      for (let i = 0; i < size; i++) {
        const doc = docMap[unpacked.docs[i]!]!;
        if (doc === -1) continue;
        docs[length] = doc;
        counts[length++] = unpacked.counts[i]!;
      }
      return size;
    },
    /** Everything added since the last call belongs to this term. */
    close(term: Uint8Array): void {
      if (length === 0) return;
      if (!ascends(docs, length)) sortPostings(docs.subarray(0, length), counts.subarray(0, length));
      putPostings(target, { docs, counts }, length);
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

export function ascends(docs: Uint32Array, length: number): boolean {
  for (let i = 1; i < length; i++) if (docs[i - 1]! >= docs[i]!) return false;
  return true;
}

function sortPostings(docs: Uint32Array, counts: Uint8Array): void {
  // Both numbers in one double (32 + 8 bits), so that one numeric sort moves them together.
  const pairs = Float64Array.from(docs, (doc, i) => doc * 256 + counts[i]!).sort();
  for (let i = 0; i < pairs.length; i++) {
    docs[i] = Math.floor(pairs[i]! / 256);
    counts[i] = pairs[i]! % 256;
  }
}
