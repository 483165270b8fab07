const NEWLINE = 10;
const HASH_CHARS = [35, 35] as const;
const FNV_START = 0x811c9dc5;
const FNV_PRIME = 16_777_619;

/** The vocabulary. */
export interface PieceTable {
  /** The row of exactly these bytes of UTF-8, -1 where there is none. `continued`: of the piece that goes on a word, spelt ##… */
  find(bytes: Uint8Array, from: number, to: number, continued: boolean): number;
}

/** An open-addressing hash over the bytes as they lie in the file, one piece on each line: half the time of a Map to build, a tenth of its memory. */
export function createPieceTable(lines: Uint8Array, count: number): PieceTable | null {
  const mask = 2 ** Math.ceil(Math.log2(count * 2 + 2)) - 1;
  const slots = new Int32Array(mask + 1).fill(-1);
  const starts = new Uint32Array(count + 1);
  let row = 0;
  let hash = FNV_START;
  for (let i = 0; i <= lines.length; i++) {
    if (i < lines.length && lines[i] !== NEWLINE) {
      hash = Math.imul(hash ^ lines[i]!, FNV_PRIME);
      continue;
    }
    if (row === count) return null;
    let slot = slotOf(hash, mask);
    while (slots[slot] !== -1) slot = (slot + 1) & mask;
    slots[slot] = row++;
    starts[row] = i + 1;
    hash = FNV_START;
  }
  if (row !== count) return null;
  return {
    find(bytes, from, to, continued) {
      let wanted = FNV_START;
      if (continued) for (const char of HASH_CHARS) wanted = Math.imul(wanted ^ char, FNV_PRIME);
      for (let i = from; i < to; i++) wanted = Math.imul(wanted ^ bytes[i]!, FNV_PRIME);
      for (let slot = slotOf(wanted, mask); slots[slot] !== -1; slot = (slot + 1) & mask) {
        const start = starts[slots[slot]!]!;
        const length = starts[slots[slot]! + 1]! - 1 - start;
        if (isEqual(lines, start, length, { bytes, from, to, continued })) return slots[slot]!;
      }
      return -1;
    },
  };
}

function isEqual(
  lines: Uint8Array,
  start: number,
  length: number,
  wanted: { bytes: Uint8Array; from: number; to: number; continued: boolean },
): boolean {
  const { bytes, from, to, continued } = wanted;
  const skip = continued ? HASH_CHARS.length : 0;
  if (length !== to - from + skip) return false;
  for (let i = 0; i < skip; i++) if (lines[start + i] !== HASH_CHARS[i]) return false;
  for (let i = from, at = start + skip; i < to; i++, at++) if (lines[at] !== bytes[i]) return false;
  return true;
}

function slotOf(hash: number, mask: number): number {
  return (hash ^ (hash >>> 15)) & mask;
}
