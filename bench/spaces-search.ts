// One fresh process over filled spaces: the first search in each, then searches once they are warm, and a digest of all answers. Prints JSON; started by postgres.ts.
import { createHash } from 'node:crypto';
import { createEngine } from '../src/features/create-engine.ts';
import { type Caller, ownerOf } from '../src/model/caller.ts';
import type { SpaceId } from '../src/model/ids.ts';
import { openStore } from '../src/stores/open-store.ts';
import { CALLER, LOG, RANDOM_EMBEDDER, SETTINGS } from './bench-space.ts';
import { median, quantile } from './report.ts';
import { residentMb, type Timing, timeEach } from './timing.ts';

export interface SpacesSearch {
  /** Opening the store is not part of it. */
  coldMs: { p50: number; p95: number };
  warm: Timing;
  indexMb: number;
  residentMb: number;
  digest: string;
}

/** Asked in every run, so that their answers can be compared. */
const COMPARED = 8;
const [location, budgetMb] = process.argv.slice(2);
let input = '';
for await (const chunk of process.stdin) input += chunk;
const { questions, spaces } = JSON.parse(input) as { questions: string[]; spaces: SpaceId[] };

const now = Date.UTC(2026, 0, 1);
const store = await openStore(location!, { clock: { now: () => now }, log: LOG });
const engine = createEngine(
  { store, embedder: RANDOM_EMBEDDER, clock: { now: () => now }, log: LOG },
  { ...SETTINGS, indexBudgetBytes: Number(budgetMb) * 2 ** 20 },
);
const callerOf = (space: SpaceId): Caller => ({ ...CALLER, space, spaces: [space], roles: ownerOf([space]) });
const asked = questions.map((query, i) => ({ query, caller: callerOf(spaces[i % spaces.length]!) }));
const digest = createHash('sha256');
const cold: number[] = [];
for (const space of spaces) {
  const started = performance.now();
  await engine.search(callerOf(space), { query: questions[0]! });
  cold.push(performance.now() - started);
}
for (const { query, caller } of asked.slice(0, COMPARED))
  digest.update(JSON.stringify((await engine.search(caller, { query })).hits.map(({ id, score }) => [id, score])));
const warm = await timeEach(
  asked,
  ({ query, caller }) => engine.search(caller, { query }),
  asked.length > COMPARED ? 2 : 1,
);
const { index } = await engine.checkHealth(callerOf(spaces[0]!));
const found: SpacesSearch = {
  coldMs: { p50: median(cold), p95: quantile(cold, 0.95) },
  warm,
  indexMb: (index.bytes ?? 0) / 2 ** 20,
  residentMb: residentMb(),
  digest: digest.digest('hex').slice(0, 12),
};
await engine.close();
console.log(JSON.stringify(found));
