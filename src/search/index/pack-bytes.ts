import { promisify } from 'node:util';
import * as zlib from 'node:zlib';

/** Up to here packing takes less than handing it to another thread. */
const SMALL = 128 * 1024;
/** Unpacking is ten times as fast: so much takes three milliseconds. */
const SMALL_UNPACKED = 2 * 1024 * 1024;
/** A piece that is exactly full makes the library ask for another; and it takes none that is smaller. */
const ROOM = 64;
/** Bytes summed between two turns of the event loop. */
const PIECE = 4 * 1024 * 1024;

const compress = promisify(zlib.zstdCompress);
const decompress = promisify(zlib.zstdDecompress);

export async function packBytes(bytes: Uint8Array): Promise<Uint8Array> {
  return bytes.length <= SMALL ? zlib.zstdCompressSync(bytes) : compress(bytes, { chunkSize: bytes.length });
}

/** At once, for what was checked before. */
export function unpackNow(bytes: Uint8Array, length: number): Uint8Array {
  return zlib.zstdDecompressSync(bytes, { maxOutputLength: Math.max(1, length), chunkSize: length + ROOM });
}

export function sumNow(bytes: Uint8Array, before: number): number {
  return zlib.crc32(bytes, before);
}

/** Throws what the library throws where the bytes are not what was packed. */
export async function unpackBytes(bytes: Uint8Array, length: number): Promise<Uint8Array> {
  // In one piece: by default it comes in many of 16 kB, which are handed to and fro and then joined.
  const options = { maxOutputLength: Math.max(1, length), chunkSize: length + ROOM };
  const unpacked =
    length <= SMALL_UNPACKED ? zlib.zstdDecompressSync(bytes, options) : await decompress(bytes, options);
  return unpacked.byteOffset % 8 === 0 ? unpacked : new Uint8Array(unpacked);
}

/** `before`: the sum of what comes before these. */
export async function sumBytes(bytes: Uint8Array, pace: () => Promise<void> | undefined, before = 0): Promise<number> {
  let sum = before;
  for (let at = 0; at < bytes.length; at += PIECE) {
    sum = zlib.crc32(bytes.subarray(at, at + PIECE), sum);
    await pace();
  }
  return sum;
}
