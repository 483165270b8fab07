// node bench/ingest-bench.ts [--existing 0,10000] [--count 4000] [--batch 200] [--data folder]: memories stored in batches, exact duplicates looked for, beside a bare FTS5 insert loop.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import type { Embedder } from '../src/engine/ports.ts';
import { createEngine } from '../src/features/create-engine.ts';
import { CALLER, fillStore, openPorts, RANDOM_EMBEDDER, SETTINGS } from './bench-space.ts';
import { DEFAULT_DATA, readCorpus } from './corpus.ts';
import { printTable } from './report.ts';
import { cpuSince, residentMb } from './timing.ts';

const { values: options } = parseArgs({
  options: {
    existing: { type: 'string', default: '0,10000,100000' },
    count: { type: 'string', default: '4000' },
    batch: { type: 'string', default: '200' },
    data: { type: 'string', default: DEFAULT_DATA },
  },
});
const count = Number(options.count);
const batch = Number(options.batch);

interface Rate {
  perSecond: number;
  cpuMs: number;
}

async function rateOf(texts: readonly string[], storeBatch: (batch: readonly string[]) => unknown): Promise<Rate> {
  const before = process.cpuUsage();
  const started = performance.now();
  for (let i = 0; i < texts.length; i += batch) await storeBatch(texts.slice(i, i + batch));
  return { perSecond: (texts.length / (performance.now() - started)) * 1000, cpuMs: cpuSince(before) / texts.length };
}

async function measureEngine(path: string, texts: readonly string[], embedder: Embedder | null): Promise<Rate> {
  const engine = createEngine(await openPorts(path, embedder), SETTINGS);
  await engine.search(CALLER, { query: 'warm' });
  const rate = await rateOf(texts, (contents) =>
    engine.storeMemories(
      CALLER,
      contents.map((content) => ({ content })),
    ),
  );
  await engine.close();
  return rate;
}

/** The same durability, one transaction for each batch, nothing but the words. */
async function measureBareInserts(path: string, texts: readonly string[]): Promise<Rate> {
  const db = new DatabaseSync(path);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE VIRTUAL TABLE passages USING fts5(text)');
  const insert = db.prepare('INSERT INTO passages (text) VALUES (?)');
  const rate = await rateOf(texts, (contents) => {
    db.exec('BEGIN IMMEDIATE');
    for (const text of contents) insert.run(text);
    db.exec('COMMIT');
  });
  db.close();
  return rate;
}

const sizes = options.existing.split(',').map(Number);
const { passages } = readCorpus(options.data, Math.max(...sizes) + count);
const rows: string[][] = [];
for (const existing of sizes) {
  const texts = passages.slice(existing, existing + count);
  const folder = mkdtempSync(join(tmpdir(), 'ltm-ingest-'));
  const show = ({ perSecond, cpuMs }: Rate) => `${perSecond.toFixed(0)}/s, ${cpuMs.toFixed(2)} ms CPU each`;
  const cells: string[] = [];
  for (const embedder of [null, RANDOM_EMBEDDER]) {
    const path = join(folder, embedder === null ? 'text.db' : 'vectors.db');
    await fillStore(path, passages.slice(0, existing), embedder);
    cells.push(show(await measureEngine(path, texts, embedder)));
  }
  rows.push([
    existing.toLocaleString('en'),
    ...cells,
    show(await measureBareInserts(join(folder, 'fts.db'), texts)),
    residentMb().toFixed(0),
  ]);
  rmSync(folder, { recursive: true });
}
printTable(['memories there already', 'words alone', 'with vectors', 'bare FTS5 inserts', 'resident, MB'], rows);
