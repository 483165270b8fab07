import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeWords } from '../index/part.ts';
import { memoryOf, placeForScanning } from './place-for-scanning.ts';
import { createVectorScanner } from './vector-scanner.ts';

const DIMENSIONS = 256;
const WIDTH = codeWords(DIMENSIONS);

/** Codes, then rows, as they lie in a segment. */
function makeBytes(docs: number): Uint8Array {
  let state = docs;
  return new Uint8Array(docs * (WIDTH * 4 + DIMENSIONS)).map(() => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  });
}

function search(bytes: Uint8Array, docs: number, mask: Uint8Array | null) {
  const codes = new Uint32Array(bytes.buffer, bytes.byteOffset, docs * WIDTH);
  const rows = new Int8Array(bytes.buffer, bytes.byteOffset + codes.byteLength, docs * DIMENSIONS);
  const scanner = createVectorScanner(DIMENSIONS);
  const query = codes.slice(7 * WIDTH, 8 * WIDTH);
  const histogram = new Uint32Array(DIMENSIONS + 1);
  const found = scanner.scan({ query, codes, count: docs, mask }, { histogram, wanted: 20, limit: DIMENSIONS });
  const near = scanner.near({ codes, count: docs }, [{ code: query, first: 60, all: 120 }]);
  const rounded = new Int16Array(DIMENSIONS).map((_, i) => i * 100 - 12_000);
  const products = scanner.multiply(rounded, rows, Uint32Array.of(docs - 1, 0, 3, docs >> 1));
  return { found, near, histogram, products };
}

test('what lies where WebAssembly can read it is searched like what is copied, for every number of docs and with masks', () => {
  for (const docs of [1000, 4609, 10_001]) {
    const bytes = makeBytes(docs);
    const placed = placeForScanning(bytes);
    assert.deepEqual(placed, bytes);
    assert.ok(memoryOf(placed.buffer) !== undefined && memoryOf(bytes.buffer) === undefined);
    const mask = new Uint8Array(docs).map((_, doc) => (doc % 3 === 0 ? 0 : 1));
    for (const own of [null, mask]) assert.deepEqual(search(placed, docs, own), search(bytes, docs, own));
  }
});

test('few bytes stay where they are', () => {
  const bytes = makeBytes(10);
  assert.equal(placeForScanning(bytes), bytes);
});
