// The same random operations on SQLite and PostgreSQL, every answer compared; the long form of test/differential.
//   node scripts/differential.ts [--operations 200000] [--seed N] [--to postgres://…]
// Without --to a private server is started. The database (or its ?schema=) must be empty.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runDifferential } from '../test/differential/run-differential.ts';
import { startPrivatePostgres } from '../test/postgres/private-postgres.ts';

const { values } = parseArgs({
  options: { operations: { type: 'string', default: '200000' }, seed: { type: 'string' }, to: { type: 'string' } },
});
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
const operations = Number(values.operations);
const folder = mkdtempSync(join(tmpdir(), 'ltm-differential-'));
const postgres = values.to === undefined ? await startPrivatePostgres() : null;
const start = performance.now();
let shown = start;
try {
  const { differences, ...report } = await runDifferential({
    locations: [join(folder, 'memory.db'), values.to ?? postgres!.url()],
    operations,
    seed,
    onProgress(done) {
      if (performance.now() - shown < 10_000) return;
      shown = performance.now();
      process.stderr.write(`${done} of ${operations}, ${Math.round(done / ((shown - start) / 1000))} a second\n`);
    },
  });
  console.log(
    JSON.stringify({
      seed,
      seconds: Math.round((performance.now() - start) / 1000),
      differences: differences.length,
      ...report,
    }),
  );
  if (differences.length > 0) console.log(JSON.stringify(differences, null, 2));
  process.exitCode = differences.length === 0 ? 0 : 1;
} finally {
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
}
