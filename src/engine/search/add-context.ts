import { createNeighbourFinder, type FindNeighbour, type Turn } from './find-neighbours.ts';
import { MATCH_BASE } from './fuse.ts';
import type { Body } from './index/part.ts';
import { nthLargest } from './largest-values.ts';
import type { SearchPart } from './search-set.ts';
import { isTurn, listTurns } from './turn-links.ts';

/** How much of its neighbours' scores a turn gets: of the better one at each distance, the one before counting more than the one after. */
const BEFORE = 0.4;
const AFTER = 0.35;
const TWO_AWAY = 0.3;
const THREE_AWAY = 0.1;
const REACH = 3;
/** The best of so many passages lend to their neighbours. */
const LENDERS = 80;
/** A short turn is found by what was said around it; from this many words on it stands more and more alone. */
const SHORT_WORDS = 80;

export interface Context {
  scores: Float32Array;
  /** Gives scores to docs that had none because nobody had looked at them. */
  scoreMore(part: SearchPart, docs: Uint32Array): Generator<SearchPart, void, Body>;
}

/** Lets turns of a conversation gain from what stands beside them. Notes that merely lie side by side are left alone. */
export function* addContext(parts: readonly SearchPart[], context: Context): Generator<SearchPart, void, Body> {
  if (!parts.some(({ part }) => listTurns(part) !== null)) return;
  const { scores } = context;
  const find = createNeighbourFinder(parts);
  const turns = gatherTurns(parts, find, listLenders(parts, scores));
  yield* scoreUnseen(turns, context);
  const gains = turns.map((turn) => shortness(turn) * gainOf(turn, find, scores));
  turns.forEach((turn, i) => {
    const doc = bestDoc(turn, scores);
    if (scores[doc]! > 0) scores[doc] = scores[doc]! + gains[i]!;
  });
}

function listLenders(parts: readonly SearchPart[], scores: Float32Array): Turn[] {
  const least = Math.max(nthLargest(scores, LENDERS), Number.MIN_VALUE);
  const lenders: Turn[] = [];
  for (const part of parts) {
    const { docCount, docRecord } = part.part.columns;
    for (let doc = 0; doc < docCount; doc++) {
      if (scores[part.base + doc]! >= least && isTurn(part.part, docRecord[doc]!))
        lenders.push({ part, record: docRecord[doc]! });
    }
  }
  return lenders;
}

/** The lenders and all who can borrow from them, each once. */
function gatherTurns(parts: readonly SearchPart[], find: FindNeighbour, lenders: readonly Turn[]): Turn[] {
  const gathered = new Map<number, Turn>();
  const add = (turn: Turn) => gathered.set(turn.part.base + turn.record + parts.indexOf(turn.part) * 2 ** 32, turn);
  for (const lender of lenders) {
    add(lender);
    for (const step of [1, -1] as const) for (const turn of walk(lender, step, find)) if (turn !== null) add(turn);
  }
  return [...gathered.values()];
}

function walk(turn: Turn, step: 1 | -1, find: FindNeighbour): (Turn | null)[] {
  const path: (Turn | null)[] = [];
  let at: Turn | null = turn;
  for (let distance = 1; distance <= REACH; distance++) {
    at = at === null ? null : find(at, step);
    path.push(at);
  }
  return path;
}

function* scoreUnseen(turns: readonly Turn[], { scores, scoreMore }: Context): Generator<SearchPart, void, Body> {
  for (const [part, own] of Map.groupBy(turns, (turn) => turn.part)) {
    const docs = own.flatMap(({ record }) => {
      const { docStart } = part.part.columns;
      return Array.from({ length: docStart[record + 1]! - docStart[record]! }, (_, i) => docStart[record]! + i);
    });
    const unseen = docs.filter((doc) => scores[part.base + doc] === 0);
    if (unseen.length > 0) yield* scoreMore(part, Uint32Array.from(unseen).sort());
  }
}

function gainOf(turn: Turn, find: FindNeighbour, scores: Float32Array): number {
  const before = walk(turn, -1, find).map((each) => worth(each, scores));
  const after = walk(turn, 1, find).map((each) => worth(each, scores));
  const beside = Math.max(0, BEFORE * before[0]!, AFTER * after[0]!);
  return beside + TWO_AWAY * Math.max(0, before[1]!, after[1]!) + THREE_AWAY * Math.max(0, before[2]!, after[2]!);
}

function worth(turn: Turn | null, scores: Float32Array): number {
  if (turn === null) return 0;
  const score = scores[bestDoc(turn, scores)]!;
  return score === 0 ? 0 : score - MATCH_BASE;
}

function bestDoc({ part, record }: Turn, scores: Float32Array): number {
  const { docStart } = part.part.columns;
  let best = part.base + docStart[record]!;
  for (let doc = best + 1; doc < part.base + docStart[record + 1]!; doc++) if (scores[doc]! > scores[best]!) best = doc;
  return best;
}

function shortness({ part, record }: Turn): number {
  const { docStart, docLength } = part.part.columns;
  let words = 0;
  for (let doc = docStart[record]!; doc < docStart[record + 1]!; doc++) words += docLength[doc]!;
  return Math.min(1, SHORT_WORDS / Math.max(1, words)) ** 2;
}
