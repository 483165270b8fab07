/** What the ranking does beyond adding up words and meaning. Each can be left out, to see what it is worth. */
export const RANKING_STEPS = ['trust', 'context', 'names', 'speaker', 'time', 'variety'] as const;
export type RankingStep = (typeof RANKING_STEPS)[number];

/** How many docs each step looks at. */
export interface RankLimits {
  /** Candidates for an exact cosine: the nearest by their sign codes, and the best by their words. Those on the border are all in. */
  nearest: number;
  bestByWords: number;
  /** The best so many lend to their neighbours in a conversation. */
  lenders: number;
  /** The best so many are ordered anew by MMR. */
  reranked: number;
  /** With fewer matches than this, leaving some without their stop words does not pay. */
  pruneFrom: number;
}

export const RANK_LIMITS: RankLimits = { nearest: 200, bestByWords: 200, lenders: 80, reranked: 40, pruneFrom: 4000 };

/** Where meaning alone finds, what is not among the nearest is not found: whoever pages on wants more of them. */
export const MEANING_LIMITS: RankLimits = { ...RANK_LIMITS, nearest: 500 };
