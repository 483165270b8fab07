import { promisify } from 'node:util';
import * as zlib from 'node:zlib';

/** Up to here packing takes less than handing it to another thread. */
const SMALL = 128 * 1024;
/** Bytes summed between two turns of the event loop. */
const PIECE = 4 * 1024 * 1024;

const compress = promisify(zlib.zstdCompress);
const decompress = promisify(zlib.zstdDecompress);

export async function packBytes(bytes: Uint8Array): Promise<Uint8Array> {
  return bytes.length <= SMALL ? zlib.zstdCompressSync(bytes) : compress(bytes);
}

/** Throws what the library throws where the bytes are not what was packed. */
export async function unpackBytes(bytes: Uint8Array, length: number): Promise<Uint8Array> {
  const options = { maxOutputLength: Math.max(1, length) };
  const unpacked = length <= SMALL ? zlib.zstdDecompressSync(bytes, options) : await decompress(bytes, options);
  return unpacked.byteOffset % 8 === 0 ? unpacked : new Uint8Array(unpacked);
}

export async function sumBytes(bytes: Uint8Array, pace: () => Promise<void> | undefined): Promise<number> {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += PIECE) {
    sum = zlib.crc32(bytes.subarray(at, at + PIECE), sum);
    await pace();
  }
  return sum;
}
