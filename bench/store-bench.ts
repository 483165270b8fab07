// node bench/store-bench.ts [--existing 0,10000,100000] [--count 1500] [--db FILE]: memories stored one by one, as agents do, beside what one would write oneself: a row in FTS5 and its vector. The two take turns.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { createStaticEmbedder } from '../src/embedders/static-embedder.ts';
import { createEngine } from '../src/features/create-engine.ts';
import { findModelFile } from '../src/settings/model-file.ts';
import { CALLER, fillStore, openPorts, SETTINGS } from './bench-space.ts';
import { DEFAULT_DATA, readCorpus } from './corpus.ts';
import { printTable, quantile } from './report.ts';
import { cpuSince } from './timing.ts';

const { values: options } = parseArgs({
  options: {
    existing: { type: 'string', default: '0,10000,100000' },
    count: { type: 'string', default: '1500' },
    folder: { type: 'string', default: tmpdir() },
    /** A store with the memories that are to be there already, to be copied rather than filled. */
    db: { type: 'string' },
    data: { type: 'string', default: DEFAULT_DATA },
    /** The texts of one size, for the process that measures it. */
    texts: { type: 'string' },
  },
});
const count = Number(options.count);
/** Turns of so many; of their costs the lower quarter counts, since others share the machine. */
const TURN = 50;
/** What a process does once is not counted. */
const WARM_UP = 6;
const embedder = createStaticEmbedder(findModelFile()!);

interface Way {
  store(text: string): unknown;
  close(): unknown;
}

async function openOurs(path: string): Promise<Way> {
  const engine = createEngine(await openPorts(path, embedder), SETTINGS);
  await engine.search(CALLER, { query: 'warm' });
  return { store: (content) => engine.storeMemory(CALLER, { content }), close: () => engine.close() };
}

/** As durable, one transaction for each; the vector is given. */
function openNaive(path: string, vector: Uint8Array): Way {
  const db = new DatabaseSync(path);
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE VIRTUAL TABLE passages USING fts5(text); CREATE TABLE vectors (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL)`);
  const insertText = db.prepare('INSERT INTO passages (text) VALUES (?)');
  const insertVector = db.prepare('INSERT INTO vectors (bytes) VALUES (?)');
  return {
    store(text) {
      db.exec('BEGIN IMMEDIATE');
      insertText.run(text);
      insertVector.run(vector);
      db.exec('COMMIT');
    },
    close: () => db.close(),
  };
}

async function costOf({ store }: Way, texts: readonly string[]): Promise<number> {
  const before = process.cpuUsage();
  for (const text of texts) await store(text);
  return cpuSince(before) / texts.length;
}

async function measure(folder: string, { existing, texts }: { existing: number; texts: readonly string[] }) {
  const path = join(folder, 'ours.db');
  if (options.db !== undefined && existsSync(options.db)) copyFileSync(options.db, path);
  else await fillStore(path, texts.slice(0, existing), embedder);
  const ours = await openOurs(path);
  const naive = openNaive(join(folder, 'naive.db'), new Uint8Array(embedder.dimensions * 4));
  const costs: [number[], number[]] = [[], []];
  for (let from = existing; from < texts.length; from += TURN) {
    const some = texts.slice(from, from + TURN);
    costs[0].push(await costOf(ours, some));
    costs[1].push(await costOf(naive, some));
  }
  await ours.close();
  naive.close();
  return costs.map((each) => quantile(each.slice(WARM_UP), 0.25));
}

/** In a process of its own, whose memory holds no other texts: collecting garbage among them would count. */
function measureAfresh(existing: number, texts: readonly string[]): string[] {
  const folder = mkdtempSync(join(options.folder, 'ltm-store-'));
  const file = join(folder, 'texts.json');
  writeFileSync(file, JSON.stringify({ existing, texts }));
  const args = [import.meta.filename, '--texts', file, ...(options.db === undefined ? [] : ['--db', options.db])];
  const [own, other] = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as [number, number];
  rmSync(folder, { recursive: true });
  return [existing.toLocaleString('en'), own.toFixed(2), other.toFixed(2), `${(own / other).toFixed(1)}×`];
}

if (options.texts !== undefined) {
  const { existing, texts } = JSON.parse(readFileSync(options.texts, 'utf8'));
  console.log(JSON.stringify(await measure(dirname(options.texts), { existing, texts })));
} else {
  const sizes = options.existing.split(',').map(Number);
  const { passages } = readCorpus(options.data, Math.max(...sizes) + count);
  const rows = sizes.map((size) => measureAfresh(size, passages.slice(0, size + count)));
  printTable(['memories there already', 'storing one, ms of CPU', 'do it yourself', 'ratio'], rows);
}
