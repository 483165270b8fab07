import type { SearchResult } from '../../model/search.ts';
import type { EvaluateOptions } from './evaluate-conversations.ts';
import type { Conversation } from './read-conversations.ts';
import { type Metrics, meanMetrics, quantile } from './score-ranking.ts';
import { seededRandom } from './seeded-random.ts';
import type { StoredConversation } from './store-conversation.ts';

/**
 * engine: what `memory_search` shows an agent that gives the question alone. bare: the ranking, of which a door can only hide something. text, semantic: its
 * two parts alone. fts5: SQLite's own full-text search, the plain baseline.
 */
export const SYSTEMS = ['engine', 'bare', 'text', 'semantic', 'fts5'] as const;
export type System = (typeof SYSTEMS)[number];
/** null: it did not run, or nothing was asked of it. */
export type BySystem = Record<System, Metrics | null>;

export interface CategoryEvaluation {
  category: string;
  questions: number;
  systems: BySystem;
}

/** How well one file's questions were answered. */
export interface Evaluation {
  conversations: number;
  items: number;
  questions: number;
  /** Of the headline figures. */
  k: number;
  /** The mean of the categories' means. */
  macro: BySystem;
  /** The mean over all questions. */
  micro: BySystem;
  byCategory: CategoryEvaluation[];
  /** Of the engine's macro R@k fraction. */
  interval: (Interval & { samples: number; seed: number }) | null;
  verdicts: Verdicts;
  timing: Timing;
  notices: string[];
}

/** Does it know when there is nothing? Rates are null where nothing of the kind was asked. */
export interface Verdicts {
  negatives: number;
  /** Share of the questions without an answer that were answered 'found'. */
  falsePositiveRate: number | null;
  positives: number;
  /** Share of the questions with an answer that were answered 'nothing'. */
  falseNegativeRate: number | null;
}

interface Timing {
  itemsPerSecond: number;
  searchP50Ms: number;
  searchP95Ms: number;
  seconds: number;
}

/** One question, asked. */
export interface Asked {
  category: string;
  verdict: SearchResult['verdict'];
  ms: number;
  /** null for a question without an answer: its verdict is all that counts. */
  scores: BySystem | null;
}

interface Run {
  conversations: readonly Conversation[];
  stored: readonly StoredConversation[];
  options: EvaluateOptions;
  seconds: number;
}

export function summarise(asked: readonly Asked[], { conversations, stored, options, seconds }: Run): Evaluation {
  const { k, bootstrap: samples, seed } = options;
  const groups = groupByCategory(asked);
  const byCategory = [...groups].map(
    ([category, all]): CategoryEvaluation => ({ category, questions: all.length, systems: meanOf(all) }),
  );
  const interval = bootstrapMacro(
    [...groups.values()].map((all) => all.map(({ engine }) => engine!.recall[k]!.fraction)),
    { samples, seed },
  );
  const items = conversations.reduce((sum, one) => sum + one.items.length, 0);
  const storeMs = stored.reduce((sum, one) => sum + one.ms, 0);
  const times = asked.map(({ ms }) => ms);
  return {
    conversations: conversations.length,
    items,
    questions: asked.length,
    k,
    macro: meanOf(byCategory.map(({ systems }) => systems)),
    micro: meanOf([...groups.values()].flat()),
    byCategory,
    interval: interval === null ? null : { ...interval, samples, seed },
    verdicts: countVerdicts(asked),
    timing: {
      itemsPerSecond: (items / storeMs) * 1000,
      searchP50Ms: quantile(times, 0.5),
      searchP95Ms: quantile(times, 0.95),
      seconds,
    },
    notices: listNotices(stored),
  };
}

/** Without the questions that have no answer; categories in the order of their names, numbers by value. */
function groupByCategory(asked: readonly Asked[]): Map<string, BySystem[]> {
  const answered = Map.groupBy(
    asked.filter(({ scores }) => scores !== null),
    ({ category }) => category,
  );
  const byName = [...answered].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }));
  return new Map(byName.map(([category, all]) => [category, all.map(({ scores }) => scores!)]));
}

/** System by system; one that did not run everywhere has no mean. */
export function meanOf(list: readonly BySystem[]): BySystem {
  const entries = SYSTEMS.map((system): [System, BySystem[System]] => {
    const ran = list.map((scores) => scores[system]).filter((metrics) => metrics !== null);
    return [system, ran.length < list.length ? null : meanMetrics(ran)];
  });
  return Object.fromEntries(entries) as BySystem;
}

function countVerdicts(asked: readonly Asked[]): Verdicts {
  const [positives, negatives] = [
    asked.filter(({ scores }) => scores !== null),
    asked.filter(({ scores }) => scores === null),
  ];
  const share = (list: readonly Asked[], verdict: Asked['verdict']): number | null =>
    list.length === 0 ? null : list.filter((one) => one.verdict === verdict).length / list.length;
  return {
    negatives: negatives.length,
    falsePositiveRate: share(negatives, 'found'),
    positives: positives.length,
    falseNegativeRate: share(positives, 'nothing'),
  };
}

function listNotices(stored: readonly StoredConversation[]): string[] {
  const missing = stored.reduce((sum, one) => sum + one.withoutVectors, 0);
  return missing === 0
    ? []
    : [`${missing} items were searched by words only: the embedder returned no vector for them.`];
}

interface Interval {
  low: number;
  high: number;
}

const LEVEL = 0.95;

/**
 * The 95 % interval of the mean of the groups' means, by drawing each group's values again with replacement.
 * Questions on one conversation resemble each other, so against conversations not seen yet it is too narrow.
 */
export function bootstrapMacro(
  groups: readonly (readonly number[])[],
  { samples, seed }: { samples: number; seed: number },
): Interval | null {
  const filled = groups.filter((group) => group.length > 0);
  if (samples === 0 || filled.length === 0) return null;
  const random = seededRandom(seed);
  const means: number[] = [];
  for (let sample = 0; sample < samples; sample++) {
    let sum = 0;
    for (const group of filled) {
      let drawn = 0;
      for (let i = 0; i < group.length; i++) drawn += group[Math.floor(random() * group.length)]!;
      sum += drawn / group.length;
    }
    means.push(sum / filled.length);
  }
  return { low: quantile(means, (1 - LEVEL) / 2), high: quantile(means, (1 + LEVEL) / 2) };
}
