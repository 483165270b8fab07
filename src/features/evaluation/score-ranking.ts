/** Of the gold items among the first k: is there one, what share of them, are they all there. */
export interface Recall {
  any: number;
  fraction: number;
  all: number;
}

/** Each 0 to 1; of one question, or the mean of several. */
export interface Metrics {
  /** By number of first hits. */
  recall: Readonly<Record<number, Recall>>;
  ndcg: number;
  mrr: number;
}

export type Ranking = readonly (string | null)[];

export interface Cuts {
  recallAt: readonly number[];
  ndcgAt: number;
  /** A first gold item behind this rank counts 0 in MRR. */
  mrrAt: number;
}

/** `ranking`: ids, best first, none twice; null where nothing is shown. `gold`: at least one id. */
export function scoreRanking(ranking: Ranking, gold: readonly string[], cuts: Cuts): Metrics {
  const wanted: ReadonlySet<string | null> = new Set(gold);
  const first = ranking.slice(0, cuts.mrrAt).findIndex((id) => wanted.has(id));
  return {
    recall: Object.fromEntries(cuts.recallAt.map((k) => [k, scoreRecall(ranking, wanted, k)])),
    ndcg: scoreNdcg(ranking, wanted, cuts.ndcgAt),
    mrr: first === -1 ? 0 : 1 / (first + 1),
  };
}

function scoreRecall(ranking: Ranking, wanted: ReadonlySet<string | null>, k: number): Recall {
  const found = ranking.slice(0, k).filter((id) => wanted.has(id)).length;
  return { any: found > 0 ? 1 : 0, fraction: found / wanted.size, all: found === wanted.size ? 1 : 0 };
}

/** A gold item is worth 1 wherever it stands in the gold list; rank r is discounted by log2(r + 1). */
function scoreNdcg(ranking: Ranking, wanted: ReadonlySet<string | null>, k: number): number {
  let gain = 0;
  let ideal = 0;
  for (let i = 0; i < k; i++) {
    const worth = 1 / Math.log2(i + 2);
    if (i < wanted.size) ideal += worth;
    if (i < ranking.length && wanted.has(ranking[i] ?? null)) gain += worth;
  }
  return gain / ideal;
}

/** null for an empty list. */
export function meanMetrics(list: readonly Metrics[]): Metrics | null {
  const [first] = list;
  if (first === undefined) return null;
  const cuts = Object.keys(first.recall).map(Number);
  const meanRecall = (k: number, kind: keyof Recall): number => mean(list.map(({ recall }) => recall[k]![kind]));
  return {
    recall: Object.fromEntries(
      cuts.map((k) => [
        k,
        { any: meanRecall(k, 'any'), fraction: meanRecall(k, 'fraction'), all: meanRecall(k, 'all') },
      ]),
    ),
    ndcg: mean(list.map(({ ndcg }) => ndcg)),
    mrr: mean(list.map(({ mrr }) => mrr)),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The smallest value that at least this share of the values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
