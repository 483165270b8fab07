import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { EngineError } from '../../model/errors.ts';
import {
  createPairTable,
  createPieceTable,
  encodeLookup,
  makeLookup,
  type PairTable,
  type PieceTable,
  readOrMakeLookup,
} from './piece-lookup.ts';

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
  const lines = part('pieces');
  const pairs = toTyped(part('pairs'), Uint16Array);
  const lookup = readOrMakeLookup(path, { ...header, lines, pairIds: pairs });
  const scales = toTyped(part('scales'), Float32Array);
  const { offset, length } = sections.table;
  const count = header.pieces + header.pairs;
  const isWhole = length === (count * dimensions) / 2 && offset + length <= fstatSync(file).size;
  if (lookup === null || pairs.length !== header.pairs * 2 || scales.length !== count || !isWhole) {
    closeSync(file);
    throw damaged(path);
  }
  const rows = createRows(file, { offset, length, rowBytes: dimensions / 2 });
  const pieces = createPieceTable(lines, lookup);
  return { dimensions, pieces, pairs: createPairTable(lookup, header.pieces), scales, ...rows };
}

/** What the build puts beside the table, so that a start need not make it. */
export function describeLookup(path: string): Uint8Array {
  const header = readTableHeader(path);
  const { pieces, pairs } = header.sections;
  const file = openSync(path, 'r');
  const lines = readAt(file, pieces.offset, pieces.length);
  const pairIds = toTyped(readAt(file, pairs.offset, pairs.length), Uint16Array);
  closeSync(file);
  const lookup = makeLookup({ ...header, lines, pairIds });
  if (lookup === null) throw damaged(path);
  return encodeLookup(header, lookup);
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
  // Counted as the program's own memory, ten megabytes of which most are never read would set off the garbage collector.
  const rows = new Uint8Array(new SharedArrayBuffer(length));
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
