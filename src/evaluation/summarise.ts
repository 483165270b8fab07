import type { SearchResult } from '../model/search.ts';
import { bootstrapMacro } from './bootstrap-macro.ts';
import type { Conversation } from './conversation.ts';
import type { EvaluateOptions } from './evaluate-conversations.ts';
import {
  type BySystem,
  type CategoryEvaluation,
  type Evaluation,
  SYSTEMS,
  type System,
  type Verdicts,
} from './evaluation.ts';
import { meanMetrics, quantile } from './score-ranking.ts';
import type { StoredConversation } from './store-conversation.ts';

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
  const groups = new Map<string, BySystem[]>();
  for (const category of [...new Set(asked.map((one) => one.category))].sort((a, b) =>
    a.localeCompare(b, 'en', { numeric: true }),
  )) {
    const scores = asked.filter((one) => one.category === category && one.scores !== null).map((one) => one.scores!);
    if (scores.length > 0) groups.set(category, scores);
  }
  return groups;
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
  return missing === 0 ? [] : [`${missing} items were searched by words alone: the embedder gave no vector for them.`];
}
