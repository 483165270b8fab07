import { addStopWords, type Bm25, scoreKeywords } from './bm25.ts';
import { type Candidate, chooseBest } from './choose-best.ts';
import { countRecords } from './count-records.ts';
import { nthRecordScore } from './doc-lists.ts';
import type { Body } from './index/part.ts';
import { addStopWordsToBest } from './prune-stop-words.ts';
import type { RankRequest } from './rank.ts';
import { MAX_WEIGHT } from './score.ts';
import type { SearchPart } from './search-set.ts';

/** Beyond so many wanted records nearly every doc has a chance. */
export const MAX_PRUNED = 1000;

/** By BM25 alone. */
export function* rankByWords(
  bm25: Bm25,
  request: RankRequest,
): Generator<SearchPart, { best: Candidate[]; total: number }, Body> {
  const { parts, text, matches, stopWords } = bm25;
  yield* scoreKeywords(bm25);
  const contest = { parts, scores: text, request };
  const total = countRecords(parts, text, matches);
  const isInMemory = parts.every(({ part }) => part.body !== null);
  if (stopWords.length === 0 || request.qualityBoost > 0 || request.keep > MAX_PRUNED || !isInMemory) {
    yield* addStopWords(bm25);
    return { best: chooseBest(contest), total };
  }
  const { likely } = yield* addStopWordsToBest(bm25, {
    byKeywords: nthRecordScore(contest, matches, request.keep),
    needed: (among) => (chooseBest(contest, { among })[request.keep - 1]?.score ?? -Infinity) / MAX_WEIGHT,
  });
  return { best: chooseBest(contest, { among: likely }), total };
}
