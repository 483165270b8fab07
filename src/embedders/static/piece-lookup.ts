import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';

/**
 * Hash tables of the pieces and pairs of an embedding table. To make them takes a new process several milliseconds, so the build writes them to a file beside the
 * table; where that is missing or belongs to another table, they are made.
 */
export interface Lookup {
  /** Open addressing: a piece's row + 1, 0 where there is none. Ids of pieces have 16 bits. */
  pieceSlots: Uint16Array;
  /** Where each piece begins in the list of pieces, one on each line. */
  starts: Uint32Array;
  /** Open addressing: left × 65,536 + right, and the pair's number + 1, 0 where there is none. */
  pairKeys: Uint32Array;
  pairSlots: Uint32Array;
}

interface LookupSource {
  pieces: number;
  pairs: number;
  fingerprint: string;
  lines: Uint8Array;
  /** Left and right in turn. */
  pairIds: Uint16Array;
}

const MAGIC = 'LTMLOOK1';
const MAX_PIECES = 65_535;
const NEWLINE = 10;
const HASH_CHARS = [35, 35] as const;
export const FNV_START = 0x811c9dc5;
const FNV_PRIME = 16_777_619;

export function lookupPath(table: string): string {
  return `${table}.lookup`;
}

/** null: the list does not hold as many pieces as it should. */
export function readOrMakeLookup(table: string, source: LookupSource): Lookup | null {
  return readLookup(lookupPath(table), source) ?? makeLookup(source);
}

/** An open-addressing hash over the bytes as they lie in the file: half the time of a Map to build, a tenth of its memory. */
export function makeLookup(source: LookupSource): Lookup | null {
  const { lines, pieces, pairIds, pairs } = source;
  if (pieces > MAX_PIECES) return null;
  const { pieceSlots, starts, pairKeys, pairSlots } = emptyLookup(source);
  const mask = pieceSlots.length - 1;
  let row = 0;
  let hash = FNV_START;
  for (let i = 0; i <= lines.length; i++) {
    if (i < lines.length && lines[i] !== NEWLINE) {
      hash = Math.imul(hash ^ lines[i]!, FNV_PRIME);
      continue;
    }
    if (row === pieces) return null;
    let slot = slotOf(hash, mask);
    while (pieceSlots[slot] !== 0) slot = (slot + 1) & mask;
    pieceSlots[slot] = ++row;
    starts[row] = i + 1;
    hash = FNV_START;
  }
  if (row !== pieces) return null;
  for (let i = 0; i < pairs; i++) {
    const key = pairIds[2 * i]! * 65_536 + pairIds[2 * i + 1]!;
    const slot = pairSlotOf({ pairKeys, pairSlots }, key);
    pairKeys[slot] = key;
    pairSlots[slot] = i + 1;
  }
  return { pieceSlots, starts, pairKeys, pairSlots };
}

/** As `readOrMakeLookup` finds it. */
export function encodeLookup({ fingerprint }: { fingerprint: string }, lookup: Lookup): Uint8Array {
  return Buffer.concat([Buffer.from(MAGIC + fingerprint, 'latin1'), ...listParts(lookup)]);
}

function readLookup(path: string, source: LookupSource): Lookup | null {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return null;
  const file = openSync(path, 'r');
  try {
    const name = Buffer.from(MAGIC + source.fingerprint, 'latin1');
    const lookup = emptyLookup(source);
    const parts = listParts(lookup);
    const size = parts.reduce((sum, part) => sum + part.byteLength, name.length);
    if (fstatSync(file).size !== size || !readInto(file, Buffer.alloc(name.length), 0).equals(name)) return null;
    let position = name.length;
    for (const part of parts) {
      readInto(file, part, position);
      position += part.byteLength;
    }
    return lookup.starts[source.pieces] === source.lines.length + 1 ? lookup : null;
  } finally {
    closeSync(file);
  }
}

function readInto<T extends Uint8Array>(file: number, bytes: T, position: number): T {
  for (let at = 0; at < bytes.length; )
    at += readSync(file, bytes, at, bytes.length - at, position + at) || bytes.length;
  return bytes;
}

function emptyLookup({ pieces, pairs }: Pick<LookupSource, 'pieces' | 'pairs'>): Lookup {
  const pairSize = 2 ** Math.max(4, Math.ceil(Math.log2(pairs * 2 + 1)));
  return {
    pieceSlots: new Uint16Array(2 ** Math.ceil(Math.log2(pieces * 2 + 2))),
    starts: new Uint32Array(pieces + 1),
    pairKeys: new Uint32Array(pairSize),
    pairSlots: new Uint32Array(pairSize),
  };
}

function listParts({ pieceSlots, starts, pairKeys, pairSlots }: Lookup): Uint8Array[] {
  return [pieceSlots, starts, pairKeys, pairSlots].map(
    ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength),
  );
}

/** The vocabulary. */
export interface PieceTable {
  /** The row of exactly these bytes of UTF-8, -1 where there is none. `continued`: of the piece that goes on a word, spelt ##… */
  find(bytes: Uint8Array, from: number, to: number, continued: boolean): number;
  /** The same for the first bytes up to `length`, whose hash is known. */
  findHashed(hash: number, bytes: Uint8Array, length: number): number;
}

export function createPieceTable(lines: Uint8Array, { pieceSlots, starts }: Lookup): PieceTable {
  const mask = pieceSlots.length - 1;
  const seek = (hash: number, bytes: Uint8Array, from: number, to: number, continued: boolean): number => {
    for (let slot = slotOf(hash, mask); pieceSlots[slot] !== 0; slot = (slot + 1) & mask) {
      const row = pieceSlots[slot]! - 1;
      const start = starts[row]!;
      const length = starts[row + 1]! - 1 - start;
      if (isEqual(lines, start, length, { bytes, from, to, continued })) return row;
    }
    return -1;
  };
  return {
    find(bytes, from, to, continued) {
      let wanted = FNV_START;
      if (continued) for (const char of HASH_CHARS) wanted = addToHash(wanted, char);
      for (let i = from; i < to; i++) wanted = addToHash(wanted, bytes[i]!);
      return seek(wanted, bytes, from, to, continued);
    },
    findHashed: (hash, bytes, length) => seek(hash, bytes, 0, length, false),
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

export function addToHash(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, FNV_PRIME);
}

function slotOf(hash: number, mask: number): number {
  return (hash ^ (hash >>> 15)) & mask;
}

/** Rows of pairs of neighbouring pieces. */
export interface PairTable {
  /** -1 where the pair has none. */
  rowOf(left: number, right: number): number;
}

export function createPairTable(lookup: Lookup, firstRow: number): PairTable {
  const { pairSlots } = lookup;
  return {
    rowOf(left, right) {
      const place = pairSlots[pairSlotOf(lookup, left * 65_536 + right)]!;
      return place === 0 ? -1 : firstRow + place - 1;
    },
  };
}

function pairSlotOf({ pairKeys, pairSlots }: Pick<Lookup, 'pairKeys' | 'pairSlots'>, key: number): number {
  const mask = pairSlots.length - 1;
  let slot = Math.imul(key, 0x9e3779b1) >>> Math.clz32(mask);
  while (pairSlots[slot] !== 0 && pairKeys[slot] !== key) slot = (slot + 1) & mask;
  return slot;
}
