import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as zlib from 'node:zlib';

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
  await pipeline(createReadStream(from), counted, compressor, summing, createWriteStream(to, writing()));
  return { bytes, sha256: sum.digest('hex') };
}

export async function decompressFile(from: string, to: string, onBytes: OnBytes = () => {}): Promise<void> {
  const decompressor = from.endsWith('.zst') ? zlib.createZstdDecompress() : zlib.createGunzip();
  const counted = countBytes(statSync(from).size, onBytes);
  await pipeline(createReadStream(from), counted, decompressor, createWriteStream(to, writing()));
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

function writing(): { flags: string; mode: number; flush: boolean } {
  return { flags: 'wx', mode: 0o600, flush: true };
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
