// node bench/calls-bench.ts [--size 100000] [--db FILE] [--only WORD]: what listing, counting, deleting and upkeep cost in a large space, and how long each holds the event loop.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Engine, EnginePorts } from '../src/engine/engine.ts';
import { createEngine } from '../src/features/create-engine.ts';
import { type Caller, ownerOf } from '../src/model/caller.ts';
import { newRecordId } from '../src/model/ids.ts';
import { sampleContent } from '../test/stores/contract/sample-records.ts';
import { CALLER, CLOCK, LOG, openPorts, RANDOM_EMBEDDER, SETTINGS, SPACE, toChange } from './bench-space.ts';
import { DEFAULT_DATA, readCorpus } from './corpus.ts';
import { printTable } from './report.ts';
import { cpuSince } from './timing.ts';

const { values: options } = parseArgs({
  options: {
    size: { type: 'string', default: '100000' },
    db: { type: 'string' },
    only: { type: 'string', default: '' },
    data: { type: 'string', default: DEFAULT_DATA },
  },
});
const size = Number(options.size);
const DAY = 86_400_000;
/** A call is repeated so often, until its code is compiled; the cheapest counts, since others share the machine. */
const ROUNDS = 25;
const BATCH = 500;

interface Cost {
  cpu: number;
  /** The CPU time of the longest stretch in which nothing else could run: that others share the machine is not our doing. */
  block: number;
}

async function costOf(work: () => Promise<unknown>, rounds: number): Promise<Cost> {
  const costs: Cost[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage();
    let block = 0;
    let last = process.threadCpuUsage();
    const tick = () => {
      const { user, system } = process.threadCpuUsage(last);
      block = Math.max(block, (user + system) / 1000);
      last = process.threadCpuUsage();
    };
    const ticks = setInterval(tick, 1);
    await work();
    const cpu = cpuSince(before);
    tick();
    clearInterval(ticks);
    await pause(5);
    costs.push({ cpu, block });
  }
  return costs.toSorted((a, b) => a.cpu - b.cpu)[0]!;
}

/** Half of them have the tag `often`, one in a hundred `seldom`, two thirds (the older ones) `old`. */
async function fill(path: string): Promise<void> {
  const { passages } = readCorpus(options.data, size);
  const { store } = await openPorts(path, RANDOM_EMBEDDER);
  const start = CLOCK.now() - 60 * DAY;
  for (let i = 0; i < size; i += BATCH) {
    const texts = passages.slice(i, i + BATCH);
    const vectors = await RANDOM_EMBEDDER.embed(texts, 'passage');
    const changes = texts.map((text, k) => {
      const n = i + k;
      const at = start + Math.floor((60 * DAY * n) / size);
      const tags = [n % 2 === 0 ? 'often' : 'odd', `t${n % 500}`];
      if (n % 100 === 0) tags.push('seldom');
      if (n < (size * 2) / 3) tags.push('old');
      const content = sampleContent({
        content: text,
        tags,
        type: n % 10 === 0 ? 'decision' : 'note',
        createdAt: at,
        updatedAt: at,
        project: n % 3 === 0 ? 'apollo' : null,
        agent: `agent-${n % 5}`,
      });
      return { ...toChange(text, vectors[k], RANDOM_EMBEDDER), id: newRecordId(at), content };
    });
    await store.commit(SPACE, changes as never, 'bench');
  }
  await store.close();
  const engine = createEngine(await openPorts(path, RANDOM_EMBEDDER), SETTINGS);
  await engine.runUpkeep();
  await engine.close();
}

type Call = [name: string, work: (engine: Engine, ports: EnginePorts) => Promise<unknown>, rounds?: number];

