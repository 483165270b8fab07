// Three nodes behind a proxy under load on a PostgreSQL server of our own, while connections are cut, the server is restarted and a node is killed.
// Prints what was lost, which must be nothing, and how long it took until all were ready again.
//   node scripts/kill-postgres.ts [--nodes 3] [--writers 8] [--kills 100] [--restarts 3]
import { parseArgs } from 'node:util';
import { runKillNodes } from '../test/e2e/kill-nodes.ts';
import { findPostgres, startPrivatePostgres } from '../test/postgres/private-postgres.ts';

const READY_WITHIN_MS = 10_000;
const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '3' },
    writers: { type: 'string', default: '8' },
    kills: { type: 'string', default: '100' },
    restarts: { type: 'string', default: '3' },
  },
});
const found = findPostgres();
if ('missing' in found) {
  console.log(found.missing);
  process.exit(0);
}
const postgres = await startPrivatePostgres();
try {
  const numbers = {
    nodes: Number(values.nodes),
    writers: Number(values.writers),
    kills: Number(values.kills),
    restarts: Number(values.restarts),
  };
  const report = await runKillNodes(postgres, {
    ...numbers,
    afterMs: 2000,
    onEvent: (what) => process.stderr.write(`${what}\n`),
  });
  console.log(JSON.stringify(report, null, 2));
  const { lost, writtenTwice, staleSearches, processExits, eventsMissed, readyAfterRestartMs } = report;
  const isGood =
    lost + writtenTwice + staleSearches + processExits.length + eventsMissed === 0 &&
    Math.max(0, ...readyAfterRestartMs) < READY_WITHIN_MS;
  process.exitCode = isGood ? 0 : 1;
} finally {
  await postgres.stop();
}
