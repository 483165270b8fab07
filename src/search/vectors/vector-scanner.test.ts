import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { codeWords } from '../index/part.ts';
import { createPlainScanner } from './plain-scanner.ts';
import { fitsRegisters } from './scanner-module.ts';
import { findBorder } from './sign-code.ts';
import { createVectorScanner, type VectorScanner } from './vector-scanner.ts';
import { createWasmScanner } from './wasm-scanner.ts';

interface Case {
  dimensions: number;
  seed: number;
  docs: number;
  masked: boolean;
  wanted: number;
}

const someCase = fc.record({
  dimensions: fc.constantFrom(128, 256, 384, 1536),
  seed: fc.nat(),
  docs: fc.integer({ min: 1, max: 6000 }),
  masked: fc.boolean(),
  wanted: fc.integer({ min: 1, max: 700 }),
});

function makeData({ dimensions, seed, docs, masked }: Case) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  };
  const query = new Uint32Array(codeWords(dimensions)).map(next);
  const codes = new Uint32Array(docs * codeWords(dimensions)).map(() => next() * 256 + (next() & 255));
  const mask = masked ? new Uint8Array(docs).map(() => next() & 1) : null;
  const rounded = new Int16Array(dimensions).map((_, i) => ((next() % 65_535) - 32_767) >> (i === 0 ? 0 : 3));
  const rows = new Int8Array(docs * dimensions).map(() => (next() % 255) - 127);
  return { query, codes, mask, rounded, rows };
}

/** Two parts one after the other, as a search sees them. */
function scanTwice(
  scanner: VectorScanner,
  { dimensions, docs, wanted }: Case,
  { query, codes, mask }: ReturnType<typeof makeData>,
) {
  const nearest = { histogram: new Uint32Array(dimensions + 1), wanted, limit: dimensions };
  const half = docs >> 1;
  const width = codeWords(dimensions);
  const first = scanner.scan(
    { query, codes: codes.subarray(0, half * width), count: half, mask: mask?.subarray(0, half) ?? null },
    nearest,
  );
  const second = scanner.scan(
    { query, codes: codes.subarray(half * width), count: docs - half, mask: mask?.subarray(half) ?? null },
    nearest,
  );
  const border = findBorder(nearest);
  const within = (list: readonly number[]) => list.filter((_, i) => list[i | 1]! <= border);
  return { histogram: nearest.histogram, near: [within(first), within(second)] };
}

test('WebAssembly and plain loops find the same docs at the same distances, the same near ones and the same products', () => {
  fc.assert(
    fc.property(someCase, (each) => {
      const data = makeData(each);
      const [wasm, plain] = [createWasmScanner(each.dimensions), createPlainScanner(each.dimensions)];
      assert.deepEqual(scanTwice(wasm, each, data), scanTwice(plain, each, data));
      const queries = [56, 62].map((first, i) => ({
        code: data.codes.slice(i * data.query.length, (i + 1) * data.query.length),
        first,
        all: each.dimensions / 2,
      }));
      const near = { codes: data.codes, count: each.docs };
      if (each.docs > 1) assert.deepEqual(wasm.near(near, queries), plain.near(near, queries));
      const docs = Uint32Array.from({ length: Math.min(each.docs, 900) }, (_, i) => each.docs - 1 - i);
      assert.deepEqual(wasm.multiply(data.rounded, data.rows, docs), plain.multiply(data.rounded, data.rows, docs));
      const rows = Array.from(docs.subarray(0, each.wanted), (doc) =>
        data.rows.subarray(doc * each.dimensions, (doc + 1) * each.dimensions),
      );
      const [fast, slow, last] = [wasm.pair(rows), plain.pair(rows), rows.length - 1];
      assert.equal(fast(0, last), slow(0, last));
      assert.equal(fast(last, last >> 1), slow(last, last >> 1));
    }),
    { numRuns: 30 },
  );
});

test('as many docs as wanted are found, all on the border included, and none that is masked', () => {
  fc.assert(
    fc.property(someCase, (each) => {
      const data = makeData(each);
      const { near, histogram } = scanTwice(createVectorScanner(each.dimensions), each, data);
      const found = near.flat().length / 2;
      const looked = data.mask === null ? each.docs : data.mask.reduce((sum, bit) => sum + bit, 0);
      assert.equal(
        histogram.reduce((sum, count) => sum + count, 0),
        looked,
      );
      assert.ok(found >= Math.min(each.wanted, looked));
      for (let i = 0; i < near[0]!.length; i += 2) assert.notEqual(data.mask?.[near[0]![i]!], 0);
    }),
    { numRuns: 30 },
  );
});

test('vectors whose codes do not fill registers are left to the plain loops', () => {
  for (const dimensions of [0, 4, 100, 300, 4096]) assert.equal(fitsRegisters(dimensions), false);
  for (const dimensions of [128, 256, 384, 768, 1024, 1536, 3072]) assert.equal(fitsRegisters(dimensions), true);
  const { scan } = createVectorScanner(4);
  const nearest = { histogram: new Uint32Array(5), wanted: 1, limit: 4 };
  assert.deepEqual(
    scan({ query: Uint32Array.of(0b1010), codes: Uint32Array.of(0b1011, 0b0101), count: 2, mask: null }, nearest),
    [0, 1, 1, 4],
  );
});
