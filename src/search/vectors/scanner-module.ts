import { WORKSPACE_BYTES } from './place-for-scanning.ts';
import { FIRST_BITS } from './sign-code.ts';
import * as wasm from './wasm-module.ts';

/** Bytes of one vector register. */
const LANES = 16;
const LONG_BITS = 64;
const LONG_BYTES = 8;
/** So many longs of a query are kept at hand. */
const MAX_DIMENSIONS = 62 * LONG_BITS;
/** Codes that are looked at in one go, and rows: found docs and products are read after each. */
export const CODES_AT_ONCE = 4096;
export const ROWS_AT_ONCE = 1024;

/** Where things lie in the workspace at the beginning of the module's memory. */
export const PLACES = placeEach({
  query: 2 * MAX_DIMENSIONS,
  histogram: 4 * (MAX_DIMENSIONS + 1),
  second: 4 * (MAX_DIMENSIONS + 1),
  mask: CODES_AT_ONCE,
  /** Found docs; docs whose rows are wanted. */
  found: 4 * CODES_AT_ONCE,
  products: 4 * ROWS_AT_ONCE,
});

function placeEach<Name extends string>(sizes: Record<Name, number>): Record<Name, number> {
  let next = 0;
  const places = Object.entries<number>(sizes).map(([name, size]) => {
    const at = next;
    next = Math.ceil((at + size) / LANES) * LANES;
    return [name, at];
  });
  if (next > WORKSPACE_BYTES) throw new Error('The workspace is too small.');
  return Object.fromEntries(places) as Record<Name, number>;
}

/** Other vectors are left to the plain loops. */
export function fitsRegisters(dimensions: number): boolean {
  return dimensions > 0 && dimensions % (8 * LANES) === 0 && dimensions <= MAX_DIMENSIONS;
}

/** The loops as a module, small enough to be compiled on the spot. */
export function writeScannerModule(dimensions: number): Uint8Array<ArrayBuffer> {
  return wasm.writeModule(
    [writeScan, writeScanAll, writeNear, writeMultiply, writePair].map((write) => write(dimensions)),
    1,
  );
}

/**
 * scan(codes, count, border), where `codes` is the place of the first of them: counts distances into the histogram and lists the docs within the border as
 * doc × 65536 + distance; returns how many bytes. Docs whose mask is 0 are passed over.
 * Bits are counted 64 at a time: processors do that in one step, while for vector registers it has to be put together from several.
 */
function writeScan(dimensions: number): wasm.WasmFunction {
  const { get } = wasm;
  const body = [
    loadQuery(dimensions),
    wasm.repeatWhile(wasm.isLess(get(SCAN.doc), get(SCAN.count)), [
      wasm.when(wasm.loadByte(get(SCAN.doc), PLACES.mask), measureDoc(dimensions, PLACES.histogram)),
      goOn(dimensions),
    ]),
    get(SCAN.out),
  ];
  return describeScan('scan', dimensions, body);
}

/**
 * scanAll(codes, count, border): the same for all docs, whatever their masks, an even number of them. Every other one is counted into a second histogram:
 * most lie at few distances, and counting would wait for the count before.
 */
function writeScanAll(dimensions: number): wasm.WasmFunction {
  const { get } = wasm;
  const body = [
    loadQuery(dimensions),
    wasm.repeatWhile(wasm.isLess(get(SCAN.doc), get(SCAN.count)), [
      measureDoc(dimensions, PLACES.histogram),
      goOn(dimensions),
      measureDoc(dimensions, PLACES.second),
      goOn(dimensions),
    ]),
    get(SCAN.out),
  ];
  return describeScan('scanAll', dimensions, body);
}

/** Locals of both; from `queryPart` on the query. */
const SCAN = { code: 0, count: 1, border: 2, doc: 3, out: 4, distance: 5, queryPart: 6 } as const;

function describeScan(name: string, dimensions: number, body: wasm.Code): wasm.WasmFunction {
  const { I32, I64 } = wasm;
  const locals = [I32, I32, I32, ...longsOf(dimensions).map(() => I64)];
  return { name, params: [I32, I32, I32], results: [I32], locals, body };
}

function longsOf(dimensions: number): number[] {
  return Array.from({ length: dimensions / LONG_BITS }, (_, i) => i);
}

function loadQuery(dimensions: number): wasm.Code {
  return longsOf(dimensions).map((i) =>
    wasm.set(SCAN.queryPart + i, wasm.loadLong(wasm.number(PLACES.query), i * LONG_BYTES)),
  );
}

function measureDoc(dimensions: number, histogram: number): wasm.Code {
  const { get, set, number, add } = wasm;
  const bits = longsOf(dimensions)
    .map((i) => wasm.countLong(wasm.xorLong(wasm.loadLong(get(SCAN.code), i * LONG_BYTES), get(SCAN.queryPart + i))))
    .reduce(wasm.addLong);
  const slot = wasm.shiftLeft(get(SCAN.distance), number(2));
  return [
    set(SCAN.distance, wasm.shorten(bits)),
    wasm.store(slot, histogram, add(wasm.load(slot, histogram), number(1))),
    wasm.when(wasm.isAtMost(get(SCAN.distance), get(SCAN.border)), [
      wasm.store(get(SCAN.out), PLACES.found, wasm.or(wasm.shiftLeft(get(SCAN.doc), number(16)), get(SCAN.distance))),
      set(SCAN.out, add(get(SCAN.out), number(4))),
    ]),
  ];
}

