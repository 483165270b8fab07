import { type Piece, WINDOW_SIGN } from '../text/word-runs.ts';
import { eachAscending } from './number-list.ts';
import type { Sections } from './segment-format.ts';
import { encodeText, endOfPrefix, findString, lowerBound, type StringTable } from './string-table.ts';

/** Which records hold which runs of letters and digits (word-runs.ts): what contents are looked for by. */
export interface Runs {
  /** The runs that are like a piece; null where they are too many to tell records apart. */
  match(piece: Piece): RunMatch | null;
  /** Records whose contents could not be cut: they may hold anything. */
  readonly uncut: ArrayLike<number>;
  /** Every run in the order of its bytes. */
  list(pace: () => Promise<void> | undefined): Promise<RunList>;
}

export interface RunMatch {
  /** How many records hold them, about. */
  size: number;
  eachRecord(visit: (record: number) => void): void;
}

export interface RunList {
  count: number;
  bytesAt(index: number): Uint8Array;
  /** In any order. */
  eachRecord(index: number, visit: (record: number) => void): void;
}

/** Past so many runs that hold a piece it is short and everywhere. */
const MAX_MATCHES = 20_000;

export type RunSections = Pick<Sections, 'runStart' | 'runBytes' | 'runListStart' | 'runLists' | 'uncut'>;

/** Null for segments that were written before there were runs. */
export function viewRuns({ runStart, runBytes, runListStart, runLists, uncut }: RunSections): Runs | null {
  if (runStart.length === 0) return null;
  const table: StringTable = { count: runStart.length - 1, starts: runStart, bytes: runBytes };
  const eachRecord = (index: number, visit: (record: number) => void) =>
    eachAscending(runLists, runListStart[index]!, runListStart[index + 1]!, visit);
  return {
    uncut,
    match(piece) {
      const found = findMatches(table, piece);
      if (found === null) return null;
      return {
        size: found.reduce((sum, index) => sum + runListStart[index + 1]! - runListStart[index]!, 0),
        eachRecord(visit) {
          for (const index of found) eachRecord(index, visit);
        },
      };
    },
    list: async () => ({
      count: table.count,
      bytesAt: (index) => runBytes.subarray(runStart[index], runStart[index + 1]),
      eachRecord,
    }),
  };
}

/** Windows come before all other runs. */
const AFTER_WINDOWS = encodeText(WINDOW_SIGN).map((byte) => byte + 1);

function findMatches(table: StringTable, { text, begins, ends, inWindow }: Piece): number[] | null {
  const found: number[] = [];
  const windows = lowerBound(table, AFTER_WINDOWS);
  const bytes = encodeText(text);
  if (begins && ends) {
    const index = findString(table, bytes);
    if (index !== -1) found.push(index);
  } else if (begins) {
    const start = lowerBound(table, bytes);
    const end = endOfPrefix(table, bytes, start);
    if (end - start > MAX_MATCHES) return null;
    for (let index = start; index < end; index++) found.push(index);
  } else if (!scan(table, { from: windows, to: table.count, wanted: bytes, atEnd: ends }, found)) return null;
  if (inWindow === null) return found;
  const inside = { from: 0, to: windows, wanted: encodeText(inWindow), atEnd: false };
  return scan(table, inside, found) ? found : null;
}

interface Scan {
  from: number;
  to: number;
  wanted: Uint8Array;
  atEnd: boolean;
}

/** Looks through the bytes of many strings at once; false where too many hold what is wanted. */
function scan({ starts, bytes }: StringTable, { from, to, wanted, atEnd }: Scan, found: number[]): boolean {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, starts[to]);
  let index = from;
  for (let at = all.indexOf(wanted, starts[from]); at !== -1; ) {
    index = seekString(starts, index, to, at);
    const end = starts[index + 1]!;
    if (at + wanted.length <= end && (!atEnd || at + wanted.length === end)) {
      if (found.push(index) > MAX_MATCHES) return false;
      at = all.indexOf(wanted, end);
    } else at = all.indexOf(wanted, at + 1);
  }
  return true;
}

/** The string that holds a byte, from `low` on. */
function seekString(starts: Uint32Array, low: number, high: number, at: number): number {
  let [first, last] = [low, high - 1];
  while (first < last) {
    const middle = (first + last + 1) >>> 1;
    if (starts[middle]! <= at) first = middle;
    else last = middle - 1;
  }
  return first;
}
