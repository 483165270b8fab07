import { cutRuns, matchesPiece, type Piece, WINDOW_SIGN } from '../text/word-runs.ts';
import { eachAscending } from './number-list.ts';
import type { Sections } from './segment-format.ts';
import { sortStrings } from './sort-strings.ts';
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
  eachRecord(index: number, visit: (record: number) => void): void;
}

/** Past so many runs that hold a piece it is short and everywhere. */
const MAX_MATCHES = 20_000;

export interface TailRuns extends Runs {
  add(record: number, runs: ReadonlySet<string> | null): void;
  /** One whose runs are cut when they are asked for, or with those of others: that takes a third of the time of one by one. */
  addContent(record: number, content: string): void;
  readonly bytes: number;
}

/** Contents that wait to be cut: half a millisecond's worth. */
const MAX_WAITING = 32;
const MAX_WAITING_CHARS = 20_000;

const RUN_BYTES = 120;
const POSTING_BYTES = 8;

export function createTailRuns(): TailRuns {
  const records = new Map<string, number[]>();
  const uncut: number[] = [];
  let waiting: { record: number; content: string }[] = [];
  let waitingChars = 0;
  let postings = 0;
  const add = (record: number, runs: ReadonlySet<string> | null): void => {
    if (runs === null) uncut.push(record);
    for (const run of runs ?? []) {
      const list = records.get(run);
      if (list === undefined) records.set(run, [record]);
      else list.push(record);
      postings++;
    }
  };
  const cutWaiting = (): void => {
    const cut = waiting;
    waiting = [];
    waitingChars = 0;
    for (const { record, content } of cut) add(record, cutRuns(content));
  };
  const eachOf = (lists: readonly number[][], visit: (record: number) => void) => {
    for (const list of lists) for (const record of list) visit(record);
  };
  return {
    get uncut() {
      cutWaiting();
      return uncut;
    },
    get bytes() {
      return records.size * RUN_BYTES + postings * POSTING_BYTES + waitingChars * 2;
    },
    add(record, runs) {
      // Lists are in the order of records.
      cutWaiting();
      add(record, runs);
    },
    addContent(record, content) {
      waiting.push({ record, content });
      waitingChars += content.length;
      if (waiting.length >= MAX_WAITING || waitingChars > MAX_WAITING_CHARS) cutWaiting();
    },
    match(piece) {
      cutWaiting();
      const isOne = piece.begins && piece.ends && piece.inWindow === null;
      const lists = isOne ? findOne(records, piece) : findSome(records, piece);
      return {
        size: lists.reduce((sum, list) => sum + list.length, 0),
        eachRecord: (visit) => eachOf(lists, visit),
      };
    },
    async list(pace) {
      cutWaiting();
      const texts = [...records.keys()];
      const runs = await sortStrings(texts, pace);
      return {
        count: runs.length,
        bytesAt: (index) => runs[index]!.bytes,
        eachRecord: (index, visit) => eachOf([records.get(texts[runs[index]!.number]!)!], visit),
      };
    },
  };
}

function findOne(records: ReadonlyMap<string, number[]>, { text }: Piece): number[][] {
  const list = records.get(text);
  return list === undefined ? [] : [list];
}

function findSome(records: ReadonlyMap<string, number[]>, piece: Piece): number[][] {
  const lists: number[][] = [];
  for (const [run, list] of records) if (matchesPiece(run, piece)) lists.push(list);
  return lists;
}

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
