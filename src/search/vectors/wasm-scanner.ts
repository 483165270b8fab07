import { codeWords } from '../index/part.ts';
import { makeMemory, memoryOf, type WasmMemory, WORKSPACE_BYTES } from './place-for-scanning.ts';
import { multiplyRows } from './plain-scanner.ts';
import { CODES_AT_ONCE, PLACES, ROWS_AT_ONCE, writeScannerModule } from './scanner-module.ts';
import { findBorder } from './sign-code.ts';
import type { VectorScanner } from './vector-scanner.ts';

/** The little of the platform's interface that is used here; the compiler's libraries have it for browsers only. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  Instance: new (module: object, imports: { env: { memory: object } }) => { exports: object };
};

interface Loops {
  scan(codes: number, count: number, border: number): number;
  scanAll(codes: number, count: number, border: number): number;
  near(codes: number, count: number, first: number, all: number): number;
  multiply(rows: number, count: number): void;
  pair(a: number, b: number): number;
}

/** The loops over one memory, and the places in it that are written and read here. */
interface Linked {
  loops: Loops;
  bytes: Uint8Array;
  histogram: Uint32Array;
  second: Uint32Array;
  found: Uint32Array;
  products: Int32Array;
}

/** The first block is small, so that the border is near before many docs are listed. */
const FIRST_BLOCK = 512;
/** What is not where WebAssembly can read it is copied in block by block, small enough for the processor's second cache. */
const BLOCK_BYTES = 128 * 1024;

/** Numbers that are copied without looking at the end in between: the copying takes longer than the products. */
const COPIED_AT_ONCE = 8;
const LINE_INTS = 16;
const INT_BYTES = 4;

/** Segments lie where the loops can read them (place-for-scanning.ts). Codes and rows of other parts are copied: nothing is kept twice. */
export function createWasmScanner(dimensions: number): VectorScanner {
  const module = new WebAssembly.Module(writeScannerModule(dimensions));
  const own = makeMemory(BLOCK_BYTES);
  const copied = link(module, own, dimensions);
  const linked = new WeakMap<WasmMemory, Linked>();
  const width = codeWords(dimensions);
  const rowInts = dimensions / INT_BYTES;
  const [blockCodes, blockRows] = [
    Math.min(CODES_AT_ONCE, Math.floor(BLOCK_BYTES / (width * INT_BYTES))),
    Math.min(ROWS_AT_ONCE, Math.floor(BLOCK_BYTES / dimensions)),
  ];
  const codeBlock = new Uint32Array(own.buffer, WORKSPACE_BYTES, blockCodes * width);
  const rowBlock = new Int32Array(own.buffer, WORKSPACE_BYTES, blockRows * rowInts);
  const rowBytes = new Int8Array(own.buffer, WORKSPACE_BYTES, blockRows * dimensions);
  const homeOf = (buffer: ArrayBufferLike): Linked | null => {
    const memory = memoryOf(buffer);
    if (memory === undefined) return null;
    const known = linked.get(memory) ?? link(module, memory, dimensions);
    linked.set(memory, known);
    return known;
  };
  const placeCodes = (codes: Uint32Array, start: number, end: number): number => {
    codeBlock.set(codes.subarray(start * width, end * width));
    return WORKSPACE_BYTES;
  };
  return {
    scan({ query, codes, count, mask }, { histogram, ...wanted }) {
      const list: number[] = [];
      const home = homeOf(codes.buffer);
      const { loops, bytes, histogram: counted, second, found } = home ?? copied;
      const most = home === null ? blockCodes : CODES_AT_ONCE;
      bytes.set(bytesOf(query), PLACES.query);
      counted.set(histogram);
      second.fill(0);
      let border = findBorder({ histogram: counted, ...wanted });
      for (let start = 0, size = FIRST_BLOCK; start < count; start += size, size = Math.min(2 * size, most)) {
        const end = Math.min(count, start + size);
        const at = home === null ? placeCodes(codes, start, end) : codes.byteOffset + start * width * INT_BYTES;
        const isEven = (end - start) % 2 === 0;
        if (mask !== null) bytes.set(mask.subarray(start, end), PLACES.mask);
        else if (!isEven) bytes.fill(1, PLACES.mask, PLACES.mask + end - start);
        const scan = mask === null && isEven ? loops.scanAll : loops.scan;
        const listed = scan(at, end - start, border) / INT_BYTES;
        moveCounts(second, counted);
        border = findBorder({ histogram: counted, ...wanted });
        for (let i = 0; i < listed; i++) {
          const distance = found[i]! & 0xffff;
          if (distance <= border) list.push(start + (found[i]! >>> 16), distance);
        }
      }
      histogram.set(counted);
      return list;
    },
    near({ codes, count }, queries) {
      const lists: number[][] = queries.map(() => []);
      const home = homeOf(codes.buffer);
      const { loops, bytes, found } = home ?? copied;
      const size = home === null ? blockCodes : CODES_AT_ONCE;
      for (let start = 0; start < count; start += size) {
        const end = Math.min(count, start + size);
        const at = home === null ? placeCodes(codes, start, end) : codes.byteOffset + start * width * INT_BYTES;
        for (const [i, { code, first, all }] of queries.entries()) {
          bytes.set(bytesOf(code), PLACES.query);
          const listed = loops.near(at, end - start, first, all) / INT_BYTES;
          for (let k = 0; k < listed; k++) lists[i]!.push(start + found[k]!);
        }
      }
      return lists;
    },
    multiply(query, rows, docs) {
      const all = new Int32Array(docs.length);
      const ints = new Int32Array(rows.buffer, rows.byteOffset, rows.length / INT_BYTES);
      const home = homeOf(rows.buffer);
      const { loops, bytes, found, products } = home ?? copied;
      const most = home === null ? blockRows : ROWS_AT_ONCE;
      bytes.set(bytesOf(query), PLACES.query);
      for (let start = 0; start < docs.length; start += most) {
        const some = docs.subarray(start, start + most);
        products[0] = touchRows(ints, some, rowInts);
        if (home === null) copyRows(ints, some, { target: rowBlock, rowInts });
        for (let i = 0; i < some.length; i++) found[i] = home === null ? i : some[i]!;
        loops.multiply(home === null ? WORKSPACE_BYTES : rows.byteOffset, some.length);
        all.set(products.subarray(0, some.length), start);
      }
      return all;
    },
    pair(rows) {
      if (rows.length > blockRows) return multiplyRows(rows);
      for (let i = 0; i < rows.length; i++) rowBytes.set(rows[i]!, i * dimensions);
      return (a, b) => copied.loops.pair(WORKSPACE_BYTES + a * dimensions, WORKSPACE_BYTES + b * dimensions);
    },
  };
}

