import type { Pieces } from '../../../engine/ports.ts';
import type { StoredRecord } from '../../../model/record.ts';
import { readChunks } from './read-chunks.ts';
import { chunksIn, type HeldChunk } from './transcript-body.ts';

const NEWLINE = 0x0a;

/** The piece in which the line before `offset` ends, and how many line ends of it come before: the line begins there or in the next one. */
function placeOf(chunks: readonly HeldChunk[], offset: number): { from: number; skip: number } {
  let [from, passed] = [0, 0];
  while (from < chunks.length - 1 && passed + chunks[from]!.lines < offset) passed += chunks[from++]!.lines;
  return { from, skip: offset - passed };
}

interface ReadLine {
  bytes: Buffer;
  isCut: boolean;
}

/** One line after the other from `offset` on; of one that is longer than `mostBytes`, its beginning. */
export async function* readLines(
  parts: { store: Pieces },
  { space, body }: StoredRecord,
  { offset, mostBytes }: { offset: number; mostBytes: number },
): AsyncGenerator<ReadLine> {
  const chunks = chunksIn(body);
  const place = placeOf(chunks, offset);
  let { skip } = place;
  let open: Buffer[] = [];
  let [openBytes, isCut] = [0, false];
  const take = (piece: Buffer): void => {
    const room = mostBytes - openBytes;
    if (piece.length > room) isCut = true;
    open.push(piece.subarray(0, Math.max(0, room)));
    openBytes += Math.min(piece.length, Math.max(0, room));
  };
  for await (const { bytes } of readChunks(parts, space, { chunks, from: place.from })) {
    let at = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, at)) {
      if (skip > 0) skip--;
      else {
        take(bytes.subarray(at, end));
        yield { bytes: Buffer.concat(open), isCut };
      }
      open = [];
      [openBytes, isCut] = [0, false];
      at = end + 1;
    }
    if (skip === 0 && at < bytes.length) take(bytes.subarray(at));
  }
  if (openBytes > 0) yield { bytes: Buffer.concat(open), isCut };
}

/** Many lines at a time from `offset` on, none of them in two parts; `next` is the number of the line after them. */
export async function* readWholeLines(
  parts: { store: Pieces },
  { space, body }: StoredRecord,
  offset: number,
): AsyncGenerator<{ bytes: Buffer; next: number }> {
  const chunks = chunksIn(body);
  const { from, skip } = placeOf(chunks, offset);
  let next = offset - skip;
  let open: Buffer[] = [];
  for await (const { bytes, index } of readChunks(parts, space, { chunks, from })) {
    const begin = index === from ? afterLines(bytes, skip) : 0;
    const end = index === chunks.length - 1 ? bytes.length : bytes.lastIndexOf(NEWLINE) + 1;
    next += chunks[index]!.lines;
    if (end > begin) {
      yield { bytes: Buffer.concat([...open, bytes.subarray(begin, end)]), next };
      open = [];
    }
    open.push(bytes.subarray(Math.max(begin, end)));
  }
}

/** Where the line after that many begins; the end, if there are no more. */
function afterLines(bytes: Buffer, count: number): number {
  let at = 0;
  for (let left = count; left > 0; left--) {
    const end = bytes.indexOf(NEWLINE, at);
    if (end < 0) return bytes.length;
    at = end + 1;
  }
  return at;
}

/** The lines that stand in these bytes, without their ends. */
export function* splitLines(bytes: Buffer): Generator<string> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, from);
    const to = end < 0 ? bytes.length : end;
    yield bytes.toString('utf8', from, to);
    from = to + 1;
  }
}
