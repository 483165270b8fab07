import type { Evaluation, EvaluationRun, FileEvaluation, Metrics, System } from '../server/run-evaluation.ts';
import { SYSTEMS } from '../server/run-evaluation.ts';
import { safeLine } from './safe-text.ts';
import { showCount } from './show-age.ts';
import { showTable } from './show-table.ts';
import type { Terminal } from './terminal.ts';

const NAMES: Record<System, string> = {
  engine: 'ltm search',
  text: '  its words alone',
  semantic: '  its meaning alone',
  fts5: 'plain FTS5 BM25',
};

export function showEvaluation({ embedder, k, files, macro }: EvaluationRun, terminal: Terminal): void {
  for (const file of files) showFile(file, terminal);
  if (files.length > 1) {
    terminal.print(terminal.paint('bold', `mean of ${files.length} files`));
    showTable(headOf('macro', k), systemRows(macro, k), terminal);
    terminal.print('');
  }
  terminal.print(
    embedder === null
      ? 'There was no embedder: ltm searched by words, and there is no line for meaning alone.'
      : `Embedder: ${safeLine(embedder)}`,
  );
}

function showFile({ file, evaluation }: FileEvaluation, terminal: Terminal): void {
  const { print, paint, warn } = terminal;
  const { conversations, items, questions, k, macro, micro, byCategory } = evaluation;
  const counts = [showCount(conversations, 'conversation'), showCount(items, 'item'), showCount(questions, 'question')];
  print(`${paint('bold', safeLine(file))}  ${counts.join(', ')}`);
  if (macro.engine !== null) {
    showTable(
      headOf(`macro (mean of ${showCount(byCategory.length, 'category', 'categories')})`, k),
      systemRows(macro, k),
      terminal,
    );
    print('');
    showTable(headOf('micro (mean of all questions)', k), systemRows(micro, k), terminal);
    print('');
    const rows = byCategory.map(({ category, questions: own, systems }) => [
      `${safeLine(category)} (${own})`,
      ...figuresOf(systems.engine, k),
    ]);
    showTable(headOf('ltm search by category', k), rows, terminal);
    print('');
  }
  for (const line of describeRest(evaluation)) print(line);
  for (const notice of evaluation.notices) warn(safeLine(notice));
  print('');
}

function headOf(name: string, k: number): string[] {
  return [name, 'R@1 any', 'R@5 any', `R@${k} any`, 'fraction', 'all', `NDCG@${k}`, 'MRR'];
}

function systemRows(systems: Record<System, Metrics | null>, k: number): string[][] {
  return SYSTEMS.filter((system) => systems[system] !== null).map((system) => [
    NAMES[system],
    ...figuresOf(systems[system], k),
  ]);
}

function figuresOf(metrics: Metrics | null, k: number): string[] {
  if (metrics === null) return [];
  const { recall, ndcg, mrr } = metrics;
  const { any, fraction, all } = recall[k]!;
  return [recall[1]!.any, recall[5]!.any, any, fraction, all, ndcg, mrr].map((figure) => figure.toFixed(3));
}

function describeRest({ k, interval, verdicts, timing }: Evaluation): string[] {
  const lines: string[] = [];
  if (interval !== null) {
    const span = `${interval.low.toFixed(3)} to ${interval.high.toFixed(3)}`;
    lines.push(
      `95 % interval of macro R@${k} fraction: ${span} (${interval.samples.toLocaleString('en')} draws of the questions within their categories)`,
    );
  }
  const { negatives, falsePositiveRate, falseNegativeRate } = verdicts;
  if (falsePositiveRate !== null)
    lines.push(`${showCount(negatives, 'question')} without an answer: ${percent(falsePositiveRate)} answered "found"`);
  if (falseNegativeRate !== null)
    lines.push(
      `${showCount(verdicts.positives, 'question')} with an answer: ${percent(falseNegativeRate)} answered "nothing"`,
    );
  const { itemsPerSecond, searchP50Ms, searchP95Ms } = timing;
  const speed = `${Math.round(itemsPerSecond).toLocaleString('en')} items/s stored`;
  lines.push(`${speed}; search p50 ${searchP50Ms.toFixed(2)} ms, p95 ${searchP95Ms.toFixed(2)} ms`);
  return lines;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
