import { seek } from './seek.ts';
import { endOfPrefix, lowerBound, type StringTable } from './string-table.ts';

/** Finds strings that could be one edit of a character away: a cheap superset. */
export type FindSimilar = (wanted: Uint8Array) => number[];

/** An insertion or deletion moves the length by one character. */
const MAX_CHARACTER_BYTES = 4;
const LAST_BYTES = 2;
/** Making the list costs as much as going through the strings so often; a single command asks less. */
const LIST_AFTER = 12;

/**
 * One edit (insertion, deletion, substitution, swap of neighbours) leaves untouched either what stands before a character or what stands behind it.
 * So the strings with that beginning are looked at, which lie together, and those with that end, which a list by last bytes names. The list is made
 * when it is worth its while.
 */
export function createFindSimilar(table: StringTable): FindSimilar {
  let byEnd: ByEnd | null = null;
  let asked = 0;
  return (wanted) => {
    table.need?.(0, table.count);
    const middle = startOfMiddle(wanted);
    const head = wanted.subarray(0, middle);
    const tailBytes = wanted.length - endOfCharacter(wanted, middle);
    const start = lowerBound(table, head);
    const end = endOfPrefix(table, head, start);
    const found: number[] = [];
    const spared = wanted.length - 2 * (isPlain(wanted) ? 1 : MAX_CHARACTER_BYTES);
    for (let index = start; index < end; index++) if (looksSimilar(table, index, { wanted, spared })) found.push(index);
    if (tailBytes < LAST_BYTES) return allOf(table.count);
    const key = endKey(wanted, wanted.length);
    const third = tailBytes > LAST_BYTES ? wanted[wanted.length - LAST_BYTES - 1]! : null;
    const hasThird = (index: number) => third === null || thirdLast(table, index) === third;
    const consider = (index: number): void => {
      if ((index < start || index >= end) && looksSimilar(table, index, { wanted, spared })) found.push(index);
    };
    if (asked++ < LIST_AFTER) {
      for (let index = 0; index < table.count; index++)
        if (endsWith(table, index, key) && hasThird(index)) consider(index);
      return found;
    }
    byEnd ??= listByEnd(table);
    const { starts, strings } = byEnd;
    const last = starts[key + 1]!;
    const isBefore = (at: number) => third !== null && thirdLast(table, strings[at]!) < third;
    for (let i = seek(last, isBefore, starts[key]); i < last && hasThird(strings[i]!); i++) consider(strings[i]!);
    return found;
  };
}

/** Judged by what both ends have in common: an edit touches one character of the wanted string, a swap two. The others are spared. */
function looksSimilar(
  { starts, bytes }: StringTable,
  index: number,
  { wanted, spared }: { wanted: Uint8Array; spared: number },
): boolean {
  const start = starts[index]!;
  const length = starts[index + 1]! - start;
  if (Math.abs(length - wanted.length) > MAX_CHARACTER_BYTES) return false;
  const shorter = Math.min(length, wanted.length);
  let head = 0;
  while (head < shorter && bytes[start + head] === wanted[head]) head++;
  let tail = 0;
  while (tail < shorter - head && bytes[start + length - 1 - tail] === wanted[wanted.length - 1 - tail]) tail++;
  return head + tail >= spared;
}

/** Made of characters of one byte. */
function isPlain(text: Uint8Array): boolean {
  return text.every((byte) => byte < 128);
}

function allOf(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** Strings by their last two bytes, within each pair by the byte before it, and ascending; shorter ones are left out. */
interface ByEnd {
  starts: Uint32Array;
  strings: Uint32Array;
}

function listByEnd(table: StringTable): ByEnd {
  const { count, starts, bytes } = table;
  const ends = new Uint32Array(256 ** LAST_BYTES + 1);
  const thirds = new Uint32Array(257);
  const isLong = (index: number) => starts[index + 1]! - starts[index]! >= LAST_BYTES;
  for (let index = 0; index < count; index++) {
    if (isLong(index)) ends[endKey(bytes, starts[index + 1]!)]!++;
    thirds[thirdLast(table, index)]!++;
  }
  addUp(thirds);
  const byThird = new Uint32Array(count);
  for (let index = count - 1; index >= 0; index--) byThird[--thirds[thirdLast(table, index)]!] = index;
  const strings = new Uint32Array(addUp(ends));
  for (let i = count - 1; i >= 0; i--) {
    const index = byThird[i]!;
    if (isLong(index)) strings[--ends[endKey(bytes, starts[index + 1]!)]!] = index;
  }
  return { starts: ends, strings };
}

/** Counts become the places where what was counted ends; returns the last of them. */
function addUp(counts: Uint32Array): number {
  let total = 0;
  for (let key = 0; key < counts.length; key++) {
    total += counts[key]!;
    counts[key] = total;
  }
  return total;
}

/** The last byte but two; 0 where there is none. */
function thirdLast({ starts, bytes }: StringTable, index: number): number {
  const at = starts[index + 1]! - LAST_BYTES - 1;
  return at < starts[index]! ? 0 : bytes[at]!;
}

function endsWith({ starts, bytes }: StringTable, index: number, key: number): boolean {
  const end = starts[index + 1]!;
  return end - starts[index]! >= LAST_BYTES && endKey(bytes, end) === key;
}

function endKey(bytes: Uint8Array, end: number): number {
  return bytes[end - 2]! * 256 + bytes[end - 1]!;
}

/** Where the character in the middle begins. */
function startOfMiddle(text: Uint8Array): number {
  let at = Math.max(0, (text.length - 1) >> 1);
  while (at > 0 && isContinuation(text[at]!)) at--;
  return at;
}

function endOfCharacter(text: Uint8Array, start: number): number {
  let end = start + 1;
  while (end < text.length && isContinuation(text[end]!)) end++;
  return end;
}

/** Of a character of several bytes in UTF-8. */
function isContinuation(byte: number): boolean {
  return byte >>> 6 === 0b10;
}
