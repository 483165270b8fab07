// node bench/delete-bench.ts [--sizes 10000,30000,90000]: what deleting by a filter, the upkeep after it and the purge cost for each memory that goes; the same at every size where time is in proportion.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createEngine } from '../src/features/create-engine.ts';
import { CALLER, CLOCK, fillStore, LOG, openPorts, RANDOM_EMBEDDER, SETTINGS } from './bench-space.ts';
import { DEFAULT_DATA, readCorpus } from './corpus.ts';
import { printTable } from './report.ts';
import { cpuSince } from './timing.ts';

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,30000,90000' },
    data: { type: 'string', default: DEFAULT_DATA },
  },
});
const sizes = options.sizes.split(',').map(Number);
const DAY = 86_400_000;

async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return cpuSince(before);
}

const folder = mkdtempSync(join(tmpdir(), 'ltm-delete-'));
const rows: string[][] = [];
let first: number[] | null = null;
for (const size of sizes) {
  const path = join(folder, `${size}.db`);
  await fillStore(path, readCorpus(options.data, size).passages, RANDOM_EMBEDDER);
  let later = 0;
  const ports = await openPorts(path, RANDOM_EMBEDDER);
  const engine = createEngine({ ...ports, log: LOG, clock: { now: () => CLOCK.now() + later } }, SETTINGS);
  await engine.search(CALLER, { query: 'warm' });
  const filter = { types: ['note'] };
  const deleted = await cpuOf(() => engine.deleteMemories(CALLER, { filter }));
  const upkeep = await cpuOf(() => engine.runUpkeep());
  later = 40 * DAY;
  const purged = await cpuOf(() => engine.purgeExpired(CALLER, { everywhere: true }));
  await engine.close();
  const each = [deleted, upkeep, purged].map((ms) => (ms / size) * 1000);
  first ??= each;
  rows.push([size.toLocaleString('en'), ...each.map((us, i) => `${us.toFixed(0)} (${(us / first![i]!).toFixed(2)})`)]);
  console.error(rows.at(-1)!.join(' | '));
  rmSync(path, { force: true });
}
rmSync(folder, { recursive: true });
printTable(['deleted', 'deleting, µs of CPU each', 'upkeep after it', 'purging'], rows);
