import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DEFAULT_SETTINGS } from '../src/engine/default-settings.ts';
import type { EnginePorts } from '../src/engine/engine.ts';
import { runRanking } from '../src/engine/search/run-ranking.ts';
import { createScratch } from '../src/engine/search/scratch.ts';
import { createSearch } from '../src/engine/search/search.ts';
import { createSpaceIndexes } from '../src/engine/search/space-indexes.ts';
import { parseQuery } from '../src/engine/search/text/parse-query.ts';
import type { Caller } from '../src/model/caller.ts';
import type { Change } from '../src/model/change.ts';
import { newRecordId } from '../src/model/ids.ts';
import { hashContent } from '../src/model/record.ts';
import { openStore } from '../src/stores/open-store.ts';
import { type Corpus, readCorpus } from './locomo-passages.ts';

/** node bench/search-bench.ts [sizes, comma-separated] [data folder]: search over real text, beside a naive FTS5 query in the same run. */
const sizes = (process.argv[2] ?? '1000,10000,100000').split(',').map(Number);
const dataFolder = process.argv[3] ?? process.env.LTM_DATA ?? join(import.meta.dirname, '../../shared/data');
const QUERIES = 200;
const WARM_UP = 60;
const SPACE = 'owner';
const caller: Caller = { userId: 'owner', space: SPACE, spaces: [SPACE], scopes: new Set(['read', 'write', 'admin']), door: 'job' };
const clock = { now: () => Date.now() };
const log = { info: () => {}, warn: console.warn, error: console.error };

for (const size of sizes) {
  const corpus = readCorpus(dataFolder, size);
  if (corpus === null) {
    console.error(`No data: ${join(dataFolder, 'locomo/locomo10.json')} does not exist. Give the folder as second argument or in LTM_DATA.`);
    process.exit(2);
  }
  const folder = mkdtempSync(join(tmpdir(), 'ltm-bench-'));
  try {
    const engine = await measureEngine(folder, corpus);
    const { fts5 } = await measureFts(folder, corpus);
    const timesFaster = { p50: round(fts5.p50 / engine.rank.p50), cpu: round(fts5.cpuMs / engine.rank.cpuMs) };
    console.log(JSON.stringify({ passages: size, ...engine, fts5, timesFaster }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measureEngine(folder: string, { passages, questions }: Corpus) {
  const path = join(folder, 'ltm.db');
  const store = await openStore(path, { clock, log });
  const ports: EnginePorts = { store, clock, log, embedder: null };
  const started = performance.now();
  for (let i = 0; i < passages.length; i += 500) await store.commit(SPACE, passages.slice(i, i + 500).map(toChange), 'bench');
  const ingestMs = performance.now() - started;
  const building = createSpaceIndexes(ports, DEFAULT_SETTINGS);
  const indexed = performance.now();
  await building.rebuild(SPACE);
  const indexMs = performance.now() - indexed;
  await building.close();
  await store.close();
  return {
    ingestPerSecond: Math.round((passages.length / ingestMs) * 1000),
    indexPerSecond: Math.round((passages.length / indexMs) * 1000),
    ...(await measureSearch(path, questions)),
  };
}

async function measureSearch(path: string, questions: readonly string[]) {
  const started = performance.now();
  const startedCpu = process.cpuUsage();
  const store = await openStore(path, { clock, log });
  const ports: EnginePorts = { store, clock, log, embedder: null };
  const indexes = createSpaceIndexes(ports, DEFAULT_SETTINGS);
  const search = createSearch(ports, DEFAULT_SETTINGS, indexes);
  await search(caller, { query: questions[0]! });
  const firstAnswer = { ms: round(performance.now() - started), cpuMs: cpuSince(startedCpu) };
  const scratch = createScratch();
  const rankOnly = (query: string) =>
    indexes.search([SPACE], (set) => {
      const { terms } = parseQuery(query);
      return runRanking(set, { terms, required: [], vector: null, useText: true, filter: {}, qualityBoost: 0, now: clock.now(), keep: 50 }, scratch);
    });
  const ranking = await time(questions, rankOnly);
  const whole = await time(questions, (query) => search(caller, { query }));
  const indexMb = Math.round(indexes.describe().bytes / 1e6);
  await indexes.close();
  await store.close();
  return { firstAnswer, rank: ranking, search: whole, indexMb, rssMb: Math.round(process.memoryUsage().rss / 1e6) };
}

async function measureFts(folder: string, { passages, questions }: Corpus) {
  const db = new DatabaseSync(join(folder, 'fts.db'));
  db.exec('CREATE VIRTUAL TABLE passages USING fts5(text)');
  const insert = db.prepare('INSERT INTO passages (text) VALUES (?)');
  db.exec('BEGIN');
  for (const text of passages) insert.run(text);
  db.exec('COMMIT');
  const find = db.prepare('SELECT rowid FROM passages WHERE passages MATCH ? ORDER BY bm25(passages) LIMIT 50');
  const some = passages.length >= 100_000 ? questions.slice(0, 60) : questions;
  const fts5 = await time(some, async (question) => {
    const words = question.match(/[\p{L}\p{N}]+/gu) ?? [];
    return find.all(words.map((word) => `"${word}"`).join(' OR '));
  });
  db.close();
  return { fts5 };
}

async function time(questions: readonly string[], work: (query: string) => Promise<unknown>) {
  for (const question of questions.slice(0, WARM_UP)) await work(question);
  const times: number[] = [];
  const cpu = process.cpuUsage();
  for (const question of questions.slice(0, QUERIES)) {
    const started = performance.now();
    await work(question);
    times.push(performance.now() - started);
  }
  return { ...summarise(times), cpuMs: round(cpuSince(cpu) / times.length) };
}

function cpuSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return round((user + system) / 1000);
}

function summarise(times: number[]) {
  const sorted = times.toSorted((a, b) => a - b);
  return { p50: round(sorted[Math.floor(sorted.length / 2)]!), p95: round(sorted[Math.floor(sorted.length * 0.95)]!) };
}

function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

function toChange(text: string): Change {
  const now = clock.now();
  const labels = { key: null, title: null, project: null, agent: null, session: null, conversation: null };
  const facts = { kind: 'memory', type: 'note', tags: [], trust: 'user', quality: 0.5, source: { door: 'job', userId: 'owner' } } as const;
  const times = { createdAt: now, updatedAt: now, validFrom: null, validUntil: null, supersededBy: null };
  const content = { ...labels, ...facts, ...times, content: text, contentHash: hashContent(text), body: {} };
  return { op: 'put', id: newRecordId(now), content, passages: [{ ordinal: 0, text }], vectors: [], expect: 'new', unlessDuplicate: false };
}
