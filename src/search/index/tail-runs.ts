import { cutRuns, matchesPiece, type Piece } from '../text/word-runs.ts';
import { grown } from './growable.ts';
import type { Runs } from './runs.ts';
import { sortStrings } from './sort-strings.ts';

export interface TailRuns extends Runs {
  /** Runs may be named more than once. */
  add(record: number, runs: readonly string[] | null): void;
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
  const held = createHeld();
  const uncut: number[] = [];
  let waiting: { record: number; content: string }[] = [];
  let waitingChars = 0;
  const add = (record: number, runs: readonly string[] | null): void => {
    if (runs === null) uncut.push(record);
    else addAll(held, record, runs);
  };
  const cutWaiting = (): void => {
    const cut = waiting;
    waiting = [];
    waitingChars = 0;
    for (const { record, content } of cut) add(record, cutRuns(content));
  };
  return {
    get uncut() {
      cutWaiting();
      return uncut;
    },
    get bytes() {
      return held.numbers.size * RUN_BYTES + held.rows * POSTING_BYTES + waitingChars * 2;
    },
    add(record, runs) {
      // Chains are in the order of records.
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
      const numbers = isOne ? findOne(held, piece) : findSome(held, piece);
      return {
        size: numbers.reduce((sum, number) => sum + held.sizes[number]!, 0),
        eachRecord(visit) {
          for (const number of numbers) eachOf(held, number, visit);
        },
      };
    },
    async list(pace) {
      cutWaiting();
      const runs = await sortStrings([...held.numbers.keys()], pace);
      return {
        count: runs.length,
        bytesAt: (index) => runs[index]!.bytes,
        eachRecord: (index, visit) => eachOf(held, runs[index]!.number, visit),
      };
    },
  };
}

/** A row for each record that holds a run; the rows of a run are chained from its newest to its oldest. A list for each run takes longer to fill and to read. */
interface Held {
  /** In the order in which runs were first met. */
  numbers: Map<string, number>;
  newest: Int32Array;
  sizes: Uint32Array;
  records: Uint32Array;
  older: Int32Array;
  rows: number;
}

function createHeld(): Held {
  const byRun = { numbers: new Map<string, number>(), newest: new Int32Array(0), sizes: new Uint32Array(0) };
  return { ...byRun, records: new Uint32Array(0), older: new Int32Array(0), rows: 0 };
}

function addAll(held: Held, record: number, runs: readonly string[]): void {
  const first = held.rows;
  held.records = grown(held.records, first + runs.length);
  held.older = grown(held.older, first + runs.length);
  for (const run of runs) {
    const number = held.numbers.get(run) ?? addRun(held, run);
    const newest = held.newest[number]!;
    if (newest >= first) continue;
    const row = held.rows++;
    held.records[row] = record;
    held.older[row] = newest;
    held.newest[number] = row;
    held.sizes[number]!++;
  }
}

function addRun(held: Held, run: string): number {
  const number = held.numbers.size;
  held.numbers.set(run, number);
  held.newest = grown(held.newest, number + 1);
  held.sizes = grown(held.sizes, number + 1);
  held.newest[number] = -1;
  return number;
}

/** From the newest to the oldest. */
function eachOf({ newest, records, older }: Held, number: number, visit: (record: number) => void): void {
  for (let row = newest[number]!; row !== -1; row = older[row]!) visit(records[row]!);
}

function findOne({ numbers }: Held, { text }: Piece): number[] {
  const number = numbers.get(text);
  return number === undefined ? [] : [number];
}

function findSome({ numbers }: Held, piece: Piece): number[] {
  const found: number[] = [];
  for (const [run, number] of numbers) if (matchesPiece(run, piece)) found.push(number);
  return found;
}
