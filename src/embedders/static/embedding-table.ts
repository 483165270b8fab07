import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { EngineError } from '../../model/errors.ts';

const MAGIC = 'LTMEMBD1';
const HEADER_START = 16;
const MAX_HEADER = 1 << 16;
const SECTIONS = ['pieces', 'pairs', 'scales', 'table'] as const;

export interface TableHeader {
  name: string;
  dimensions: number;
  pieces: number;
  pairs: number;
  sections: Record<(typeof SECTIONS)[number], { offset: number; length: number }>;
  /** Changes with every training: a checksum of header and scales, which are read without the rest. */
  fingerprint: string;
}

/** Rows of pieces, then rows of pairs; a row is `dimensions` numbers of four bits, the lower half of each byte first, 8 standing for 0. */
export interface EmbeddingTable {
  dimensions: number;
  pieces: PieceTable;
  pairs: PairTable;
  scales: Float32Array;
  /** Bytes of all rows; those of one are there once `load` was called for it. */
  rows: Uint8Array;
  load(row: number): void;
  close(): void;
}

/** The little that an id needs; models/train/pack.py says what the file looks like. */
export function readTableHeader(path: string): TableHeader {
  const file = openSync(path, 'r');
  try {
    const start = readAt(file, 0, HEADER_START);
    if (start.toString('latin1', 0, MAGIC.length) !== MAGIC) throw damaged(path);
    const length = start.readUInt32LE(8);
    if (length > MAX_HEADER) throw damaged(path);
    const bytes = readAt(file, HEADER_START, length);
    const header = parseHeader(bytes, path);
    const { offset, length: size } = header.sections.scales;
    const fingerprint = crc32(readAt(file, offset, size), crc32(bytes))
      .toString(16)
      .padStart(8, '0');
    return { ...header, fingerprint };
  } finally {
    closeSync(file);
  }
}

/** All but the rows, which are nine tenths of it: they are read as they are needed. */
export function readTable(path: string, header: TableHeader): EmbeddingTable {
  const { dimensions, sections } = header;
  const file = openSync(path, 'r');
  const part = (name: keyof typeof sections) => readAt(file, sections[name].offset, sections[name].length);
  const pieces = createPieceTable(part('pieces'), header.pieces);
  const pairs = toTyped(part('pairs'), Uint16Array);
  const scales = toTyped(part('scales'), Float32Array);
  const { offset, length } = sections.table;
  const count = header.pieces + header.pairs;
  const isWhole = length === (count * dimensions) / 2 && offset + length <= fstatSync(file).size;
  if (pieces === null || pairs.length !== header.pairs * 2 || scales.length !== count || !isWhole) {
    closeSync(file);
    throw damaged(path);
  }
  const rows = createRows(file, { offset, length, rowBytes: dimensions / 2 });
  return { dimensions, pieces, pairs: createPairTable(pairs, header.pieces), scales, ...rows };
}

/** Rows read from the file together. */
const PAGE_ROWS = 32;
/** A question needs some thirty; whoever needs more will need most of them. */
const MAX_PAGES = 256;

/** The file stays open until all of it is read: another may take its place meanwhile. */
function createRows(
  file: number,
  { offset, length, rowBytes }: { offset: number; length: number; rowBytes: number },
): Pick<EmbeddingTable, 'rows' | 'load' | 'close'> {
  const rows = new Uint8Array(length);
  const pageBytes = PAGE_ROWS * rowBytes;
  const isLoaded = new Uint8Array(Math.ceil(length / pageBytes));
  let pages = 0;
  let isOpen = true;
  const close = (): void => {
    if (isOpen) closeSync(file);
    isOpen = false;
  };
  const read = (start: number, end: number): void => {
    for (let at = start; at < end; ) at += readSync(file, rows, at, end - at, offset + at) || end;
  };
  return {
    rows,
    close,
    load(row) {
      const page = Math.floor(row / PAGE_ROWS);
      if (isLoaded[page] === 1 || !isOpen) return;
      if (++pages > MAX_PAGES) {
        read(0, length);
        isLoaded.fill(1);
        return close();
      }
      read(page * pageBytes, Math.min(length, (page + 1) * pageBytes));
      isLoaded[page] = 1;
    },
  };
}

function parseHeader(bytes: Buffer, path: string): Omit<TableHeader, 'fingerprint'> {
  let header: Omit<TableHeader, 'dimensions' | 'fingerprint'> & { dims: number; bits: number };
  try {
    header = JSON.parse(bytes.toString('utf8'));
  } catch (cause) {
    throw damaged(path, cause);
  }
  const { name, dims, bits, pieces, pairs, sections } = header;
  if (bits !== 4 || dims % 2 !== 0 || SECTIONS.some((section) => sections?.[section] === undefined))
    throw damaged(path);
  return { name, dimensions: dims, pieces, pairs, sections };
}

function readAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, position));
}

/** A view where the bytes lie well for it, a copy elsewhere. */
function toTyped<T extends Uint16Array | Float32Array>(
  bytes: Buffer,
  type: { new (buffer: ArrayBufferLike, offset: number, length: number): T; BYTES_PER_ELEMENT: number },
): T {
  const aligned = bytes.byteOffset % type.BYTES_PER_ELEMENT === 0 ? bytes : new Uint8Array(bytes);
  return new type(aligned.buffer, aligned.byteOffset, Math.floor(aligned.byteLength / type.BYTES_PER_ELEMENT));
}

function damaged(path: string, cause?: unknown): EngineError {
  return new EngineError('embedder_failed', `${path} is not an embedding table, or is damaged.`, {
    hint: 'Install the package again.',
    cause,
  });
}

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
function createPieceTable(lines: Uint8Array, count: number): PieceTable | null {
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

/** Rows of pairs of neighbouring pieces. */
interface PairTable {
  /** -1 where the pair has none. */
  rowOf(left: number, right: number): number;
}

/** An open-addressing hash of numbers: built in a millisecond, and a look allocates nothing. `pairs` holds left and right in turn. */
function createPairTable(pairs: Uint16Array, firstRow: number): PairTable {
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
