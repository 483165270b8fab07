import { codeWords } from '../index/part.ts';
import { multiplyRows } from './plain-scanner.ts';
import { layOut, writeScannerModule } from './scanner-module.ts';
import { findBorder } from './sign-code.ts';
import type { VectorScanner } from './vector-scanner.ts';

/** The little of the platform's interface that is used here; the compiler's libraries have it for browsers only. */
declare const WebAssembly: {
  Memory: new (size: { initial: number; maximum: number }) => { buffer: ArrayBuffer };
  Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  Instance: new (module: object, imports: { env: { memory: object } }) => { exports: object };
};

interface Loops {
  scan(count: number, border: number): number;
  near(count: number, first: number, all: number): number;
  multiply(count: number): void;
  pair(a: number, b: number): number;
}

/** The first block is small, so that the border is near before many docs are listed. */
const FIRST_BLOCK = 512;

/** Numbers that are copied without looking at the end in between: the copying takes longer than the products. */
const COPIED_AT_ONCE = 8;
const LINE_INTS = 16;

/** Codes and rows are copied in block by block: that costs little beside the scan, nothing is kept twice, and nothing outlives the search. */
export function createWasmScanner(dimensions: number): VectorScanner {
  const at = layOut(dimensions);
  const memory = new WebAssembly.Memory({ initial: at.pages, maximum: at.pages });
  const module = new WebAssembly.Module(writeScannerModule(dimensions, at));
  const loops = new WebAssembly.Instance(module, { env: { memory } }).exports as Loops;
  const bytes = new Uint8Array(memory.buffer);
  const counted = new Uint32Array(memory.buffer, at.histogram, dimensions + 1);
  const found = new Uint32Array(memory.buffer, at.found, at.codes);
  const products = new Int32Array(memory.buffer, at.found, at.rows);
  const width = codeWords(dimensions);
  const codeBlock = new Uint32Array(memory.buffer, at.block, at.codes * width);
  const rowInts = dimensions / 4;
  const rowBlock = new Int32Array(memory.buffer, at.block, at.rows * rowInts);
  const rowBytes = new Int8Array(memory.buffer, at.block, at.rows * dimensions);
  return {
    scan({ query, codes, count, mask }, { histogram, ...wanted }) {
      const list: number[] = [];
      bytes.set(new Uint8Array(query.buffer, query.byteOffset, query.byteLength), at.query);
      bytes.fill(1, at.mask, at.mask + at.codes);
      counted.set(histogram);
      let border = findBorder({ histogram: counted, ...wanted });
      for (let start = 0, size = FIRST_BLOCK; start < count; start += size, size = Math.min(2 * size, at.codes)) {
        const end = Math.min(count, start + size);
        codeBlock.set(codes.subarray(start * width, end * width));
        if (mask !== null) bytes.set(mask.subarray(start, end), at.mask);
        const listed = loops.scan(end - start, border) / found.BYTES_PER_ELEMENT;
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
      for (let start = 0; start < count; start += at.codes) {
        const end = Math.min(count, start + at.codes);
        codeBlock.set(codes.subarray(start * width, end * width));
        for (const [i, { code, first, all }] of queries.entries()) {
          bytes.set(new Uint8Array(code.buffer, code.byteOffset, code.byteLength), at.query);
          const listed = loops.near(end - start, first, all) / found.BYTES_PER_ELEMENT;
          for (let k = 0; k < listed; k++) lists[i]!.push(start + found[k]!);
        }
      }
      return lists;
    },
    multiply(query, rows, docs) {
      const all = new Int32Array(docs.length);
      const ints = new Int32Array(rows.buffer, rows.byteOffset, rows.length / 4);
      bytes.set(new Uint8Array(query.buffer, query.byteOffset, query.byteLength), at.query);
      for (let start = 0; start < docs.length; start += at.rows) {
        const size = Math.min(at.rows, docs.length - start);
        rowBlock[0] = touchRows(ints, docs.subarray(start, start + size), rowInts);
        for (let i = 0; i < size; i++) {
          const row = docs[start + i]! * rowInts;
          for (let k = 0; k < rowInts; k += COPIED_AT_ONCE)
            copyInts(ints, row + k, { target: rowBlock, at: i * rowInts + k });
        }
        loops.multiply(size);
        all.set(products.subarray(0, size), start);
      }
      return all;
    },
    pair(rows) {
      if (rows.length > at.rows) return multiplyRows(rows);
      for (const [i, row] of rows.entries()) rowBytes.set(row, i * dimensions);
      return (a, b) => loops.pair(a * dimensions, b * dimensions);
    },
  };
}

/**
 * Reads one number of every cache line of these rows, which lie apart. The processor fetches many lines at once as long as nothing else is done with
 * them, while copying would wait for one after the other: this makes it three times as fast. What it returns means nothing.
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
