import { type Chunk, scrubbedName } from '../../model/chunk.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import type { RecordContent } from '../../model/record.ts';
import type { Redaction } from '../../model/redaction.ts';
import type { ReadSaid } from '../../model/said-line.ts';
import type { FoundInLine, RedactedLines } from '../../privacy/redact-lines.ts';
import type { Clock, Pieces } from '../ports.ts';
import { makeChunk, unpackChunk } from './pack-chunk.ts';

const NEWLINE = 0x0a;
/** Of a line that goes through several pieces, as much as is held and looked at in one. */
const MOST_OPEN_BYTES = 16 << 20;

/** What a kind is given to take secrets out of the pieces that one of its records holds. */
export interface PieceScrubbing {
  cleaner: PieceCleaner;
  readSaid: ReadSaid | undefined;
  /** Otherwise they are only looked for. */
  isApplied: boolean;
}

export interface ScrubbedPieces {
  /** The first hundred. */
  redactions: Redaction[];
  /** Null where they were only looked for. */
  body: JsonObject | null;
  /** Its parts that follow from pieces that are others now. */
  parts: ReadonlyMap<RecordId, (known: RecordContent) => RecordContent>;
}

export interface CleanPiece {
  index: number;
  /** Its name as it was. */
  was: string;
  bytes: Buffer;
  /** Lines are those of the piece. */
  found: FoundInLine[];
  isChanged: boolean;
  /** What became of it does not depend on the pieces around it. */
  isAlone: boolean;
}

export interface PieceCleaner {
  /** These pieces, one after the other, without their secrets. Those that are known to have none are left out, unless all are asked for. */
  walk(names: readonly string[], options?: { all?: boolean }): AsyncGenerator<CleanPiece>;
  /** Writes one that has changed, with pointers from all the names under which it may be sent again. */
  keep(piece: CleanPiece, sentAs: readonly string[]): Promise<{ sha256: string; bytes: number }>;
  /** It has given way to another, wherever it stands. */
  isReplaced(name: string): boolean;
  /** It has given way in one place at least, and is not to be kept for itself. */
  isGone(name: string): boolean;
}

/** Each piece of a space is looked through once, however many records hold it. */
export function createPieceCleaner(
  { store, clock }: { store: Pieces; clock: Clock },
  space: SpaceId,
  redactLines: (bytes: Buffer) => RedactedLines,
): PieceCleaner {
  /** Without secrets, and ending with a line. */
  const sound = new Set<string>();
  const replaced = new Map<string, string>();
  const gone = new Set<string>();

  const read = async (name: string): Promise<Buffer> => {
    const [chunk] = await store.chunks.read(space, [replaced.get(name) ?? name]);
    return unpackChunk(chunk!);
  };

  /** A line that goes on in the next piece is looked at as a whole, and cut again where it was cut, as far as its length allows. */
  const close = (open: readonly OpenLine[]): void => {
    if (open.length === 0) return;
    const line = Buffer.concat(open.map(({ bytes }) => bytes));
    const redacted = redactLines(line);
    if (redacted.found.length === 0) return;
    const ratio = redacted.bytes.length / line.length;
    let from = 0;
    for (const [i, part] of open.entries()) {
      const to = i === open.length - 1 ? redacted.bytes.length : from + Math.floor(part.bytes.length * ratio);
      part.piece[part.at] = redacted.bytes.subarray(from, to);
      part.piece.isChanged = true;
      part.piece.isAlone &&= open.length === 1;
      from = to;
    }
    const [first] = open;
    first!.piece.found.push(...redacted.found.map(({ kind }) => ({ kind, line: first!.line })));
  };

  return {
    isReplaced: (name) => replaced.has(name),
    isGone: (name) => gone.has(name),
    async *walk(names, { all = false } = {}) {
      let open: OpenLine[] = [];
      const waiting: OpenPiece[] = [];
      for (const [index, was] of names.entries()) {
        if (!all && open.length === 0 && sound.has(was)) continue;
        const piece = openPiece(await read(was), { index, was, continues: open.length > 0, redactLines });
        piece.isChanged ||= replaced.has(was);
        if (piece.head.length > 0) open.push({ piece, at: 'head', bytes: piece.head, line: 0 });
        if (piece.lines > 0 || sizeOf(open) > MOST_OPEN_BYTES) {
          close(open);
          open = [];
        }
        waiting.push(piece);
        if (piece.tail.length > 0) open = [{ piece, at: 'tail', bytes: piece.tail, line: piece.lines }];
        const done = open.length === 0 ? waiting.length : open[0]?.piece === piece ? waiting.length - 1 : 0;
        for (const complete of waiting.splice(0, done)) yield finish(complete);
      }
      close(open);
      for (const complete of waiting) yield finish(complete);

      function finish(piece: OpenPiece): CleanPiece {
        const { index, was, isChanged, isAlone, found } = piece;
        const bytes = Buffer.concat([piece.head, piece.body, piece.tail]);
        if (!isChanged && bytes.at(-1) === NEWLINE) sound.add(was);
        return { index, was, bytes, found, isChanged, isAlone };
      }
    },
    async keep({ was, bytes, isAlone }, sentAs) {
      const chunk = await makeChunk(bytes, true);
      const pointers = [...new Set([was, ...sentAs])]
        .filter((name) => name !== chunk.sha256)
        .map(
          (name): Chunk => ({
            ...chunk,
            sha256: scrubbedName(name),
            alias: chunk.sha256,
            packed: new Uint8Array(0),
          }),
        );
      await store.chunks.put(space, [chunk, ...pointers], clock.now());
      if (was !== chunk.sha256) gone.add(was);
      if (was !== chunk.sha256 && isAlone) replaced.set(was, chunk.sha256);
      return chunk;
    },
  };
}

interface OpenPiece {
  index: number;
  was: string;
  /** The end of a line that began in the piece before, whole lines, and the beginning of one that may go on in the next. */
  head: Buffer;
  body: Buffer;
  tail: Buffer;
  /** Line ends in it. */
  lines: number;
  found: FoundInLine[];
  isChanged: boolean;
  isAlone: boolean;
}

interface OpenLine {
  piece: OpenPiece;
  at: 'head' | 'tail';
  bytes: Buffer;
  line: number;
}

interface Opening {
  index: number;
  was: string;
  continues: boolean;
  redactLines: (bytes: Buffer) => RedactedLines;
}

function openPiece(bytes: Buffer, { index, was, continues, redactLines }: Opening): OpenPiece {
  const first = bytes.indexOf(NEWLINE);
  const last = bytes.lastIndexOf(NEWLINE);
  const headEnd = !continues ? 0 : first < 0 ? bytes.length : first;
  const tailStart = Math.max(headEnd, last + 1);
  const body = redactLines(bytes.subarray(headEnd, tailStart));
  let lines = 0;
  for (let at = first; at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) lines++;
  return {
    index,
    was,
    lines,
    found: body.found,
    isChanged: body.found.length > 0,
    isAlone: true,
    head: bytes.subarray(0, headEnd),
    body: body.bytes,
    tail: bytes.subarray(tailStart),
  };
}

function sizeOf(open: readonly OpenLine[]): number {
  return open.reduce((sum, { bytes }) => sum + bytes.length, 0);
}
