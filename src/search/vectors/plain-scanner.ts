import { codeWords } from '../index/part.ts';
import { FIRST_BITS, findBorder, hammingDistance } from './sign-code.ts';
import type { VectorScanner } from './vector-scanner.ts';

/** The border moves inwards as docs are counted; it is looked at again after so many. */
const BLOCK = 4096;
const FIRST_WORDS = FIRST_BITS / 32;

export function createPlainScanner(dimensions: number): VectorScanner {
  const width = codeWords(dimensions);
  return {
    scan({ query, codes, count, mask }, nearest) {
      const { histogram } = nearest;
      const found: number[] = [];
      for (let start = 0; start < count; start += BLOCK) {
        const border = findBorder(nearest);
        const end = Math.min(count, start + BLOCK);
        for (let doc = start; doc < end; doc++) {
          if (mask !== null && mask[doc] === 0) continue;
          const distance = hammingDistance(codes, doc * width, query, width);
          histogram[distance] = histogram[distance]! + 1;
          if (distance <= border) found.push(doc, distance);
        }
      }
      return found;
    },
    near({ codes, count }, queries) {
      return queries.map(({ code, first, all }) => {
        const found: number[] = [];
        for (let doc = 0; doc < count; doc++) {
          if (hammingDistance(codes, doc * width, code, Math.min(width, FIRST_WORDS)) > first) continue;
          if (hammingDistance(codes, doc * width, code, width) <= all) found.push(doc);
        }
        return found;
      });
    },
    multiply(query, rows, docs) {
      const products = new Int32Array(docs.length);
      for (let k = 0; k < docs.length; k++) {
        const start = docs[k]! * dimensions;
        let sum = 0;
        for (let i = 0; i < dimensions; i++) sum += query[i]! * rows[start + i]!;
        products[k] = sum;
      }
      return products;
    },
    pair: multiplyRows,
  };
}

export function multiplyRows(rows: readonly Int8Array[]): (a: number, b: number) => number {
  return (a, b) => {
    const [left, right] = [rows[a]!, rows[b]!];
    let sum = 0;
    for (let i = 0; i < left.length; i++) sum += left[i]! * right[i]!;
    return sum;
  };
}