const CALLS: Call[] = [
  ['list, a page', (engine) => engine.listMemories(CALLER, { page: { limit: 20 } })],
  ['list by a frequent tag', (engine) => engine.listMemories(CALLER, { filter: { tags: ['often'] } })],
  ['list by a rare tag', (engine) => engine.listMemories(CALLER, { filter: { tags: ['seldom'] } })],
  ['list by a tag of old memories', (engine) => engine.listMemories(CALLER, { filter: { tags: ['old'] } })],
  ['list by type', (engine) => engine.listMemories(CALLER, { filter: { types: ['decision'] } })],
  ['list by project', (engine) => engine.listMemories(CALLER, { filter: { project: 'apollo' } })],
  ['list by agent', (engine) => engine.listMemories(CALLER, { filter: { agent: 'agent-3' } })],
  [
    'list by tag and project',
    (engine) => engine.listMemories(CALLER, { filter: { tags: ['often'], project: 'apollo' } }),
  ],
  ['list after a time', (engine) => engine.listMemories(CALLER, { filter: { after: CLOCK.now() - 30 * DAY } })],
  ['contains, a word', (engine) => engine.listMemories(CALLER, { filter: { contains: 'python' } })],
  ['contains, part of a word', (engine) => engine.listMemories(CALLER, { filter: { contains: 'ytho' } })],
  ['contains, nowhere', (engine) => engine.listMemories(CALLER, { filter: { contains: 'zqxjkvb' } })],
  ['exact search', (engine) => engine.search(CALLER, { query: 'of the', mode: 'exact' })],
  ['exact search, rare', (engine) => engine.search(CALLER, { query: 'command line', mode: 'exact' })],
  ['health', (engine) => engine.checkHealth(CALLER)],
  ...(['tag', 'type', 'project', 'agent', 'kind'] as const).map(
    (label): Call => [`labels: ${label}`, (engine) => engine.countLabels(CALLER, label)],
  ),
  ['doctor', (engine) => engine.examine(CALLER, {}), 1],
  ['first search of a program', openAndSearch, 1],
  ['export', exportAll, 1],
  ['export and import of one in twenty', importSome, 1],
  ['search over what was imported', (engine) => engine.search(OTHER, { query: 'a question about it' }), 1],
  ['upkeep after it (flush)', (engine) => engine.runUpkeep(), 1],
  ['scrub, looking only', (engine) => engine.scrubRecords(CALLER, {}), 1],
  ['backup', (_engine, { store }) => store.backup(`${path}.backup`), 1],
  ['store a memory of 1 MB', (engine) => engine.storeMemories(CALLER, [{ content: LONG_TEXT }]), 1],
  ['delete by tag, a third', (engine) => engine.deleteMemories(CALLER, { filter: { project: 'apollo' } }), 1],
  ['upkeep after it', (engine) => engine.runUpkeep(), 1],
  ['purge of what was deleted', purgeLater, 1],
  ['upkeep after it', (engine) => engine.runUpkeep(), 1],
  ['upkeep that gives room back', (engine) => engine.runUpkeep(), 1],
];

const LONG_TEXT = Array.from({ length: 150_000 }, (_, i) => `word${(i * 7919) % 40_000}`)
  .join(' ')
  .slice(0, 1_000_000);

async function openAndSearch(): Promise<void> {
  const ports = await openPorts(path, RANDOM_EMBEDDER);
  const other = createEngine({ ...ports, log: LOG }, SETTINGS);
  await other.search(CALLER, { query: 'the first question' });
  await other.close();
}

async function exportAll(engine: Engine): Promise<void> {
  let lines = 0;
  for await (const _line of engine.exportRecords(CALLER, {})) lines++;
  if (lines < size) throw new Error(`Only ${lines} lines were exported.`);
}

const OTHER_SPACE = 'other';
const OTHER: Caller = { ...CALLER, space: OTHER_SPACE, spaces: [OTHER_SPACE], roles: ownerOf([OTHER_SPACE]) };

/** One memory in twenty, into another space. */
async function importSome(engine: Engine): Promise<void> {
  const tags = Array.from({ length: 25 }, (_, i) => `t${i}`);
  await engine.importRecords(OTHER, engine.exportRecords(CALLER, { filter: { tags } }), {});
}

let later = 0;
async function purgeLater(engine: Engine): Promise<void> {
  later = 40 * DAY;
  await engine.purgeExpired(CALLER, { everywhere: true });
}

const folder = options.db === undefined ? mkdtempSync(join(tmpdir(), 'ltm-calls-')) : null;
const path = options.db ?? join(folder!, 'calls.db');
if (!existsSync(path)) await fill(path);
const ports = await openPorts(path, RANDOM_EMBEDDER);
const counting = performance.now();
while (!(await ports.store.catchUp(SPACE)));
console.error(`counted in ${(performance.now() - counting).toFixed(0)} ms`);
const engine = createEngine({ ...ports, log: LOG, clock: { now: () => CLOCK.now() + later } }, SETTINGS);
await engine.search(CALLER, { query: 'warm' });
// Modules that an import loads, from their sources here; the built program has them in one file.
await engine.importRecords(CALLER, engine.exportRecords(CALLER, { filter: { tags: ['none'] } }), {});
const rows: string[][] = [];
for (const [name, work, rounds = ROUNDS] of CALLS) {
  if (!name.includes(options.only)) continue;
  const { cpu, block } = await costOf(() => work(engine, ports), rounds);
  rows.push([name, cpu.toFixed(1), block.toFixed(1)]);
  console.error(rows.at(-1)!.join(' | '));
}
await engine.close();
if (folder !== null) rmSync(folder, { recursive: true });
printTable(['call', 'CPU, ms', 'longest block, ms'], rows);
