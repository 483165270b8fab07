import { compareIds } from './index/columns.ts';
import type { SearchPart } from './search-set.ts';

/** A record in the running, by its best doc. */
export interface Contender {
  score: number;
  relevance: number;
  part: SearchPart;
  record: number;
  doc: number;
  /** What was left of its score because a better hit says the same; missing where it says something new. */
  variety?: number;
}

export interface TopRecords {
  /** Scores below this cannot get in any more. */
  readonly least: number;
  offer(contender: Contender): void;
  /** Best first. */
  list(): Contender[];
}

/** Score, then relevance, then the newer one, then the higher id: the same records always come in the same order. */
function compareContenders(a: Contender, b: Contender): number {
  if (a.score !== b.score) return b.score - a.score;
  if (a.relevance !== b.relevance) return b.relevance - a.relevance;
  const newer = b.part.part.columns.createdAt[b.record]! - a.part.part.columns.createdAt[a.record]!;
  if (newer !== 0) return newer;
  const byId = compareIds(b.part.part.columns.ids, b.record, a.part.part.columns.ids, a.record);
  return byId !== 0 ? byId : a.part.space < b.part.space ? -1 : 1;
}

/** Keeps the best `limit` in a heap whose root is the worst of them. */
export function createTopRecords(limit: number): TopRecords {
  const heap: Contender[] = [];
  return {
    get least() {
      return heap.length < limit ? -Infinity : (heap[0]?.score ?? Infinity);
    },
    offer(contender) {
      if (heap.length < limit) {
        heap.push(contender);
        rise(heap, heap.length - 1);
      } else if (heap[0] !== undefined && compareContenders(contender, heap[0]) < 0) {
        heap[0] = contender;
        sink(heap);
      }
    },
    list: () => heap.toSorted(compareContenders),
  };
}

function rise(heap: Contender[], from: number): void {
  let at = from;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (compareContenders(heap[at]!, heap[parent]!) <= 0) return;
    [heap[at], heap[parent]] = [heap[parent]!, heap[at]!];
    at = parent;
  }
}

function sink(heap: Contender[]): void {
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) return;
    if (child + 1 < heap.length && compareContenders(heap[child + 1]!, heap[child]!) > 0) child++;
    if (compareContenders(heap[child]!, heap[at]!) <= 0) return;
    [heap[at], heap[child]] = [heap[child]!, heap[at]!];
    at = child;
  }
}
