import { crc32, inflateRawSync } from 'node:zlib';
import { EngineError } from '../../../model/errors.ts';

/** Text of a document is never larger than this; what a file says of itself is not believed. */
const MAX_ENTRY_BYTES = 64 << 20;
/** Of all parts together. */
const MAX_TOTAL_BYTES = 256 << 20;
const MAX_ENTRIES = 10_000;
const MAX_NAME_BYTES = 1024;
/** A part beyond so many bytes that grows more than so many times was made to; sheets of the same row over and over do not reach it. */
const FREE_BYTES = 16 << 20;
const MAX_RATIO = 200;
const ENCRYPTED = 1;
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

interface Entry {
  /** As its bytes are: names of one entry in two places must be the same. */
  name: Buffer;
  method: number;
  crc: number;
  size: number;
  plainSize: number;
  offset: number;
}

/** Nothing is ever written under the names of an archive; still, one whose names lead elsewhere, or mean two things, was made to deceive and is not read. */
export function openArchive(bytes: Uint8Array, called: string): Archive {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const damaged = (): EngineError =>
    new EngineError('invalid_input', `${called} is not a sound document: its archive is damaged.`, {
      details: { field: 'name', reason: 'damaged' },
    });
  const entries = new Map<string, Entry>();
  const folded = new Set<string>();
  let left = MAX_TOTAL_BYTES;
  for (const entry of listEntries(file, called, damaged)) {
    const name = entry.name.toString('utf8');
    const fault = findNameFault(name, entry.name);
    if (fault !== null) throw unsafe(called, fault);
    const plain = name.normalize('NFC').toLowerCase();
    if (folded.has(plain)) throw unsafe(called, 'two of its parts have the same name');
    folded.add(plain);
    entries.set(name, entry);
  }
  return {
    names: [...entries.keys()],
    read(name) {
      const entry = entries.get(name);
      if (entry === undefined) return null;
      const { offset, size, method } = entry;
      if (offset + 30 > file.length || file.readUInt32LE(offset) !== LOCAL_HEADER) throw damaged();
      const nameEnd = offset + 30 + file.readUInt16LE(offset + 26);
      if (!file.subarray(offset + 30, nameEnd).equals(entry.name)) throw unsafe(called, 'a part has two names');
      const start = nameEnd + file.readUInt16LE(offset + 28);
      const packed = file.subarray(start, start + size);
      if (packed.length !== size) throw damaged();
      if (method !== STORED && method !== DEFLATED) throw damaged();
      const most = Math.min(MAX_ENTRY_BYTES, left);
      if (method === STORED && size > most) throw tooLarge(called, most);
      const content = method === STORED ? packed : inflate(packed, most, { called, damaged });
      if (content.length > FREE_BYTES && content.length > MAX_RATIO * size) throw tooLarge(called, MAX_RATIO * size);
      if (content.length !== entry.plainSize || crc32(content) !== entry.crc) throw damaged();
      left -= content.length;
      return content;
    },
  };
}

function* listEntries(file: Buffer, called: string, damaged: () => EngineError): Generator<Entry> {
  const end = findEnd(file);
  if (end === null) throw damaged();
  const count = file.readUInt16LE(end + 10);
  let at = file.readUInt32LE(end + 16);
  if (count > MAX_ENTRIES) throw tooLarge(called, MAX_ENTRIES);
  for (let i = 0; i < count; i++) {
    if (at + 46 > file.length || file.readUInt32LE(at) !== DIRECTORY_ENTRY) throw damaged();
    const nameEnd = at + 46 + file.readUInt16LE(at + 28);
    if (nameEnd > file.length) throw damaged();
    if ((file.readUInt16LE(at + 8) & ENCRYPTED) !== 0)
      throw new EngineError('invalid_input', `${called} is protected by a password.`, {
        hint: 'Save it without one.',
        details: { field: 'name', reason: 'encrypted' },
      });
    // Links and devices, as systems of the Unix family mark them.
    const type = (file.readUInt32LE(at + 38) >>> 16) & 0o170000;
    if (type !== 0 && type !== 0o100000 && type !== 0o040000)
      throw unsafe(called, 'a part of it is a link or a device');
    yield {
      name: file.subarray(at + 46, nameEnd),
      method: file.readUInt16LE(at + 10),
      crc: file.readUInt32LE(at + 16),
      size: file.readUInt32LE(at + 20),
      plainSize: file.readUInt32LE(at + 24),
      offset: file.readUInt32LE(at + 42),
    };
    at = nameEnd + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
}

function findNameFault(name: string, bytes: Buffer): string | null {
  if (!Buffer.from(name).equals(bytes)) return 'a name in it is not Unicode';
  if (bytes.length === 0 || bytes.length > MAX_NAME_BYTES) return 'a name in it is empty or too long';
  if (name.includes('\0')) return 'a name in it has a zero byte';
  const parts = name.split(/[/\\]/);
  if (parts[0] === '' || /^[a-z]:/i.test(name) || parts.includes('..')) return 'a name in it leads outside';
  return null;
}

function unsafe(called: string, why: string): EngineError {
  return new EngineError('invalid_input', `${called} is not read: ${why}.`, {
    hint: 'Open it in the program it is for, and save it anew.',
    details: { field: 'name', reason: 'unsafe_archive' },
  });
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
