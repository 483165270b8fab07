// One fresh process over a filled store: how long from its start to the first answer, then searches once it is warm. Prints JSON; started by search-bench.ts.
import { DatabaseSync } from 'node:sqlite';
import { createEngine } from '../src/features/create-engine.ts';
import type { SearchResult } from '../src/model/search.ts';
import { embedQuery } from '../src/search/embed-query.ts';
import { runRanking } from '../src/search/run-ranking.ts';
import { createScratch } from '../src/search/scratch.ts';
import { createSpaceIndexes } from '../src/search/space-indexes.ts';
import { parseQuery } from '../src/search/text/parse-query.ts';
import { CHECKED_COLUMN_LIST, type CheckedRow, isAsWritten } from '../src/stores/sql/record-row.ts';
import { KIND_TABLE } from '../test/all-kinds.ts';
import { CALLER, CLOCK, openPorts, RANDOM_EMBEDDER, SETTINGS, SPACE } from './bench-space.ts';
import { residentMb, type Timing, timeEach } from './timing.ts';

export interface FreshSearch {
  /** From the start of the process, Node's own included. */
  firstAnswerMs: number;
  /** Opening the store, loading the index, the first search. */
  openAndSearchMs: number;
  residentMb: number;
  indexMb: number;
  rank: Timing;
  whole: Timing;
  /** Of a whole search: comparing the rows of its hits with their checksums. CPU time of one search, in milliseconds. */
  checkCpu: number;
}

/** As many results as the baseline gives. */
const KEEP = 50;
const WARM_UP = 100;

async function run(path: string, withVectors: boolean, questions: readonly string[]): Promise<FreshSearch> {
  const opening = performance.now();
  const ports = await openPorts(path, withVectors ? RANDOM_EMBEDDER : null);
  const engine = createEngine(ports, SETTINGS);
  await engine.search(CALLER, { query: questions[0]! });
  const firstAnswerMs = performance.now();
  const resident = residentMb();
  const { index } = await engine.checkHealth(CALLER);
  const whole = (query: string) => engine.search(CALLER, { query });
  const indexes = createSpaceIndexes({ ...ports, kinds: KIND_TABLE }, SETTINGS);
  const scratch = createScratch();
  const rank = async (query: string) => {
    const { vector } = await embedQuery(ports, query);
    const { terms } = parseQuery(query);
    const request = {
      terms,
      required: [],
      vector,
      speaker: null,
      project: null,
      asksForTime: false,
      without: [],
      weights: { words: 1, meaning: 1 },
      useText: true,
      filter: {},
      qualityBoost: 0,
      now: CLOCK.now(),
      keep: KEEP,
    };
    return indexes.search([SPACE], (set) => runRanking(set, request, scratch));
  };
  for (const work of [whole, rank]) await timeEach(questions.slice(0, WARM_UP), work, 1);
  const timings = { rank: await timeEach(questions, rank), whole: await timeEach(questions, whole) };
  const checkCpu = await timeChecks(path, await Promise.all(questions.slice(0, WARM_UP).map(whole)));
  await indexes.close();
  await engine.close();
  return {
    firstAnswerMs,
    openAndSearchMs: firstAnswerMs - opening,
    residentMb: resident,
    indexMb: (index.bytes ?? 0) / 2 ** 20,
    ...timings,
    checkCpu,
  };
}

/** Too quick to be timed once. */
const REPEATS = 200;

async function timeChecks(path: string, answers: readonly SearchResult[]): Promise<number> {
  const database = new DatabaseSync(path, { readOnly: true });
  const find = database.prepare(`SELECT ${CHECKED_COLUMN_LIST} FROM records WHERE id = ?`);
  const rows = answers.map(({ hits }) => hits.map(({ id }) => find.get(id) as unknown as CheckedRow));
  database.close();
  let sound = 0;
  const check = (some: readonly CheckedRow[]) => {
    for (let i = 0; i < REPEATS; i++) for (const row of some) if (isAsWritten(row)) sound++;
  };
  const { cpu } = await timeEach(rows, check);
  if (sound === 0) throw new Error('No row was checked.');
  return cpu / REPEATS;
}

const [path, vectors] = process.argv.slice(2);
let input = '';
for await (const chunk of process.stdin) input += chunk;
console.log(JSON.stringify(await run(path!, vectors === 'vectors', JSON.parse(input) as string[])));
