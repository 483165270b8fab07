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
export const PLACES = {
  query: 0,
  histogram: align(2 * MAX_DIMENSIONS),
  mask: align(6 * MAX_DIMENSIONS + 4),
  /** Found docs; docs whose rows are wanted. */
  found: align(6 * MAX_DIMENSIONS + 4 + CODES_AT_ONCE),
  products: align(6 * MAX_DIMENSIONS + 4 + 5 * CODES_AT_ONCE),
} as const;

/** Other vectors are left to the plain loops. */
export function fitsRegisters(dimensions: number): boolean {
  return dimensions > 0 && dimensions % (8 * LANES) === 0 && dimensions <= MAX_DIMENSIONS;
}

function align(offset: number): number {
  return Math.ceil(offset / LANES) * LANES;
}

/** The loops as a module, small enough to be compiled on the spot. */
export function writeScannerModule(dimensions: number): Uint8Array<ArrayBuffer> {
  return wasm.writeModule(
    [writeScan, writeNear, writeMultiply, writePair].map((write) => write(dimensions)),
    1,
  );
}

/**
 * scan(codes, count, border), where `codes` is the place of the first of them: counts distances into the histogram and lists the docs within the border as doc × 65536 + distance; returns how many bytes.
 * Bits are counted 64 at a time: processors do that in one step, while for vector registers it has to be put together from several.
 */
function writeScan(dimensions: number): wasm.WasmFunction {
  const { I32, I64, get, set, number, add } = wasm;
  const at = PLACES;
  const [code, count, border, doc, out, distance, queryPart] = [0, 1, 2, 3, 4, 5, 6] as const;
  const parts = Array.from({ length: dimensions / LONG_BITS }, (_, i) => i);
  const bits = parts
    .map((i) => wasm.countLong(wasm.xorLong(wasm.loadLong(get(code), i * LONG_BYTES), get(queryPart + i))))
    .reduce(wasm.addLong);
  const slot = wasm.shiftLeft(get(distance), number(2));
  const measure = [
    set(distance, wasm.shorten(bits)),
    wasm.store(slot, at.histogram, add(wasm.load(slot, at.histogram), number(1))),
    wasm.when(wasm.isAtMost(get(distance), get(border)), [
      wasm.store(get(out), at.found, wasm.or(wasm.shiftLeft(get(doc), number(16)), get(distance))),
      set(out, add(get(out), number(4))),
    ]),
  ];
  const body = [
    parts.map((i) => set(queryPart + i, wasm.loadLong(number(at.query), i * LONG_BYTES))),
    wasm.repeatWhile(wasm.isLess(get(doc), get(count)), [
      wasm.when(wasm.loadByte(get(doc), at.mask), measure),
      set(code, add(get(code), number(parts.length * LONG_BYTES))),
      set(doc, add(get(doc), number(1))),
    ]),
    get(out),
  ];
  return {
    name: 'scan',
    params: [I32, I32, I32],
    results: [I32],
    locals: [I32, I32, I32, ...parts.map(() => I64)],
    body,
  };
}

/**
 * near(codes, count, first, all): lists the docs whose first 64 bits differ from the query's in at most `first` places, and all of whose bits in at most `all`;
 * returns how many bytes. Most docs are done with after the first step.
 */
function writeNear(dimensions: number): wasm.WasmFunction {
  const { I32, I64, get, set, number, add } = wasm;
  const at = PLACES;
  const [code, count, first, all, doc, out, queryPart] = [0, 1, 2, 3, 4, 5, 6] as const;
  const parts = Array.from({ length: dimensions / LONG_BITS }, (_, i) => i);
  const differing = (i: number) =>
    wasm.countLong(wasm.xorLong(wasm.loadLong(get(code), i * LONG_BYTES), get(queryPart + i)));
  const body = [
    parts.map((i) => set(queryPart + i, wasm.loadLong(number(at.query), i * LONG_BYTES))),
    wasm.repeatWhile(wasm.isLess(get(doc), get(count)), [
      wasm.when(wasm.isAtMost(wasm.shorten(differing(0)), get(first)), [
        wasm.when(wasm.isAtMost(wasm.shorten(parts.map(differing).reduce(wasm.addLong)), get(all)), [
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
