/** Sign, exponent and the first five bits of the fraction: few values share them. */
const LEADING_BITS = 14;
/** Of values that are not negative, whose first bit is 0. Used by one call after the other, each of which leaves zeros. */
const leadingCounts = new Uint32Array(1 << (LEADING_BITS - 1));

/**
 * The n-th largest of the values, none of them negative, or -Infinity where there are fewer. They are counted by their leading bits first, which order
 * them like the values themselves, so that only those few which share them with the one looked for are sorted.
 */
export function selectLargest(values: Float32Array, n: number): number {
  if (values.length < n) return -Infinity;
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
  const counts = leadingCounts;
  const shift = 32 - LEADING_BITS;
  let [lowest, highest] = [counts.length, 0];
  for (let i = 0; i < bits.length; i++) {
    const own = bits[i]! >>> shift;
    counts[own]!++;
    if (own > highest) highest = own;
    if (own < lowest) lowest = own;
  }
  let [leading, above] = [highest, 0];
  while (above + counts[leading]! < n) above += counts[leading--]!;
  const level = new Float32Array(counts[leading]!);
  counts.fill(0, lowest, highest + 1);
  let found = 0;
  for (let i = 0; i < bits.length; i++) if (bits[i]! >>> shift === leading) level[found++] = values[i]!;
  return level.sort()[found - (n - above)]!;
}
