// node bench/disk-bench.ts [--sizes 10000,100000]: bytes that a memory takes on disk at rest, table by table, stored as people store them: by the engine, with the bundled embedder.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { createStaticEmbedder } from '../src/embedders/static-embedder.ts';
import { createEngine } from '../src/features/create-engine.ts';
import { findModelFile } from '../src/settings/model-file.ts';
import { CALLER, openPorts, SETTINGS } from './bench-space.ts';
import { DEFAULT_DATA, readCorpus } from './corpus.ts';
import { printTable } from './report.ts';

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,100000' },
    data: { type: 'string', default: DEFAULT_DATA },
  },
});
const sizes = options.sizes.split(',').map(Number);
const BATCH = 200;

/** Two tags each, one of a few and one of many; one in three belongs to a project. */
async function fill(path: string, texts: readonly string[]): Promise<void> {
  const engine = createEngine(await openPorts(path, createStaticEmbedder(findModelFile()!)), SETTINGS);
  for (let i = 0; i < texts.length; i += BATCH)
    await engine.storeMemories(
      CALLER,
      texts.slice(i, i + BATCH).map((content, k) => ({
        content,
        tags: [`topic-${(i + k) % 7}`, `item-${(i + k) % 400}`],
        ...((i + k) % 3 === 0 && { project: 'apollo' }),
        onDuplicate: 'store' as const,
      })),
    );
  await engine.runUpkeep();
  await engine.runUpkeep();
  await engine.close();
}

function measure(path: string): { memories: number; content: number; tables: Map<string, number>; all: number } {
  const database = new DatabaseSync(path, { readOnly: true });
  const { memories, content } = database
    .prepare('SELECT count(*) AS memories, avg(octet_length(content)) AS content FROM records')
    .get() as { memories: number; content: number };
  const rows = database.prepare('SELECT name, sum(pgsize) AS bytes FROM dbstat GROUP BY name').all() as {
    name: string;
    bytes: number;
  }[];
  database.close();
  const tables = new Map(rows.map(({ name, bytes }) => [name, bytes / memories]));
  return { memories, content, tables, all: statSync(path).size / memories };
}

const folder = mkdtempSync(join(tmpdir(), 'ltm-disk-'));
const measured: ReturnType<typeof measure>[] = [];
for (const size of sizes) {
  const path = join(folder, `${size}.db`);
  await fill(path, readCorpus(options.data, size).passages);
  measured.push(measure(path));
  rmSync(path);
}
rmSync(folder, { recursive: true });
const names = [...new Set(measured.flatMap(({ tables }) => [...tables.keys()]))]
  .filter((name) => measured.some(({ tables }) => (tables.get(name) ?? 0) >= 1))
  .sort((a, b) => (measured.at(-1)!.tables.get(b) ?? 0) - (measured.at(-1)!.tables.get(a) ?? 0));
printTable(
  ['bytes of a memory', ...measured.map(({ memories }) => memories.toLocaleString('en'))],
  [
    ['its content', ...measured.map(({ content }) => content.toFixed(0))],
    ['**all on disk**', ...measured.map(({ all }) => `**${all.toFixed(0)}**`)],
    ...names.map((name) => [`\`${name}\``, ...measured.map(({ tables }) => (tables.get(name) ?? 0).toFixed(0))]),
  ],
);
