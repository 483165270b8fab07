import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as zlib from 'node:zlib';
import { EngineError } from '../../model/errors.ts';
import { streamPrivateFile } from '../../settings/private-file.ts';

/** Node has Zstandard from 22.15 on. */
export const COMPRESSION = typeof zlib.createZstdCompress === 'function' ? 'zst' : 'gz';

export interface FileSum {
  bytes: number;
  sha256: string;
}

type OnBytes = (done: number, total: number) => void;

/** The sum is of what is written. */
export async function compressFile(from: string, to: string, onBytes: OnBytes = () => {}): Promise<FileSum> {
  const sum = createHash('sha256');
  let bytes = 0;
  const summing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sum.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  const compressor = COMPRESSION === 'zst' ? zlib.createZstdCompress() : zlib.createGzip({ level: 3 });
  const counted = countBytes(statSync(from).size, onBytes);
  await streamPrivateFile(to, (stream) =>
    pipeline(createReadStream(from), counted, compressor, summing, stream, { end: false }),
  );
  return { bytes, sha256: sum.digest('hex') };
}

/** `most`: what comes out of it at most; a file that holds more is not the one that was written. */
export async function decompressFile(
  from: string,
  to: string,
  { most, onBytes = () => {} }: { most: number; onBytes?: OnBytes },
): Promise<void> {
  const decompressor = from.endsWith('.zst') ? zlib.createZstdDecompress() : zlib.createGunzip();
  const counted = countBytes(statSync(from).size, onBytes);
  let bytes = 0;
  const bounded = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > most) done(damaged(from));
      else done(null, chunk);
    },
  });
  try {
    await streamPrivateFile(to, (stream) =>
      pipeline(createReadStream(from), counted, decompressor, bounded, stream, { end: false }),
    );
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? '';
    throw /^(?:ZSTD|Z)_/.test(code) ? damaged(from, cause) : cause;
  }
  if (bytes !== most) throw damaged(from);
}

function damaged(path: string, cause?: unknown): EngineError {
  return new EngineError('storage_damaged', `${path} does not hold the database that was noted beside it.`, {
    cause,
    hint: 'Choose another backup; `ltm backup list` shows them. Nothing was changed.',
  });
}

export async function sumFile(path: string): Promise<FileSum> {
  const sum = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    sum.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: sum.digest('hex') };
}

function countBytes(total: number, onBytes: OnBytes): Transform {
  let done = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, next) {
      done += chunk.length;
      onBytes(done, total);
      next(null, chunk);
    },
  });
}
