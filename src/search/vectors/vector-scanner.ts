import { createPlainScanner } from './plain-scanner.ts';
import { fitsRegisters } from './scanner-module.ts';
import { createWasmScanner } from './wasm-scanner.ts';

/** Codes of a part in a row, one for each doc. */
export interface CodeScan {
  /** The query's code. */
  query: Uint32Array;
  codes: Uint32Array;
  count: number;
  /** 0 where a doc is not to be looked at; null: look at all. */
  mask: Uint8Array | null;
}

/** What scans over several parts have found so far. */
export interface Nearest {
  /** How many docs lie at each distance. */
  histogram: Uint32Array;
  /** How many are wanted; all at the distance of the last one are in. */
  wanted: number;
  /** No doc farther away is wanted. */
  limit: number;
}

/** A query's code, and in how many bits others may differ from it: in the first of its bits, and in all. */
export interface NearQuery {
  code: Uint32Array;
  first: number;
  all: number;
}

/** The inner loops of a search by meaning. Two ways to run them, with the same results to the last bit. */
export interface VectorScanner {
  /** Counts every doc into the histogram and returns those that may be among the nearest, ascending, each followed by its distance. */
  scan(scan: CodeScan, nearest: Nearest): number[];
  /** For each query the docs within its limits, ascending. */
  near(scan: Pick<CodeScan, 'codes' | 'count'>, queries: readonly NearQuery[]): number[][];
  /** Products of a query in 16-bit numbers with the rows of these docs. */
  multiply(query: Int16Array, rows: Int8Array, docs: Uint32Array): Int32Array;
  /** The product of two of these rows, by their numbers in the list; until the scanner is asked for anything else. */
  pair(rows: readonly Int8Array[]): (a: number, b: number) => number;
}

/** For vectors of this many dimensions. */
export function createVectorScanner(dimensions: number): VectorScanner {
  return fitsRegisters(dimensions) ? createWasmScanner(dimensions) : createPlainScanner(dimensions);
}
