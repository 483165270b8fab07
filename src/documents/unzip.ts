import { inflateRawSync } from 'node:zlib';
import { EngineError } from '../model/errors.ts';

/** Text of a document is never larger than this; what a file says of itself is not believed. */
const MAX_ENTRY_BYTES = 64 << 20;
/** Of all parts together. */
const MAX_TOTAL_BYTES = 256 << 20;
const MAX_ENTRIES = 10_000;
const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_HEADER = 0x04034b50;
const STORED = 0;
const DEFLATED = 8;

/** The files of a ZIP archive, by their names; each is unpacked when it is asked for, up to a limit. */
export interface Archive {
  names: readonly string[];
  /** Null where there is none. */
  read(name: string): Buffer | null;
}

export function openArchive(bytes: Uint8Array, called: string): Archive {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const damaged = (): EngineError =>
    new EngineError('invalid_input', `${called} is not a sound document: its archive is damaged.`, {
      details: { field: 'name', reason: 'damaged' },
    });
  const entries = new Map<string, { method: number; size: number; offset: number }>();
  let left = MAX_TOTAL_BYTES;
  const end = findEnd(file);
  if (end === null) throw damaged();
  const count = file.readUInt16LE(end + 10);
  let at = file.readUInt32LE(end + 16);
  if (count > MAX_ENTRIES) throw damaged();
  for (let i = 0; i < count; i++) {
    if (at + 46 > file.length || file.readUInt32LE(at) !== DIRECTORY_ENTRY) throw damaged();
    const nameLength = file.readUInt16LE(at + 28);
    const name = file.toString('utf8', at + 46, at + 46 + nameLength);
    entries.set(name, {
      method: file.readUInt16LE(at + 10),
      size: file.readUInt32LE(at + 20),
      offset: file.readUInt32LE(at + 42),
    });
    at += 46 + nameLength + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  return {
    names: [...entries.keys()],
    read(name) {
      const entry = entries.get(name);
      if (entry === undefined) return null;
      const { offset, size, method } = entry;
      if (offset + 30 > file.length || file.readUInt32LE(offset) !== LOCAL_HEADER) throw damaged();
      const start = offset + 30 + file.readUInt16LE(offset + 26) + file.readUInt16LE(offset + 28);
      const packed = file.subarray(start, start + size);
      if (packed.length !== size) throw damaged();
      if (method !== STORED && method !== DEFLATED) throw damaged();
      const most = Math.min(MAX_ENTRY_BYTES, left);
      if (method === STORED && size > most) throw tooLarge(called, most);
      const content = method === STORED ? packed : inflate(packed, most, { called, damaged });
      left -= content.length;
      return content;
    },
  };
}

function inflate(
  packed: Buffer,
  most: number,
  { called, damaged }: { called: string; damaged(): EngineError },
): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, most) });
  } catch (cause) {
    throw cause instanceof RangeError ? tooLarge(called, most) : damaged();
  }
}

function tooLarge(called: string, limit: number): EngineError {
  return new EngineError('too_large', `${called} unpacks to more than is read.`, {
    hint: 'Save it in a plainer format, or split it.',
    details: { field: 'name', reason: 'unpacks_too_large', limit },
  });
}

/** From the end: a comment may follow it. */
function findEnd(file: Buffer): number | null {
  const earliest = Math.max(0, file.length - 65_557);
  for (let at = file.length - 22; at >= earliest; at--) if (file.readUInt32LE(at) === END_OF_DIRECTORY) return at;
  return null;
}
