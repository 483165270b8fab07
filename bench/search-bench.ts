// node bench/search-bench.ts [--sizes 1000,10000] [--vectors] [--data folder]: search over real text, beside the naive way in the same run.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fillStore, RANDOM_EMBEDDER } from './bench-space.ts';
import { type Corpus, DEFAULT_DATA, readCorpus } from './corpus.ts';
import type { FreshSearch } from './fresh-search.ts';
import { makeNaiveVectors, openNaiveText } from './naive-baseline.ts';
import { median, printTable } from './report.ts';
import { type Timing, timeEach } from './timing.ts';

const QUESTIONS = 300;
/** The baselines are slow: fewer questions do. */
const NAIVE_QUESTIONS = 60;
const STARTS = 5;

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,10000,100000,330000' },
    vectors: { type: 'boolean', default: false },
    data: { type: 'string', default: DEFAULT_DATA },
  },
});

interface Measured {
  size: number;
  ours: FreshSearch;
  starts: FreshSearch[];
  naive: Timing;
}

async function measure(size: number, corpus: Corpus): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'ltm-bench-'));
  try {
    const passages = corpus.passages.slice(0, size);
    const questions = corpus.questions.slice(0, QUESTIONS);
    const path = join(folder, 'ltm.db');
    await fillStore(path, passages, options.vectors ? RANDOM_EMBEDDER : null);
    const starts = Array.from({ length: STARTS }, () => searchAfresh(path, questions.slice(0, 1)));
    const ours = searchAfresh(path, questions);
    return { size, ours, starts, naive: await measureNaive(folder, passages, questions.slice(0, NAIVE_QUESTIONS)) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function searchAfresh(path: string, questions: readonly string[]): FreshSearch {
  const args = [join(import.meta.dirname, 'fresh-search.ts'), path, options.vectors ? 'vectors' : 'text'];
  return JSON.parse(
    execFileSync(process.execPath, args, { input: JSON.stringify(questions), encoding: 'utf8' }),
  ) as FreshSearch;
}

async function measureNaive(
  folder: string,
  passages: readonly string[],
  questions: readonly string[],
): Promise<Timing> {
  const text = openNaiveText(join(folder, 'fts.db'), passages);
  const { embed, dimensions } = RANDOM_EMBEDDER;
  const scan = options.vectors ? makeNaiveVectors(passages.length, dimensions) : null;
  const find = async (question: string) => {
    text.find(question);
    if (scan !== null) scan((await embed([question], 'query'))[0]!);
  };
  await timeEach(questions.slice(0, 10), find, 1);
  const timing = await timeEach(questions, find, passages.length > 100_000 ? 1 : 2);
  text.close();
  return timing;
}

function describe({ size, ours, starts, naive }: Measured): string[] {
  const { rank, whole } = ours;
  const first = (pick: (start: FreshSearch) => number) => median(starts.map(pick)).toFixed(0);
  return [
    size.toLocaleString('en'),
    showTiming(rank),
    showTiming(whole),
    showTiming(naive),
    `${(naive.cpu / rank.cpu).toFixed(0)}× / ${(naive.cpu / whole.cpu).toFixed(0)}×`,
    `${first((start) => start.openAndSearchMs)} (${first((start) => start.firstAnswerMs)})`,
    `${((100 * ours.checkCpu) / whole.cpu).toFixed(1)} %`,
    `${ours.indexMb.toFixed(0)} / ${first((start) => start.residentMb)}`,
  ];
}

function showTiming({ p50, p95, cpu }: Timing): string {
  return [p50, p95, cpu].map((ms) => (ms < 10 ? ms.toFixed(2) : ms.toFixed(0))).join(' / ');
}

const sizes = options.sizes.split(',').map(Number);
const corpus = readCorpus(options.data, Math.max(...sizes));
const rows: string[][] = [];
for (const size of sizes) rows.push(describe(await measure(size, corpus)));
const naiveName = options.vectors ? 'FTS5 OR query + float scan' : 'FTS5 OR query';
printTable(
  [
    'passages',
    'ranking p50 / p95 / CPU, ms',
    'whole search',
    naiveName,
    'times the CPU of ranking / whole',
    'open + first answer (from process start), ms',
    'checksums, of the CPU of a whole search',
    'index / resident, MB',
  ],
  rows,
);
