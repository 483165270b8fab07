import { createReadStream, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGunzip, createZstdDecompress, zstdCompress } from 'node:zlib';
import { createCutter } from '../../../model/cut-chunks.ts';
import { defined } from '../../../model/defined.ts';
import { EngineError } from '../../../model/errors.ts';
import type { Instant } from '../../../model/ids.ts';
import { sha256Of } from '../../../model/sha256.ts';
import { redactLines } from '../../../privacy/redact-lines.ts';
import type { Client } from '../../../verbs/client.ts';

const compress = promisify(zstdCompress);
const NEWLINE = 0x0a;
/** Text that is held at a time, and sent in one request. */
const BATCH_BYTES = 4 << 20;
/** A line beyond it is no longer held whole. */
const MAX_LINE_BYTES = 64 << 20;
/** What comes out of a compressed file, against those that are made to grow. */
const MAX_RATIO = 100;
const LEAST_UNPACKED = 1 << 20;

export interface TranscriptToSend {
  client: Pick<Client, 'planTranscript' | 'uploadChunks' | 'finishTranscript'>;
  workspace: string;
  writeToken: string | undefined;
  session: string;
  file: string;
  source: string | undefined;
  startedAt?: Instant | undefined;
  /** Secrets are replaced before anything leaves this machine. */
  redact: boolean;
  onProgress?(done: number, total: number): void;
}

export interface SentTranscript {
  status: 'stored' | 'duplicate' | 'replaced';
  /** Of the file. */
  bytes: number;
  /** Bytes of text that had to be sent. */
  sent: number;
}

interface Piece {
  index: number;
  sha256: string;
  bytes: Buffer;
}

/** Sends of a file what the server does not have; some megabytes of it are in memory at a time, however long it is. */
export async function sendTranscript(given: TranscriptToSend): Promise<SentTranscript> {
  const { client, workspace, writeToken, session, file, source, startedAt, redact, onProgress } = given;
  const ref = { workspace, writeToken, session };
  const total = statSync(file).size;
  const cutter = createCutter();
  const names: string[] = [];
  let batch: Piece[] = [];
  let [batched, sent, done] = [0, 0, 0];
  const flush = async (): Promise<void> => {
    const pieces = batch;
    batch = [];
    batched = 0;
    if (pieces.length === 0) return;
    const chunks = pieces.map(({ sha256 }) => sha256);
    const { missing, open } = await client.planTranscript({ ...ref, chunks });
    const wanted = new Set(missing);
    const lines: string[] = [JSON.stringify({ write_token: writeToken })];
    for (const { index, sha256, bytes } of pieces) {
      if (!wanted.delete(sha256)) continue;
      const grows = open !== null && open.index === index && sha256Of(bytes.subarray(0, open.bytes)) === open.sha256;
      const data = grows ? bytes.subarray(open.bytes) : bytes;
      sent += data.length;
      const packed = (await compress(data)).toString('base64');
      lines.push(JSON.stringify({ sha256, ...(grows && { base: open.sha256 }), data: packed }));
    }
    if (lines.length > 1) await client.uploadChunks({ workspace, lines: each(lines) });
  };
  const take = async (pieces: readonly { bytes: Buffer }[]): Promise<void> => {
    for (const { bytes } of pieces) {
      const sha256 = sha256Of(bytes);
      batch.push({ index: names.length, sha256, bytes });
      names.push(sha256);
      batched += bytes.length;
      if (batched >= BATCH_BYTES) await flush();
    }
  };
  for await (const bytes of readWholeLines(file, total)) {
    await take(cutter.push(redact ? redactLines(bytes).bytes : bytes));
    done += bytes.length;
    onProgress?.(done, Math.max(done, total));
  }
  await take(cutter.end());
  await flush();
  const { status } = await client.finishTranscript({ ...ref, chunks: names, ...defined({ source, startedAt }) });
  return { status, bytes: done, sent };
}

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

/** Pieces that end with a line, so that none is looked through in halves. What is written while it is read is left for the next time. */
async function* readWholeLines(file: string, size: number): AsyncGenerator<Buffer> {
  if (size === 0) return;
  const raw = createReadStream(file, { end: size - 1 });
  const unpack = file.endsWith('.zst') ? createZstdDecompress() : file.endsWith('.gz') ? createGunzip() : null;
  const stream: Readable = unpack === null ? raw : raw.pipe(unpack);
  raw.on('error', (error) => stream.destroy(error));
  const most = unpack === null ? size : Math.max(LEAST_UNPACKED, size * MAX_RATIO);
  let open: Buffer[] = [];
  let [openBytes, read] = [0, 0];
  for await (const bytes of stream as AsyncIterable<Buffer>) {
    read += bytes.length;
    if (read > most)
      throw new EngineError('too_large', 'it grows too much when it is unpacked.', { details: { limit: most } });
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      yield Buffer.concat([...open, bytes.subarray(0, end)]);
      open = [];
      openBytes = 0;
    }
    if (end < bytes.length) open.push(bytes.subarray(end));
    openBytes += bytes.length - end;
    if (openBytes < MAX_LINE_BYTES) continue;
    yield Buffer.concat(open);
    open = [];
    openBytes = 0;
  }
  if (open.length > 0) yield Buffer.concat(open);
}
