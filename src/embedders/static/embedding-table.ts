import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { EngineError } from '../../model/errors.ts';
import { createPairTable, type PairTable } from './pair-table.ts';
import { createPieceTable, type PieceTable } from './piece-table.ts';

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
  rows: Uint8Array;
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

export function readTable(path: string, header: TableHeader): EmbeddingTable {
  const { dimensions, sections } = header;
  const file = readFileSync(path);
  const part = (name: keyof typeof sections) =>
    file.subarray(sections[name].offset, sections[name].offset + sections[name].length);
  const pieces = createPieceTable(part('pieces'), header.pieces);
  const pairs = toTyped(part('pairs'), Uint16Array);
  const scales = toTyped(part('scales'), Float32Array);
  const rows = part('table');
  const count = header.pieces + header.pairs;
  const fits = pairs.length === header.pairs * 2 && scales.length === count && rows.length === (count * dimensions) / 2;
  if (pieces === null || !fits) throw damaged(path);
  return { dimensions, pieces, pairs: createPairTable(pairs, header.pieces), scales, rows };
}

function parseHeader(bytes: Buffer, path: string): Omit<TableHeader, 'fingerprint'> {
  let header: {
    name: string;
    dims: number;
    bits: number;
    pieces: number;
    pairs: number;
    sections: TableHeader['sections'];
  };
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
  return new EngineError('embedder_failed', `${path} is not a table of embeddings, or is damaged.`, {
    hint: 'Install the package again.',
    cause,
  });
}