function link(module: object, memory: WasmMemory, dimensions: number): Linked {
  const { buffer } = memory;
  return {
    loops: new WebAssembly.Instance(module, { env: { memory } }).exports as Loops,
    bytes: new Uint8Array(buffer),
    histogram: new Uint32Array(buffer, PLACES.histogram, dimensions + 1),
    second: new Uint32Array(buffer, PLACES.second, dimensions + 1),
    found: new Uint32Array(buffer, PLACES.found, CODES_AT_ONCE),
    products: new Int32Array(buffer, PLACES.products, ROWS_AT_ONCE),
  };
}

function moveCounts(from: Uint32Array, to: Uint32Array): void {
  for (let i = 0; i < from.length; i++) to[i]! += from[i]!;
  from.fill(0);
}

function bytesOf(numbers: Uint32Array | Int16Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

function copyRows(
  ints: Int32Array,
  docs: Uint32Array,
  { target, rowInts }: { target: Int32Array; rowInts: number },
): void {
  for (let i = 0; i < docs.length; i++) {
    const row = docs[i]! * rowInts;
    for (let k = 0; k < rowInts; k += COPIED_AT_ONCE) copyInts(ints, row + k, { target, at: i * rowInts + k });
  }
}

/**
 * Reads one number of every cache line of these rows, which lie apart. The processor fetches many lines at once as long as nothing else is done with
 * them, while copying or multiplying would wait for one after the other: this makes it two to three times as fast. What it returns means nothing.
 */
function touchRows(ints: Int32Array, docs: Uint32Array, rowInts: number): number {
  let touched = 0;
  for (let i = 0; i < docs.length; i++) {
    const end = (docs[i]! + 1) * rowInts;
    for (let k = end - rowInts; k < end; k += LINE_INTS) touched ^= ints[k]!;
  }
  return touched;
}

function copyInts(source: Int32Array, from: number, { target, at }: { target: Int32Array; at: number }): void {
  target[at] = source[from]!;
  target[at + 1] = source[from + 1]!;
  target[at + 2] = source[from + 2]!;
  target[at + 3] = source[from + 3]!;
  target[at + 4] = source[from + 4]!;
  target[at + 5] = source[from + 5]!;
  target[at + 6] = source[from + 6]!;
  target[at + 7] = source[from + 7]!;
}
