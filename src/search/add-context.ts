import { createNeighbourFinder, type FindNeighbour, type Turn } from './find-neighbours.ts';
import type { Body } from './index/part.ts';
import { CONTEXT_REACH, contextGain } from './score.ts';
import type { SearchPart } from './search-set.ts';
import { selectLargest } from './select-largest.ts';
import { isTurn, listTurns } from './turns.ts';

export interface Context {
  scores: Float32Array;
  /** The best of so many passages lend to their neighbours. */
  lenders: number;
  /** Gives scores to docs that had none because nobody had looked at them. */
  scoreMore(part: SearchPart, docs: Uint32Array): Generator<SearchPart, void, Body>;
}

/** Lets turns of a conversation gain from what stands beside them. Notes that merely lie side by side are left alone. */
export function* addContext(parts: readonly SearchPart[], context: Context): Generator<SearchPart, void, Body> {
  if (!parts.some(({ part }) => listTurns(part) !== null)) return;
  const { scores } = context;
  const find = createNeighbourFinder(parts);
  const turns = gatherTurns(parts, find, listLenders(parts, context));
  yield* scoreUnseen(turns, context);
  const score = (turn: Turn | null) => (turn === null ? 0 : scores[bestDoc(turn, scores)]!);
  const gains = turns.map((turn) =>
    contextGain({
      before: walk(turn, -1, find).map(score),
      after: walk(turn, 1, find).map(score),
      words: countWords(turn),
    }),
  );
  turns.forEach((turn, i) => {
    const doc = bestDoc(turn, scores);
    if (scores[doc]! > 0) scores[doc] = scores[doc]! + gains[i]!;
  });
}

function listLenders(parts: readonly SearchPart[], { scores, lenders }: Context): Turn[] {
  const least = Math.max(selectLargest(scores, lenders), Number.MIN_VALUE);
  const turns: Turn[] = [];
  for (const part of parts) {
    const { docCount, docRecord } = part.part.columns;
    for (let doc = 0; doc < docCount; doc++) {
      if (scores[part.base + doc]! >= least && isTurn(part.part, docRecord[doc]!))
        turns.push({ part, record: docRecord[doc]! });
    }
  }
  return turns;
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
  for (let distance = 1; distance <= CONTEXT_REACH; distance++) {
    at = at === null ? null : find(at, step);
    path.push(at);
  }
  return path;
}

function* scoreUnseen(turns: readonly Turn[], { scores, scoreMore }: Context): Generator<SearchPart, void, Body> {
  for (const [part, own] of Map.groupBy(turns, (turn) => turn.part)) {
    const unseen = own.flatMap(listDocs).filter((doc) => scores[part.base + doc] === 0);
    if (unseen.length > 0) yield* scoreMore(part, Uint32Array.from(unseen).sort());
  }
}

function listDocs({ part, record }: Turn): number[] {
  const { docStart } = part.part.columns;
  return Array.from({ length: docStart[record + 1]! - docStart[record]! }, (_, i) => docStart[record]! + i);
}

function bestDoc(turn: Turn, scores: Float32Array): number {
  const { base } = turn.part;
  return base + listDocs(turn).reduce((best, doc) => (scores[base + doc]! > scores[base + best]! ? doc : best));
}

function countWords(turn: Turn): number {
  return listDocs(turn).reduce((sum, doc) => sum + turn.part.part.columns.docLength[doc]!, 0);
}
