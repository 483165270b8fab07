import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import { asFields } from './agent-transcript.ts';

/** A line that holds pictures or a whole prompt says nothing that anybody said. */
const MAX_LINE_BYTES = 8 * 2 ** 20;
const NEWLINE = 0x0a;

/** The objects of a file of JSON lines, compressed or not; null for a line that is none. One line at a time is held, however long the file is. */
export async function* readJsonLines(path: string): AsyncGenerator<Readonly<Record<string, unknown>> | null> {
  const file = createReadStream(path);
  const bytes: Readable = path.endsWith('.zst') ? file.pipe(createZstdDecompress()) : file;
  file.on('error', (error) => bytes.destroy(error));
  let parts: Buffer[] = [];
  let length = 0;
  const take = (): Readonly<Record<string, unknown>> | null | undefined => {
    const isLong = length > MAX_LINE_BYTES;
    const line = isLong ? '' : Buffer.concat(parts).toString('utf8').trim();
    parts = [];
    length = 0;
    if (isLong) return null;
    return line === '' ? undefined : parseLine(line);
  };
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      parts.push(chunk.subarray(from, end));
      length += end - from;
      from = end + 1;
      const line = take();
      if (line !== undefined) yield line;
    }
    length += chunk.length - from;
    if (length <= MAX_LINE_BYTES) parts.push(chunk.subarray(from));
    else parts = [];
  }
  const last = take();
  if (last !== undefined) yield last;
}

function parseLine(line: string): Readonly<Record<string, unknown>> | null {
  // to be told so by an exception takes a hundred times as long
  if (line[0] !== '{') return null;
  try {
    const value = asFields(JSON.parse(line));
    return Object.keys(value).length === 0 ? null : value;
  } catch {
    return null; // cut off by a crash, or of another format: counted by whoever reads
  }
}
