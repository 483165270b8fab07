/** What the ranking does beyond adding up words and meaning. Each can be left out, to see what it is worth. */
export const RANKING_STEPS = ['trust', 'context', 'names', 'speaker', 'time', 'variety'] as const;
export type RankingStep = (typeof RANKING_STEPS)[number];
