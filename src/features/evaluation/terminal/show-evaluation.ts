import { safeLine, showCount } from '../../../cli/safe-text.ts';
import { showTable } from '../../../cli/show-table.ts';
import type { Terminal } from '../../../cli/terminal.ts';
import { cutText, wrapText } from '../../../cli/text-width.ts';
import {
  type Evaluation,
  type EvaluationRun,
  type FileEvaluation,
  type Found,
  type Metrics,
  type OwnEvaluation,
  SYSTEMS,
  type System,
} from '../run-evaluation.ts';

const NAMES: Record<System, string> = {
  engine: 'memory_search',
  bare: '  bare ranking',
  text: '  mode text',
  semantic: '  mode semantic',
  fts5: 'plain FTS5 BM25',
};

export function showEvaluation({ embedder, k, files, macro }: EvaluationRun, terminal: Terminal): void {
  for (const file of files) showFile(file, terminal);
  if (files.length > 1) {
    terminal.print(terminal.paint('bold', `mean of ${files.length} files`));
    showSystems('macro', macro, { k, terminal });
  }
  terminal.print(
    embedder === null
      ? 'There was no embedder: ltm searched by words only, so mode semantic was not measured.'
      : `Embedder: ${safeLine(embedder)}`,
  );
  terminal.print(
    terminal.paint('dim', 'memory_search is what an agent is shown that asks with no argument but the question.'),
  );
}

function showFile({ file, evaluation }: FileEvaluation, terminal: Terminal): void {
  const { print, paint, warn } = terminal;
  const { conversations, items, questions, k, macro, micro, byCategory } = evaluation;
  const counts = [showCount(conversations, 'conversation'), showCount(items, 'item'), showCount(questions, 'question')];
  print(`${paint('bold', safeLine(file))}  ${counts.join(', ')}`);
  if (macro.engine !== null) {
    const categories = showCount(byCategory.length, 'category', 'categories');
    showSystems(`macro (mean of ${categories})`, macro, { k, terminal });
    showSystems('micro (mean of all questions)', micro, { k, terminal });
    const rows = byCategory.map(({ category, questions: own, systems }) => [
      `${safeLine(category)} (${own})`,
      ...figuresOf(systems.engine, k),
    ]);
    showTable([headOf('memory_search by category', k), ...rows], terminal, { hasFigures: true });
    print('');
  }
  for (const line of describeRest(evaluation)) print(line);
  for (const notice of evaluation.notices) warn(safeLine(notice));
  print('');
}

function headOf(name: string, k: number): string[] {
  return [name, 'R@1 any', 'R@5 any', `R@${k} any`, 'fraction', 'all', `NDCG@${k}`, 'MRR'];
}

function showSystems(
  name: string,
  systems: Record<System, Metrics | null>,
  { k, terminal }: { k: number; terminal: Terminal },
): void {
  const shown = SYSTEMS.filter((system) => systems[system] !== null);
  const rows = shown.map((system) => [NAMES[system], ...figuresOf(systems[system], k)]);
  showTable([headOf(name, k), ...rows], terminal, { hasFigures: true });
  terminal.print('');
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
      `95 % interval of macro R@${k} fraction: ${span} (${interval.samples.toLocaleString('en')} bootstrap samples within each category)`,
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

const KINDS: Record<OwnEvaluation['byKind'][number]['kind'], string> = {
  rare_words: 'a few rare words',
  no_identifiers: 'words without identifiers',
  half_the_words: 'half the words of a sentence',
  other_words: 'some words replaced',
  question: 'what, which, why',
  two_words: 'any two words',
};

const MEANING =
  'These figures show whether a memory is found by somebody who remembers some of its words. A low figure is a real problem. ' +
  'They do not show whether questions in entirely different words find it, because the questions are generated from the memories by rule, ' +
  'and some make little sense. Another memory that says the same may rightly come first. Nothing was written.';

export function showOwnEvaluation(own: OwnEvaluation, terminal: Terminal): void {
  const { print, paint, width } = terminal;
  const { memories, all, byKind, text, semantic, nothingRate, misses, searchP50Ms, searchP95Ms } = own;
  print(`${showCount(all.questions, 'question')} made from ${showCount(memories, 'memory', 'memories')}\n`);
  const rows = [
    ['the memory was found', 'questions', 'first', 'in 5', 'in 10'],
    ['memory_search', ...sharesOf(all)],
    ...byKind.map(({ kind, found }) => [`  ${KINDS[kind]}`, ...sharesOf(found)]),
    ['words alone', ...sharesOf(text)],
    ...(semantic === null ? [] : [['meaning alone', ...sharesOf(semantic)]]),
  ];
  showTable(rows, terminal, { hasFigures: true });
  if (semantic === null) print(paint('dim', 'There was no embedder: searched by words.'));
  print(
    `\n${percent(nothingRate)} were answered "nothing". Search p50 ${searchP50Ms.toFixed(2)} ms, p95 ${searchP95Ms.toFixed(2)} ms.`,
  );
  if (misses.length > 0) {
    print(`\n${paint('bold', 'Worst misses')}`);
    for (const { rank, kind, id, title } of misses) {
      print(
        cutText(
          `  ${rank === null ? '>100' : String(rank).padStart(4)}  ${id}  ${safeLine(title)}  (${KINDS[kind]})`,
          width,
        ),
      );
    }
  }
  print('');
  for (const line of wrapText(MEANING, width)) print(paint('dim', line));
}

function sharesOf({ questions, at1, at5, at10 }: Found): string[] {
  return [questions.toLocaleString('en'), percent(at1), percent(at5), percent(at10)];
}
