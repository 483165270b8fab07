import { type Ranking, type RankRequest, rank } from './rank.ts';
import { createScratch, type Scratch } from './scratch.ts';
import type { SearchSet } from './search-set.ts';

/**
 * Ranks what is in memory at once, from the first score to the last without a pause, so that no change comes between.
 * An index larger than its budget is read part by part; its picture was taken before and does not move.
 */
export function runRanking(set: SearchSet, request: RankRequest, scratch: Scratch): Ranking | Promise<Ranking> {
  if (set.lean) return rankPartByPart(set, request);
  const steps = rank(set, request, scratch);
  let step = steps.next();
  while (step.done !== true) step = steps.next(step.value.part.body!);
  return step.value;
}

async function rankPartByPart(set: SearchSet, request: RankRequest): Promise<Ranking> {
  const steps = rank(set, request, createScratch());
  let step = steps.next();
  while (step.done !== true) step = steps.next(await set.readBody(step.value));
  return step.value;
}
