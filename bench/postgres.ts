// node bench/postgres.ts [--large] [--data folder]: the same memories in SQLite and in PostgreSQL, in one space and in many: search, cold load, storing, memory, disk.
// Writes bench/results/postgres.md. About five minutes; --large adds a million (half an hour, 8 GB of memory, 12 GB of disk).
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { copySegments, copySpace } from '../src/engine/copy-space.ts';
import { createEngine } from '../src/features/create-engine.ts';
import { ownerOf } from '../src/model/caller.ts';
import { createSpaceIndexes } from '../src/search/space-indexes.ts';
import { openStore } from '../src/stores/open-store.ts';
import { KIND_TABLE } from '../test/all-kinds.ts';
import { findPostgres, type PrivatePostgres, startPrivatePostgres } from '../test/postgres/private-postgres.ts';
import { CALLER, CLOCK, LOG, RANDOM_EMBEDDER, SETTINGS, toChange } from './bench-space.ts';
import { type Corpus, DEFAULT_DATA, readCorpus } from './corpus.ts';
import type { SpacesSearch } from './spaces-search.ts';

const { values: options } = parseArgs({
  options: {
    large: { type: 'boolean', default: false },
    data: { type: 'string', default: DEFAULT_DATA },
    layouts: { type: 'string' },
  },
});
/** Memories × spaces. */
const LAYOUTS = options.layouts ?? `100000x1,100000x100${options.large ? ',1000000x1,1000000x1000' : ''}`;
const QUESTIONS = 200;
const BATCH = 500;
const INGESTED = 2000;
/** As a careful operator would run it: what is acknowledged is on the disk. */
const SERVER = ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on', 'shared_buffers=1GB', 'max_wal_size=4GB'];
const AMPLE_MB = 8192;
/** Where the index does not fit, a search reads it anew: a few do. As many as spaces-search.ts compares. */
const FEW = 8;
const FEW_SPACES = 200;

interface Row {
  layout: string;
  sqlite: Measured;
  postgres: Measured;
  copiedPerSecond: number;
  tenth: SpacesSearch;
}

interface Measured {
  search: SpacesSearch;
  storedPerSecond: number;
  diskMb: number;
}

type Ports = Parameters<typeof createEngine>[0];

async function openPorts(location: string): Promise<Ports & { store: Awaited<ReturnType<typeof openStore>> }> {
  return {
    store: await openStore(location, { clock: CLOCK, log: LOG }),
    clock: CLOCK,
    log: LOG,
    embedder: RANDOM_EMBEDDER,
  };
}

async function fill(location: string, passages: readonly string[], spaces: readonly string[]): Promise<void> {
  const ports = await openPorts(location);
  const share = passages.length / spaces.length;
  for (const [i, space] of spaces.entries()) {
    const own = passages.slice(i * share, (i + 1) * share);
    for (let start = 0; start < own.length; start += BATCH) {
      const texts = own.slice(start, start + BATCH);
      const vectors = await RANDOM_EMBEDDER.embed(texts, 'passage');
      await ports.store.commit(
        space,
        texts.map((text, k) => toChange(text, vectors[k], RANDOM_EMBEDDER)),
        'bench',
      );
    }
    const indexes = createSpaceIndexes({ ...ports, kinds: KIND_TABLE }, SETTINGS);
    await indexes.rebuild(space);
    await indexes.close();
  }
  await ports.store.close();
}

async function copyAll(from: string, to: string, spaces: readonly string[]): Promise<number> {
  const [source, target] = await Promise.all([
    openStore(from, { clock: CLOCK, log: LOG }),
    openStore(to, { clock: CLOCK, log: LOG }),
  ]);
  const started = performance.now();
  let records = 0;
  for (const space of spaces) {
    records += await copySpace({ source, target, space });
    await copySegments({ source, target, space });
  }
  const seconds = (performance.now() - started) / 1000;
  await source.close();
  await target.close();
  return records / seconds;
}

function search(
  location: string,
  { questions, spaces, budgetMb }: { questions: readonly string[]; spaces: readonly string[]; budgetMb: number },
): SpacesSearch {
  const args = [join(import.meta.dirname, 'spaces-search.ts'), location, String(budgetMb)];
  return JSON.parse(
    execFileSync(process.execPath, args, { input: JSON.stringify({ questions, spaces }), encoding: 'utf8' }),
  ) as SpacesSearch;
}

/** Through `storeMemories`, in batches of 100. */
async function store(location: string, texts: readonly string[], space: string): Promise<number> {
  const engine = createEngine(await openPorts(location), SETTINGS);
  const caller = { ...CALLER, space, spaces: [space], roles: ownerOf([space]) };
  await engine.search(caller, { query: 'warm' });
  const started = performance.now();
  for (let i = 0; i < texts.length; i += 100)
    await engine.storeMemories(
      caller,
      texts.slice(i, i + 100).map((content) => ({ content })),
    );
  const rate = (texts.length / (performance.now() - started)) * 1000;
  await engine.close();
  return rate;
}

