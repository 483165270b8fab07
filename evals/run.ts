// node evals/run.ts [FILE…] [--setting=value…]: measures every set and writes evals/results/latest.md.
import { existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../src/features/config.ts';
import {
  type EvaluationRun,
  type FileEvaluation,
  type Metrics,
  runEvaluation,
  SYSTEMS,
  type System,
} from '../src/features/evaluation/run-evaluation.ts';
import { THIS_MACHINE } from '../src/server/this-machine.ts';
import { createLog } from '../src/settings/log.ts';

const K = 10;
const NAMES: Record<System, string> = {
  engine: '**`memory_search`**',
  bare: 'bare ranking',
  text: 'mode `text`',
  semantic: 'mode `semantic`',
  fts5: 'plain FTS5 BM25',
};

/** LoCoMo may be used but not shipped, so it is measured where it lies beside the project. */
function findSets(): string[] {
  const locomo = join(import.meta.dirname, '../../shared/data/locomo/locomo.eval.json.gz');
  return [...(existsSync(locomo) ? [locomo] : []), ...globSync(join(import.meta.dirname, 'data/*.json.gz')).sort()];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map((_, column) => (column < 2 ? '---' : '---:')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

function figures({ recall, ndcg, mrr }: Metrics): string[] {
  const { any, fraction, all } = recall[K]!;
  return [recall[1]!.any, recall[5]!.any, any, fraction, all, ndcg, mrr].map((figure) => figure.toFixed(3));
}

function systemRows(name: string, systems: Record<System, Metrics | null>): string[][] {
  const ran = SYSTEMS.filter((system) => systems[system] !== null);
  return ran.map((system, i) => [i === 0 ? name : '', NAMES[system], ...figures(systems[system]!)]);
}

function macroTable({ files, macro }: EvaluationRun): string {
  const rows = files.flatMap(({ file, evaluation }) => systemRows(nameOf(file), evaluation.macro));
  const head = ['set', '', 'R@1 any', 'R@5 any', `R@${K} any`, `R@${K} fraction`, `R@${K} all`, `NDCG@${K}`, 'MRR'];
  return table(head, files.length > 1 ? [...rows, ...systemRows('mean', macro)] : rows);
}

function categoryTable({ files }: EvaluationRun): string {
  const fraction = (metrics: Metrics | null): string =>
    metrics === null ? '' : metrics.recall[K]!.fraction.toFixed(3);
  const rows = files.flatMap(({ file, evaluation }) =>
    evaluation.byCategory.map(({ category, questions, systems }, i) => {
      const cells = [
        i === 0 ? nameOf(file) : '',
        category,
        String(questions),
        ...SYSTEMS.map((system) => fraction(systems[system])),
      ];
      return [...cells, systems.engine?.recall[K]?.all.toFixed(3) ?? ''];
    }),
  );
  return table(
    ['set', 'category', 'questions', ...SYSTEMS.map((system) => NAMES[system].replaceAll('**', '')), `R@${K} all`],
    rows,
  );
}

function restTable({ files }: EvaluationRun): string {
  const rows = files.map(({ file, evaluation }: FileEvaluation) => {
    const { conversations, items, questions, interval, verdicts, timing } = evaluation;
    const share = (rate: number | null): string => (rate === null ? '' : `${(rate * 100).toFixed(1)} %`);
    return [
      nameOf(file),
      interval === null ? '' : `${interval.low.toFixed(3)}–${interval.high.toFixed(3)}`,
      ...[conversations, items, questions, verdicts.negatives].map(String),
      share(verdicts.falsePositiveRate),
      share(verdicts.falseNegativeRate),
      Math.round(timing.itemsPerSecond).toString(),
      `${timing.searchP50Ms.toFixed(2)} / ${timing.searchP95Ms.toFixed(2)}`,
    ];
  });
  const counts = ['conversations', 'items', 'questions', 'negatives'];
  return table(
    ['set', `95 % of R@${K} fraction`, ...counts, 'false positives', 'false negatives', 'items/s', 'p50 / p95 ms'],
    rows,
  );
}

function nameOf(file: string): string {
  return file.replace(/(\.eval)?\.json(\.gz)?$/, '');
}

function page(run: EvaluationRun): string {
  return `# Latest results

Written by \`node evals/run.ts\`. The [README](../README.md) explains the figures. \`memory_search\` is what the tool shows an agent that gives no argument but the question. Embedder: ${run.embedder === null ? 'none (words only)' : `\`${run.embedder}\``}.

## Macro averages over the categories of each set

${macroTable(run)}

## By category: R@${K} fraction of each system, and R@${K} *all* of \`memory_search\`

${categoryTable(run)}

## Sizes, confidence intervals, unanswerable questions, speed

${restTable(run)}
`;
}

if (import.meta.main) {
  const flags = Object.fromEntries(
    process.argv
      .slice(2)
      .flatMap((word) => [...word.matchAll(/^--([^=]+)=(.*)$/gs)].map(([, name, value]) => [name!, value])),
  );
  const named = process.argv.slice(2).filter((word) => !word.startsWith('--'));
  const results = join(import.meta.dirname, 'results');
  // The defaults, whoever runs it: no variables, and a config file that does not exist.
  const config = loadConfig({ flags, env: {}, file: join(results, 'config.json') });
  const files = named.length > 0 ? named : findSets();
  const seen = new Set<string>();
  const onProgress = (step: string): void => {
    if (!seen.has(step)) console.error(step);
    seen.add(step);
  };
  const run = await runEvaluation(THIS_MACHINE, config, {
    log: createLog('warn'),
    files,
    k: K,
    bootstrap: 1000,
    seed: 1,
    onProgress,
  });
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, 'latest.md'), page(run));
  console.log(page(run));
}
