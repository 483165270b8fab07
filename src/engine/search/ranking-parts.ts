/** What the ranking does beyond adding up words and meaning. Each can be left out, to see what it is worth. */
export const RANKING_PARTS = ['trust', 'context', 'names', 'speaker', 'time', 'variety'] as const;
export type RankingPart = (typeof RANKING_PARTS)[number];