async function measure(layout: string, { passages, questions }: Corpus, postgres: PrivatePostgres): Promise<Row> {
  const [count = 0, spaceCount = 1] = layout.split('x').map(Number);
  const spaces = Array.from({ length: spaceCount }, (_, i) => `space-${i}`);
  const folder = mkdtempSync(join(tmpdir(), 'ltm-bench-postgres-'));
  try {
    const file = join(folder, 'memory.db');
    const database = await postgres.createDatabase();
    const url = postgres.url({ database });
    note(`${layout}: filling SQLite`);
    await fill(file, passages.slice(0, count), spaces);
    note(`${layout}: copying to PostgreSQL`);
    const copiedPerSecond = await copyAll(file, url, spaces);
    await postgres.admin('ANALYZE', database);
    note(`${layout}: searching`);
    const ask = { questions: questions.slice(0, QUESTIONS), spaces, budgetMb: AMPLE_MB };
    const [here, there] = [search(file, ask), search(url, ask)];
    if (here.indexMb === 0 || there.indexMb === 0)
      throw new Error(`${layout}: one of the databases has become empty; did somebody clean up ${folder}?`);
    const tenth = search(url, {
      ...ask,
      questions: questions.slice(0, FEW),
      spaces: spaces.slice(0, FEW_SPACES),
      budgetMb: Math.max(1, Math.floor(there.indexMb / 10)),
    });
    const [{ bytes }] = (await postgres.admin(`SELECT pg_database_size('${database}') AS bytes`)) as [
      { bytes: string },
    ];
    note(`${layout}: storing`);
    const fresh = passages.slice(-2 * INGESTED);
    const sqlite = {
      search: here,
      diskMb: statSync(file).size / 2 ** 20,
      storedPerSecond: await store(file, fresh.slice(0, INGESTED), spaces[0]!),
    };
    const server = {
      search: there,
      diskMb: Number(bytes) / 2 ** 20,
      storedPerSecond: await store(url, fresh.slice(0, INGESTED), spaces[0]!),
    };
    await postgres.admin(`DROP DATABASE ${database} WITH (FORCE)`);
    return { layout, sqlite, postgres: server, copiedPerSecond, tenth };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function note(text: string): void {
  console.error(`${new Date().toISOString().slice(11, 19)} ${text}`);
}

const ms = (value: number) => (value < 10 ? value.toFixed(2) : value.toFixed(0));

function toTable(rows: readonly Row[]): string {
  const base = rows[0]!;
  const head = [
    'memories × spaces',
    'store',
    'search p50 / p95 / CPU, ms',
    'first search of a space p50 / p95, ms',
    'stored a second',
    'index / resident, MB',
    'disk, MB',
    'search, cold, storing, memory: times SQLite',
    'times the first row',
  ];
  const lines = rows.flatMap(({ layout, sqlite, postgres }) =>
    (['sqlite', 'postgres'] as const).map((name) => {
      const { search, storedPerSecond, diskMb } = name === 'sqlite' ? sqlite : postgres;
      const ratios = (other: Measured) =>
        [
          search.warm.p50 / other.search.warm.p50,
          search.coldMs.p50 / other.search.coldMs.p50,
          storedPerSecond / other.storedPerSecond,
          search.residentMb / other.search.residentMb,
        ]
          .map((ratio) => ratio.toFixed(2))
          .join(' / ');
      return [
        layout,
        name,
        `${ms(search.warm.p50)} / ${ms(search.warm.p95)} / ${ms(search.warm.cpu)}`,
        `${ms(search.coldMs.p50)} / ${ms(search.coldMs.p95)}`,
        storedPerSecond.toFixed(0),
        `${search.indexMb.toFixed(0)} / ${search.residentMb.toFixed(0)}`,
        diskMb.toFixed(0),
        ratios(sqlite),
        ratios(base[name]),
      ];
    }),
  );
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function toMarkdown(rows: readonly Row[]): string {
  const same = rows.map(({ layout, sqlite, postgres, tenth, copiedPerSecond }) =>
    [
      layout,
      sqlite.search.digest === postgres.search.digest ? 'the same' : 'DIFFERENT',
      tenth.digest === postgres.search.digest ? 'the same' : 'DIFFERENT',
      `${ms(tenth.warm.p50)} / ${ms(tenth.warm.p95)}`,
      `${tenth.residentMb.toFixed(0)}`,
      copiedPerSecond.toFixed(0),
    ].join(' | '),
  );
  return `# SQLite and PostgreSQL side by side

Node ${process.versions.node}, PostgreSQL on the same machine (${SERVER.join(', ')}), ${QUESTIONS} real questions, passages of about 450 characters with a vector of 256 numbers each. Compare ratios: others share the machine.

${toTable(rows)}

| memories × spaces | answers to 8 questions, SQLite and PostgreSQL | with a tenth of the index memory (of many spaces the first 200) | its search p50 / p95, ms | its resident, MB | records copied a second by \`ltm migrate\` |
| --- | --- | --- | --- | --- | --- |
${same.map((line) => `| ${line} |`).join('\n')}
`;
}

const found = findPostgres();
if ('missing' in found) {
  console.log(found.missing);
  process.exit(0);
}
const layouts = LAYOUTS.split(',');
const corpus = readCorpus(
  options.data,
  Math.max(...layouts.map((layout) => Number(layout.split('x')[0]))) + 2 * INGESTED,
);
const postgres = await startPrivatePostgres({ settings: SERVER });
try {
  const rows: Row[] = [];
  for (const layout of layouts) {
    rows.push(await measure(layout, corpus, postgres));
    mkdirSync(join(import.meta.dirname, 'results'), { recursive: true });
    writeFileSync(join(import.meta.dirname, 'results', 'postgres.md'), toMarkdown(rows));
  }
  console.log(toMarkdown(rows));
} finally {
  await postgres.stop();
}