function goOn(dimensions: number): wasm.Code {
  const { get, set, number, add } = wasm;
  return [set(SCAN.code, add(get(SCAN.code), number(dimensions / 8))), set(SCAN.doc, add(get(SCAN.doc), number(1)))];
}

/**
 * near(codes, count, first, all): lists the docs whose first 128 bits differ from the query's in at most `first` places, and all of whose bits in at most `all`;
 * returns how many bytes. Most docs are done with after the first step; after 64 bits a quarter
 * of them would not be, which the processor cannot foresee.
 */
function writeNear(dimensions: number): wasm.WasmFunction {
  const { I32, I64, get, set, number, add } = wasm;
  const at = PLACES;
  const [code, count, first, all, doc, out, queryPart] = [0, 1, 2, 3, 4, 5, 6] as const;
  const parts = Array.from({ length: dimensions / LONG_BITS }, (_, i) => i);
  const differing = (i: number) =>
    wasm.countLong(wasm.xorLong(wasm.loadLong(get(code), i * LONG_BYTES), get(queryPart + i)));
  const sum = (some: readonly number[]) => wasm.shorten(some.map(differing).reduce(wasm.addLong));
  const body = [
    parts.map((i) => set(queryPart + i, wasm.loadLong(number(at.query), i * LONG_BYTES))),
    wasm.repeatWhile(wasm.isLess(get(doc), get(count)), [
      wasm.when(wasm.isAtMost(sum(parts.slice(0, FIRST_BITS / LONG_BITS)), get(first)), [
        wasm.when(wasm.isAtMost(sum(parts), get(all)), [
          wasm.store(get(out), at.found, get(doc)),
          set(out, add(get(out), number(4))),
        ]),
      ]),
      set(code, add(get(code), number(parts.length * LONG_BYTES))),
      set(doc, add(get(doc), number(1))),
    ]),
    get(out),
  ];
  return {
    name: 'near',
    params: [I32, I32, I32, I32],
    results: [I32],
    locals: [I32, I32, ...parts.map(() => I64)],
    body,
  };
}

/** multiply(rows, count), where `rows` is the place of the first of them all: the product of the query with the rows of the docs that are listed. */
function writeMultiply(dimensions: number): wasm.WasmFunction {
  const { I32, V128, get, set, number, add } = wasm;
  const at = PLACES;
  const [rows, count, doc, row, end, factor, slot, sums, bytes] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const;
  const times = (half: wasm.Code, offset: number) =>
    wasm.addInts(get(sums), wasm.dotShorts(half, wasm.loadVector(get(factor), at.query + offset)));
  const body = [
    wasm.repeatWhile(wasm.isLess(get(doc), get(count)), [
      set(slot, wasm.shiftLeft(get(doc), number(2))),
      set(row, add(get(rows), wasm.multiply(wasm.load(get(slot), at.found), number(dimensions)))),
      set(sums, wasm.zeroVector()),
      set(factor, number(0)),
      set(end, add(get(row), number(dimensions))),
      wasm.repeatWhile(wasm.isLess(get(row), get(end)), [
        set(bytes, wasm.loadVector(get(row), 0)),
        set(sums, times(wasm.lowBytes(get(bytes)), 0)),
        set(sums, times(wasm.highBytes(get(bytes)), LANES)),
        set(factor, add(get(factor), number(2 * LANES))),
        set(row, add(get(row), number(LANES))),
      ]),
      wasm.store(get(slot), at.products, sumLanes(sums)),
      set(doc, add(get(doc), number(1))),
    ]),
  ];
  return {
    name: 'multiply',
    params: [I32, I32],
    results: [],
    locals: [I32, I32, I32, I32, I32, V128, V128],
    body,
  };
}

/** pair(a, b): the product of two rows, by their places. */
function writePair(dimensions: number): wasm.WasmFunction {
  const { I32, V128, get, set, add, number } = wasm;
  const [a, b, end, sums, left, right] = [0, 1, 2, 3, 4, 5] as const;
  const times = (half: (bytes: wasm.Code) => wasm.Code) =>
    set(sums, wasm.addInts(get(sums), wasm.dotShorts(half(get(left)), half(get(right)))));
  const body = [
    set(sums, wasm.zeroVector()),
    set(end, add(get(a), number(dimensions))),
    wasm.repeatWhile(wasm.isLess(get(a), get(end)), [
      set(left, wasm.loadVector(get(a), 0)),
      set(right, wasm.loadVector(get(b), 0)),
      times(wasm.lowBytes),
      times(wasm.highBytes),
      set(a, add(get(a), number(LANES))),
      set(b, add(get(b), number(LANES))),
    ]),
    sumLanes(sums),
  ];
  return { name: 'pair', params: [I32, I32], results: [I32], locals: [I32, V128, V128, V128], body };
}

function sumLanes(local: number): wasm.Code {
  return [0, 1, 2, 3].map((i) => wasm.lane(wasm.get(local), i)).reduce(wasm.add);
}
