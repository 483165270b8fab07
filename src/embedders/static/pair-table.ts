/** Rows of pairs of neighbouring pieces. */
export interface PairTable {
  /** -1 where the pair has none. */
  rowOf(left: number, right: number): number;
}

/** An open-addressing hash of numbers: built in a millisecond, and a look allocates nothing. `pairs` holds left and right in turn. */
export function createPairTable(pairs: Uint16Array, firstRow: number): PairTable {
  const count = pairs.length / 2;
  const bits = Math.max(4, Math.ceil(Math.log2(count * 2 + 1)));
  const mask = 2 ** bits - 1;
  const keys = new Uint32Array(mask + 1);
  const rows = new Int32Array(mask + 1).fill(-1);
  const slotOf = (key: number): number => {
    let slot = Math.imul(key, 0x9e3779b1) >>> (32 - bits);
    while (rows[slot] !== -1 && keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  };
  for (let i = 0; i < count; i++) {
    const key = pairs[2 * i]! * 65_536 + pairs[2 * i + 1]!;
    const slot = slotOf(key);
    keys[slot] = key;
    rows[slot] = firstRow + i;
  }
  return { rowOf: (left, right) => rows[slotOf(left * 65_536 + right)]! };
}
