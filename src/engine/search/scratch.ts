import type { Postings } from './index/part.ts';
import { createVectorScanner, type VectorScanner } from './vectors/vector-scanner.ts';

/** Arrays that one search after the other uses, so that none has to be made and thrown away. */
export interface Scratch {
  /** Zeros, or another value throughout; valid until the next call with this name. */
  take(name: 'text' | 'meaning' | 'fused', length: number, value?: number): Float32Array;
  /** Left as the last search left it. */
  takeList(length: number): Uint32Array;
  /** Likewise. */
  takePostings(length: number): Postings;
  /** For vectors of this many dimensions; made when it is first asked for. */
  scanner(dimensions: number): VectorScanner;
}

/** How much more room is made than asked for, so that a growing index does not need more every time. */
const SPARE = 1.25;

export function createScratch(): Scratch {
  const arrays = new Map<string, Float32Array>();
  const scanners = new Map<number, VectorScanner>();
  let list = new Uint32Array(0);
  let postings: Postings = { docs: new Uint32Array(0), counts: new Uint8Array(0) };
  return {
    take(name, length, value = 0) {
      let array = arrays.get(name);
      if (array === undefined || array.length < length) {
        array = new Float32Array(Math.ceil(length * SPARE));
        arrays.set(name, array);
      }
      return array.subarray(0, length).fill(value);
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
