import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import type { Chunk } from '../../model/chunk.ts';
import { MOST_CHUNK_BYTES } from '../../model/cut-chunks.ts';
import { EngineError } from '../../model/errors.ts';
import { sha256Of } from '../../model/sha256.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
/** Five times smaller at 400 MB a second; higher levels gain little. */
const LEVEL = 3;
const NEWLINE = 0x0a;
/** A frame says how much memory it wants; pieces want 2 MB, and 8 are granted. */
const UNPACKING = { [constants.ZSTD_d_windowLogMax]: 23 };

async function packBytes(bytes: Uint8Array): Promise<Buffer> {
  return compress(bytes, { params: { [constants.ZSTD_c_compressionLevel]: LEVEL } });
}

/** What came from elsewhere: whatever it claims, no more than a chunk comes out of it. */
export async function unpackGiven(packed: Uint8Array): Promise<Buffer> {
  try {
    return await decompress(packed, { maxOutputLength: MOST_CHUNK_BYTES, params: UNPACKING });
  } catch (cause) {
    throw new EngineError('invalid_input', 'A piece is not compressed as it should be, or is too large.', {
      cause,
      hint: `Send pieces of up to ${MOST_CHUNK_BYTES} bytes, compressed with Zstandard.`,
      details: { field: 'data' },
    });
  }
}

export async function makeChunk(bytes: Buffer, clean: boolean): Promise<Chunk> {
  const sha256 = sha256Of(bytes);
  return { sha256, bytes: bytes.length, lines: countLines(bytes), alias: null, clean, packed: await packBytes(bytes) };
}

/** The bytes of a chunk that is kept, which are what its name says. Markers in place of secrets may have made it a little larger than others. */
export async function unpackChunk({ sha256, bytes: size, packed }: Chunk): Promise<Buffer> {
  // room for all of it at once: pieces of 16 KB that are put together take twice the time
  const chunkSize = Math.min(2 * MOST_CHUNK_BYTES, Math.max(1024, size + 1));
  const bytes = await decompress(packed, { maxOutputLength: 2 * MOST_CHUNK_BYTES, chunkSize, params: UNPACKING }).catch(
    () => null,
  );
  if (bytes !== null && sha256Of(bytes) === sha256) return bytes;
  throw new EngineError('storage_damaged', 'A piece of a transcript is damaged.', {
    hint: 'Run `ltm doctor`; uploading the session again brings it back.',
    details: { what: 'chunk', id: sha256 },
  });
}

export function isDamagedPiece(error: unknown): error is EngineError {
  return error instanceof EngineError && error.code === 'storage_damaged' && error.details?.what === 'chunk';
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) lines++;
  return lines;
}
