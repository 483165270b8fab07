// node bench/consolidation-bench.ts [--sizes 2500,10000,40000]: what a run of consolidation and its undo cost beside reading the same memories once, and the longest stretch in which the program could do nothing else.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadConfig } from '../src/features/config.ts';
import { createEngine } from '../src/features/create-engine.ts';
import { openEmbedder } from '../src/server/open-engine.ts';
import { CALLER, CLOCK, fillStore, LOG, openPorts, SETTINGS, SPACE } from './bench-space.ts';
import { DEFAULT_DATA, readCorpus } from './corpus.ts';
import { printTable } from './report.ts';
import { cpuSince } from './timing.ts';

const { values: options } = parseArgs({
  options: { sizes: { type: 'string', default: '2500,10000,40000' }, data: { type: 'string', default: DEFAULT_DATA } },
});
const DAY = 86_400_000;
const MIB = 2 ** 20;

interface Cost {
  cpu: number;
  /** Most of the heap in use beyond what was in use before. */
  heap: number;
  stall: number;
}

function threadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  globalThis.gc?.();
  const base = process.memoryUsage().heapUsed;
  let most = base;
  const sampling = setInterval(() => (most = Math.max(most, process.memoryUsage().heapUsed)), 20);
  // CPU time of this thread between two turns: what other programs take of the machine is none of this one's stalls, and neither is a slow disk.
  let [turn, stall] = [threadTime(), 0];
  const turning = setInterval(() => {
    const now = threadTime();
    stall = Math.max(stall, now - turn);
    turn = now;
  }, 1);
  const before = process.cpuUsage();
  await work();
  const cpu = cpuSince(before);
  clearInterval(turning);
  clearInterval(sampling);
  return { cpu, heap: (most - base) / MIB, stall };
}

const folder = mkdtempSync(join(tmpdir(), 'ltm-consolidation-'));
const config = loadConfig({ flags: {}, env: {}, file: join(folder, 'config.json') });
const rows: string[][] = [];
for (const size of options.sizes.split(',').map(Number)) {
  const path = join(folder, `${size}.db`);
  const embedder = (await openEmbedder(config, LOG))!;
  await fillStore(path, readCorpus(options.data, size).passages, embedder);
  const ports = await openPorts(path, embedder);
  const engine = createEngine({ ...ports, log: LOG, clock: { now: () => CLOCK.now() + 40 * DAY } }, SETTINGS);
  await engine.search(CALLER, { query: 'warm' });
  const read = async (): Promise<void> => {
    let cursor: string | null = null;
    do {
      const page: { cursor: string | null } = await ports.store.listRecords(
        SPACE,
        {},
        { limit: 250, cursor, total: false },
      );
      cursor = page.cursor;
    } while (cursor !== null);
  };
  await read();
  // Every third was read lately.
  const ids = await ports.store.listIds(SPACE, { after: null, limit: size });
  for (let i = 0; i < 5; i++)
    await ports.store.recordReads(
      SPACE,
      ids.filter((_, k) => k % 3 === 0),
      CLOCK.now() + 39 * DAY,
    );
  const reading = await costOf(read);
  const about = { horizon: 'monthly', limit: size } as const;
  const dry = await costOf(() => engine.consolidate(CALLER, { ...about, dryRun: true }));
  let made = '';
  const run = await costOf(async () => {
    const { decay, summaries } = await engine.consolidate(CALLER, about);
    made = `${decay.changed} / ${summaries.clusters}`;
  });
  const undo = await costOf(() => engine.undoConsolidation(CALLER, 'last'));
  await engine.close();
  const ratio = ({ cpu }: Cost): string => `${cpu.toFixed(0)} ms (${(cpu / reading.cpu).toFixed(1)}×)`;
  const heaps = [reading, dry, run, undo].map(({ heap }) => heap.toFixed(0)).join(' / ');
  const stalls = [reading, dry, run, undo].map(({ stall }) => stall.toFixed(0)).join(' / ');
  rows.push([
    size.toLocaleString('en'),
    `${reading.cpu.toFixed(0)} ms`,
    ratio(dry),
    ratio(run),
    ratio(undo),
    made,
    heaps,
    stalls,
  ]);
  console.error(rows.at(-1)!.join(' | '));
  rmSync(path, { force: true });
}
rmSync(folder, { recursive: true });
printTable(
  [
    'memories',
    'reading them, CPU',
    'dry run',
    'run',
    'undo',
    'quality changed / summaries',
    'heap beyond the start, MiB: reading / dry run / run / undo',
    'longest stall, ms of CPU time: the same',
  ],
  rows,
);
