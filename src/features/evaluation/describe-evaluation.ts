import type { Metrics } from './score-ranking.ts';
import type { BySystem, Evaluation } from './summarise.ts';

export interface FileEvaluation {
  file: string;
  evaluation: Evaluation;
}

/** Everything one call of `ltm eval` measured. */
export interface EvaluationRun {
  /** null: words alone. */
  embedder: string | null;
  k: number;
  files: FileEvaluation[];
  /** The mean of the files' macro figures. */
  macro: BySystem;
}

/** The JSON that programs read; its names do not change. */
export function describeRun({ embedder, k, files, macro }: EvaluationRun): object {
  return { embedder, k, files: files.map(describeFile), macro: describeSystems(macro, k) };
}

function describeFile({ file, evaluation }: FileEvaluation): object {
  const { conversations, items, questions, k, macro, micro, byCategory, interval, verdicts, timing, notices } =
    evaluation;
  const both = (system: keyof BySystem): object | null => {
    const [overCategories, overQuestions] = [macro[system], micro[system]];
    return overCategories === null || overQuestions === null
      ? null
      : { macro: describeMetrics(overCategories, k), micro: describeMetrics(overQuestions, k) };
  };
  return {
    file,
    conversations,
    items,
    questions,
    engine: both('engine'),
    baselines: { bare: both('bare'), fts5: both('fts5'), text: both('text'), semantic: both('semantic') },
    by_category: Object.fromEntries(
      byCategory.map((one) => [one.category, { questions: one.questions, ...describeSystems(one.systems, k) }]),
    ),
    confidence_interval: interval && {
      of: `engine.macro.r_at_${k}.fraction`,
      level: 0.95,
      low: round(interval.low),
      high: round(interval.high),
      method: 'bootstrap over the questions within each category',
      samples: interval.samples,
      seed: interval.seed,
    },
    negatives: {
      questions: verdicts.negatives,
      false_positive_rate: round(verdicts.falsePositiveRate),
      positives: verdicts.positives,
      false_negative_rate: round(verdicts.falseNegativeRate),
    },
    timing: {
      ingest_items_per_second: Math.round(timing.itemsPerSecond),
      search_p50_ms: round(timing.searchP50Ms),
      search_p95_ms: round(timing.searchP95Ms),
      seconds: round(timing.seconds),
    },
    notices,
  };
}

function describeSystems(systems: BySystem, k: number): Record<string, object | null> {
  return Object.fromEntries(
    Object.entries(systems).map(([system, metrics]) => [system, metrics === null ? null : describeMetrics(metrics, k)]),
  );
}

function describeMetrics({ recall, ndcg, mrr }: Metrics, k: number): object {
  const recalls = Object.entries(recall).map(([cut, { any, fraction, all }]) => [
    `r_at_${cut}`,
    { any: round(any), fraction: round(fraction), all: round(all) },
  ]);
  return { ...Object.fromEntries(recalls), [`ndcg_at_${k}`]: round(ndcg), mrr: round(mrr) };
}

export function round<T extends number | null>(value: T): T {
  return value === null ? value : ((Math.round(value * 10_000) / 10_000) as T);
}
