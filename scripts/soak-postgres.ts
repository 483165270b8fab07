// Several processes write to one PostgreSQL server of our own while its backends are killed, it is restarted and one process is killed too;
// prints what was lost or written twice, which must be nothing.
//   node scripts/soak-postgres.ts [--nodes 3] [--commits 400] [--kills 100] [--restarts 3]
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openStore } from '../src/stores/open-store.ts';
import { startPrivatePostgres } from '../test/postgres/private-postgres.ts';
import { SPACE } from '../test/stores/contract/sample-records.ts';
import { runWriter } from '../test/stores/sqlite/fixtures/run-writers.ts';
import { CLOCK, SILENT } from '../test/stores/sqlite/fixtures/temp-store.ts';

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '3' },
    commits: { type: 'string', default: '400' },
    kills: { type: 'string', default: '100' },
    restarts: { type: 'string', default: '3' },
  },
});
const KILL_ONE =
  "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app' ORDER BY random() LIMIT 1";
const postgres = await startPrivatePostgres();
const location = postgres.url();
const store = await openStore(location, { clock: CLOCK, log: SILENT });
let isOver = false;
let kills = 0;
let slowest = 0;

async function disturb(): Promise<number> {
  const restartEvery = Math.ceil(Number(values.kills) / (Number(values.restarts) + 1));
  let restarts = 0;
  while (!isOver && kills < Number(values.kills)) {
    kills += (await postgres.admin(KILL_ONE)).length;
    if (restarts < Number(values.restarts) && kills >= restartEvery * (restarts + 1)) {
      await postgres.restart(restarts++ % 2 === 0 ? 'immediate' : 'fast');
      const start = performance.now();
      await store.head(SPACE);
      slowest = Math.max(slowest, performance.now() - start);
    }
    await sleep(20);
  }
  return restarts;
}

const start = performance.now();
const disturbing = disturb();
const steady = Array.from({ length: Number(values.nodes) }, (_, i) =>
  runWriter(location, { count: Number(values.commits), name: `node-${i}` }),
);
const doomed = runWriter(location, { count: Number(values.commits), name: 'doomed', killAfter: 40 });
const writers = await Promise.all([...steady, doomed]);
isOver = true;
const restarts = await disturbing;

const acknowledged = writers.flatMap(({ lines }) => lines.slice(1));
const kept = new Set((await store.getRecords(SPACE, acknowledged)).map(({ id }) => id));
const facts = await store.inspect(SPACE);
const damage = await store.verify();
await store.close();
await postgres.stop();
const result = {
  seconds: Math.round((performance.now() - start) / 1000),
  kills,
  restarts,
  readyAgainMs: Math.round(slowest),
  acknowledged: acknowledged.length,
  lost: acknowledged.filter((id) => !kept.has(id)).length,
  exits: writers.slice(0, -1).filter(({ code }) => code !== 0).length,
  records: facts.records,
  head: facts.head,
  damaged: damage.damaged.length + damage.database.length,
};
console.log(JSON.stringify(result));
for (const { errors } of writers) if (errors !== '') process.stderr.write(errors.slice(0, 2000));
const isSound = result.lost === 0 && result.exits === 0 && result.damaged === 0 && result.head === result.records;
process.exitCode = isSound ? 0 : 1;
