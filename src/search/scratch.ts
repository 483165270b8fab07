import type { Postings } from './index/part.ts';
import { createVectorScanner, type VectorScanner } from './vectors/vector-scanner.ts';

type ArrayName = 'text' | 'meaning' | 'fused';

/** Docs of a part whose scores begin at `base`. */
interface Written {
  base: number;
  docs: Uint32Array;
}

/** Arrays that one search after the other uses, so that none has to be made and thrown away. */
export interface Scratch {
  /** Zeros, or another value throughout, always the same for a name; valid until the next call with this name. */
  take(name: ArrayName, length: number, value?: number): Float32Array;
  /** Nothing but these docs was written to since the array was taken: whoever takes it next need not clear all of it. */
  wroteOnly(name: ArrayName, docs: readonly Written[]): void;
  /** Left as the last search left it. */
  takeList(length: number): Uint32Array;
  /** Likewise. */
  takePostings(length: number): Postings;
  /** For vectors of this many dimensions; made when it is first asked for. */
  scanner(dimensions: number): VectorScanner;
}

/** How much more room is made than asked for, so that a growing index does not need more every time. */
const SPARE = 1.25;

interface Kept {
  array: Float32Array;
  /** How much of it may have been written to. */
  used: number;
  written: readonly Written[] | null;
}

function clear({ array, used, written }: Kept, value: number): void {
  if (written === null) {
    array.fill(value, 0, used);
    return;
  }
  for (const { base, docs } of written) for (let k = 0; k < docs.length; k++) array[base + docs[k]!] = value;
}

export function createScratch(): Scratch {
  const arrays = new Map<ArrayName, Kept>();
  const scanners = new Map<number, VectorScanner>();
  let list = new Uint32Array(0);
  let postings: Postings = { docs: new Uint32Array(0), counts: new Uint8Array(0) };
  return {
    take(name, length, value = 0) {
      let kept = arrays.get(name);
      if (kept === undefined || kept.array.length < length) {
        const array = new Float32Array(Math.ceil(length * SPARE)).fill(value);
        kept = { array, used: 0, written: null };
        arrays.set(name, kept);
      }
      clear(kept, value);
      kept.used = length;
      kept.written = null;
      return kept.array.subarray(0, length);
    },
    wroteOnly(name, docs) {
      const kept = arrays.get(name);
      if (kept !== undefined) kept.written = docs;
    },
    takeList(length) {
      if (list.length < length) list = new Uint32Array(Math.ceil(length * SPARE));
      return list.subarray(0, length);
    },
    takePostings(length) {
      const room = Math.ceil(length * SPARE);
      if (postings.docs.length < length) postings = { docs: new Uint32Array(room), counts: new Uint8Array(room) };
      return postings;
    },
    scanner(dimensions) {
      const scanner = scanners.get(dimensions) ?? createVectorScanner(dimensions);
      scanners.set(dimensions, scanner);
      return scanner;
    },
  };
}
