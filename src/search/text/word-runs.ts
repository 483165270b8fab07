import { avoidPair } from '../../model/cut-text.ts';
import { foldCase } from '../../model/fold-case.ts';
import { classAt, PAIRED, SEGMENTED, WORD } from './char-class.ts';

/** A longer run is kept as windows of this length, each half over the one before: what is no longer than a half lies in one of them whole. */
const LONGEST = 64;
const HALF = LONGEST / 2;
/** Blobs are not cut into windows: their records are looked at whatever is asked for. */
const LONGEST_CUT = 4096;
/** Windows begin with it: no run holds a line break, and they come before all others. */
export const WINDOW_SIGN = '\n';
const UNSPACED = PAIRED | SEGMENTED;

/**
 * The runs of letters and digits that a text consists of, case folded; of scripts without spaces each two neighbours. Any text that holds a
 * needle has runs that match every piece of it (`cutNeedle`), whatever else it has. Each as often as it stands there. Null where the text cannot be cut.
 */
export function cutRuns(content: string): string[] | null {
  const text = foldCase(content);
  if (!text.isWellFormed()) return null;
  const runs: string[] = [];
  let isCut = true;
  scanRuns(text, (start, end, isUnspaced) => {
    if (isUnspaced) addPairs(text.slice(start, end), runs);
    else if (end - start <= LONGEST) runs.push(text.slice(start, end));
    else if (end - start <= LONGEST_CUT)
      for (let at = start; at < end; at += HALF) runs.push(WINDOW_SIGN + text.slice(at, Math.min(end, at + LONGEST)));
    else isCut = false;
  });
  return isCut ? runs : null;
}

/** Characters that are cut in one go, and how far on a blank is looked for where such a piece may end. */
const PIECE = 50_000;
const LOOK_ON = 1_000;

/** The same as `cutRuns`, for long texts, and each once. */
export async function cutRunsInTurns(content: string, pace: () => Promise<void> | undefined): Promise<string[] | null> {
  const all = new Set<string>();
  for (let start = 0; start < content.length; ) {
    const end = endOfPiece(content, start);
    const runs = cutRuns(content.slice(start, end));
    if (runs === null) return null;
    for (const run of runs) all.add(run);
    start = end;
    await pace();
  }
  return [...all];
}

/** A blank belongs to no run, and no letter is folded by what stands beyond it. */
function endOfPiece(content: string, start: number): number {
  const aim = start + PIECE;
  if (aim >= content.length) return content.length;
  const blank = content.slice(aim, aim + LOOK_ON).search(/[ \n]/);
  return blank === -1 ? content.length : aim + blank;
}

function addPairs(run: string, runs: string[]): void {
  const chars = [...run];
  if (chars.length === 1) runs.push(run);
  for (let i = 1; i < chars.length; i++) runs.push(chars[i - 1]! + chars[i]!);
}

type RunSink = (start: number, end: number, isUnspaced: boolean) => void;

/** What a character is to a run hangs on nothing but the character, so that a needle is cut as the texts that hold it are. */
function scanRuns(text: string, emit: RunSink): void {
  let start = 0;
  let open = 0;
  for (let at = 0; at <= text.length; at++) {
    const found = at < text.length ? classAt(text, at) : 0;
    const kind = (found & UNSPACED) !== 0 ? UNSPACED : found & WORD ? WORD : 0;
    if (kind === open) continue;
    if (open !== 0) emit(start, at, open === UNSPACED);
    start = at;
    open = kind;
  }
}

/** What some run of every text that holds a needle must be like. */
export interface Piece {
  text: string;
  /** A run begins, ends with it; neither: holds it somewhere. */
  begins: boolean;
  ends: boolean;
  /** What a window of a longer run holds; null where no such run can match. */
  inWindow: string | null;
}

export interface CutNeedle {
  /** None: nothing can be said of the runs. */
  pieces: readonly Piece[];
  /** A text that matches holds the needle: it is one piece, and that is all of it. */
  isOnePiece: boolean;
}

export function cutNeedle(needle: string): CutNeedle {
  const text = foldCase(needle);
  if (!text.isWellFormed()) return { pieces: [], isOnePiece: false };
  const pieces = new Map<string, Piece>();
  const add = (piece: Piece) => pieces.set(JSON.stringify(piece), piece);
  scanRuns(text, (start, end, isUnspaced) => {
    const run = text.slice(start, end);
    const begins = start > 0;
    const ends = end < text.length;
    if (!isUnspaced) {
      const isWhole = begins && ends && run.length <= LONGEST;
      add({ text: run, begins, ends, inWindow: isWhole ? null : run.slice(0, avoidPair(run, HALF)) });
      return;
    }
    const pairs: string[] = [];
    addPairs(run, pairs);
    const isAlone = [...run].length === 1;
    for (const pair of pairs) add({ text: pair, begins: !isAlone, ends: !isAlone, inWindow: null });
  });
  const [first] = pieces.values();
  const isOnePiece = pieces.size === 1 && first!.text === text && (first!.inWindow ?? text) === text;
  return { pieces: [...pieces.values()], isOnePiece };
}

/** Whether a run is like the piece. */
export function matchesPiece(run: string, { text, begins, ends, inWindow }: Piece): boolean {
  if (run.startsWith(WINDOW_SIGN)) return inWindow !== null && run.includes(inWindow);
  if (begins && ends) return run === text;
  return begins ? run.startsWith(text) : ends ? run.endsWith(text) : run.includes(text);
}
