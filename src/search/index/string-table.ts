import { seek } from './seek.ts';

/** Distinct strings in the order of their UTF-8 bytes, searched where they lie: nothing is decoded or hashed when they are loaded. */
export interface StringTable {
  count: number;
  /** count + 1 offsets into `bytes`. */
  starts: Uint32Array;
  bytes: Uint8Array;
  /** Called before these strings are looked at; absent: they are all there. */
  need?(from: number, to: number): void;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function encodeText(text: string): Uint8Array {
  return encoder.encode(text);
}

export function stringAt(table: StringTable, index: number): string {
  return decoder.decode(bytesAt(table, index));
}

export function bytesAt(table: StringTable, index: number): Uint8Array {
  table.need?.(index, index + 1);
  return table.bytes.subarray(table.starts[index], table.starts[index + 1]);
}

/** Index of the first string that is not before `wanted`. */
export function lowerBound(table: StringTable, wanted: Uint8Array): number {
  return seek(table.count, (at) => compareAt(table, at, wanted) < 0);
}

/** Index of this string, or -1. */
export function findString(table: StringTable, wanted: Uint8Array): number {
  const index = lowerBound(table, wanted);
  return index < table.count && compareAt(table, index, wanted) === 0 ? index : -1;
}

/** End of the run of strings from `start` on that begin with `prefix`. */
export function endOfPrefix(table: StringTable, prefix: Uint8Array, start: number): number {
  return seek(table.count, (at) => startsWith(table, at, prefix), start);
}

/** Strings copied between two turns of the event loop. */
const AT_ONCE = 4096;

/** The same as `makeStringTable`, for so many strings that others would have to wait. */
export async function makeStringTableInTurns(
  sorted: readonly Uint8Array[],
  pace: () => Promise<void> | undefined,
): Promise<StringTable> {
  const { starts, length } = placeStrings(sorted);
  const bytes = new Uint8Array(length);
  for (let i = 0; i < sorted.length; i++) {
    bytes.set(sorted[i]!, starts[i]);
    if (i % AT_ONCE === 0) await pace();
  }
  return { count: sorted.length, starts, bytes };
}

export function makeStringTable(sorted: readonly Uint8Array[]): StringTable {
  const { starts, length } = placeStrings(sorted);
  const bytes = new Uint8Array(length);
  for (let i = 0; i < sorted.length; i++) bytes.set(sorted[i]!, starts[i]);
  return { count: sorted.length, starts, bytes };
}

function placeStrings(sorted: readonly Uint8Array[]): { starts: Uint32Array; length: number } {
  const starts = new Uint32Array(sorted.length + 1);
  let length = 0;
  for (let i = 0; i < sorted.length; i++) {
    length += sorted[i]!.length;
    starts[i + 1] = length;
  }
  return { starts, length };
}

export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    const difference = a[i]! - b[i]!;
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

function compareAt(table: StringTable, index: number, wanted: Uint8Array): number {
  table.need?.(index, index + 1);
  const { bytes } = table;
  const start = table.starts[index]!;
  const length = table.starts[index + 1]! - start;
  const shorter = Math.min(length, wanted.length);
  for (let i = 0; i < shorter; i++) {
    const difference = bytes[start + i]! - wanted[i]!;
    if (difference !== 0) return difference;
  }
  return length - wanted.length;
}

function startsWith(table: StringTable, index: number, prefix: Uint8Array): boolean {
  table.need?.(index, index + 1);
  const start = table.starts[index]!;
  if (table.starts[index + 1]! - start < prefix.length) return false;
  for (let i = 0; i < prefix.length; i++) if (table.bytes[start + i] !== prefix[i]) return false;
  return true;
}
