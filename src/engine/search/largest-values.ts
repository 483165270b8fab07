/** Remembers the n largest of the values it is shown. */
export interface LargestValues {
  /** The smallest of them; -Infinity until there are n. */
  readonly least: number;
  add(value: number): void;
}

export function createLargestValues(n: number): LargestValues {
  const heap = new Float64Array(n).fill(-Infinity);
  return {
    get least() {
      return heap[0] ?? Infinity;
    },
    add(value) {
      if (value > (heap[0] ?? Infinity)) sink(heap, value);
    },
  };
}

/** Replaces the smallest, which stands first, and restores the order. */
function sink(heap: Float64Array, value: number): void {
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child++;
    if (heap[child]! >= value) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = value;
}

/** The n-th largest of the values, or -Infinity where there are fewer. */
export function nthLargest(values: Float32Array, n: number): number {
  const largest = createLargestValues(n);
  let least = largest.least;
  for (let i = 0; i < values.length; i++) {
    if (values[i]! <= least) continue;
    largest.add(values[i]!);
    least = largest.least;
  }
  return least;
}

/** Sign, exponent and the first five bits of the fraction: few values share them. */
const LEADING_BITS = 14;
/** Of values that are not negative, whose first bit is 0. Used by one call after the other. */
const leadingCounts = new Uint32Array(1 << (LEADING_BITS - 1));

/**
 * The same for many values and a large n, none of them negative: counted by their leading bits first, which order them like the values themselves,
 * so that only those few which share them with the one looked for are sorted.
 */
export function selectLargest(values: Float32Array, n: number): number {
  if (values.length < n) return -Infinity;
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
  const counts = leadingCounts.fill(0);
  const shift = 32 - LEADING_BITS;
  let leading = 0;
  for (let i = 0; i < bits.length; i++) {
    const own = bits[i]! >>> shift;
    counts[own]!++;
    if (own > leading) leading = own;
  }
  let above = 0;
  while (above + counts[leading]! < n) above += counts[leading--]!;
  const level = new Float32Array(counts[leading]!);
  let found = 0;
  for (let i = 0; i < bits.length; i++) if (bits[i]! >>> shift === leading) level[found++] = values[i]!;
  return level.sort()[found - (n - above)]!;
}
