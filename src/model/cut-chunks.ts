import { crc32 } from 'node:zlib';

/** Chunks end after a line whose hash is 0 modulo this, so that the same lines are cut alike wherever they stand in a file. */
const CUT_EVERY = 25;
const LEAST_BYTES = 32 << 10;
export const MOST_CHUNK_BYTES = 512 << 10;
const NEWLINE = 0x0a;

export interface CutChunk {
  bytes: Buffer;
  /** Line ends in it. */
  lines: number;
}

export interface ChunkCutter {
  /** The chunks that are complete now, whatever pieces the bytes come in. */
  push(bytes: Uint8Array): CutChunk[];
  /** What is left. */
  end(): CutChunk[];
}

/** Cuts a text into chunks of whole lines; a line that is longer than a chunk may be is cut into several. */
export function createCutter(): ChunkCutter {
  let chunk: Buffer[] = [];
  let [size, lines] = [0, 0];
  /** Of the line that has not ended yet. */
  let open: Buffer[] = [];
  let openBytes = 0;
  let done: CutChunk[] = [];

  const flush = (): void => {
    if (size > 0) done.push({ bytes: Buffer.concat(chunk), lines });
    chunk = [];
    [size, lines] = [0, 0];
  };
  const append = (bytes: Buffer): void => {
    chunk.push(bytes);
    size += bytes.length;
  };
  const takeOpen = (): Buffer => {
    const line = open.length === 1 ? open[0]! : Buffer.concat(open);
    open = [];
    openBytes = 0;
    return line;
  };
  /** Of a line that is longer than a chunk, all but the last piece. */
  const cutLong = (): void => {
    if (openBytes <= MOST_CHUNK_BYTES) return;
    flush();
    let rest = takeOpen();
    for (; rest.length > MOST_CHUNK_BYTES; rest = rest.subarray(MOST_CHUNK_BYTES))
      done.push({ bytes: Buffer.from(rest.subarray(0, MOST_CHUNK_BYTES)), lines: 0 });
    open = [rest];
    openBytes = rest.length;
  };
  const endLine = (): void => {
    cutLong();
    const line = takeOpen();
    if (size + line.length > MOST_CHUNK_BYTES) flush();
    append(line);
    lines++;
    if (size >= LEAST_BYTES && crc32(line) % CUT_EVERY === 0) flush();
  };
  const taken = (): CutChunk[] => {
    const out = done;
    done = [];
    return out;
  };

  return {
    push(given) {
      const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
      let from = 0;
      for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, from)) {
        open.push(bytes.subarray(from, at + 1));
        openBytes += at + 1 - from;
        from = at + 1;
        endLine();
      }
      if (from < bytes.length) {
        open.push(bytes.subarray(from));
        openBytes += bytes.length - from;
        cutLong();
      }
      return taken();
    },
    end() {
      if (openBytes > 0) {
        cutLong();
        const rest = takeOpen();
        if (size + rest.length > MOST_CHUNK_BYTES) flush();
        append(rest);
      }
      flush();
      return taken();
    },
  };
}
