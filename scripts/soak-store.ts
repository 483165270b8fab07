import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../src/stores/open-store.ts';
import { SPACE } from '../test/stores/contract/sample-records.ts';
import { runWriter, type Writer } from '../test/stores/sqlite/fixtures/run-writers.ts';
import { CLOCK, SILENT } from '../test/stores/sqlite/fixtures/temp-store.ts';

/** 16 processes write to one file while 30 more are killed in the middle of it; prints what was lost, which must be nothing. */
const WRITERS = 16;
const COMMITS = 200;
const KILLS = 30;

const folder = await mkdtemp(join(tmpdir(), 'ltm-soak-'));
const location = join(folder, 'ltm.db');
const start = performance.now();
const doomed: Writer[] = [];
let left = KILLS;

async function killOneAfterTheOther(lane: number): Promise<void> {
  while (left > 0) {
    const round = left--;
    doomed.push(
      await runWriter(location, {
        count: COMMITS,
        name: `doomed-${lane}-${round}`,
        killAfter: 2 + Math.floor(Math.random() * 60),
      }),
    );
  }
}

const lanes = Promise.all([0, 1, 2, 3].map(killOneAfterTheOther));
const steady = await Promise.all(
  Array.from({ length: WRITERS }, (_, i) => runWriter(location, { count: COMMITS, name: `steady-${i}` })),
);
await lanes;
const seconds = (performance.now() - start) / 1000;

const writers = [...steady, ...doomed];
const acknowledged = writers.flatMap(({ lines }) => lines.slice(1));
const store = await openStore(location, { clock: CLOCK, log: SILENT });
const kept = new Set((await store.getRecords(SPACE, acknowledged)).map(({ id }) => id));
const report = await store.verify();
const facts = await store.inspect(SPACE);
await store.close();
rmSync(folder, { recursive: true });

const result = {
  seconds: Number(seconds.toFixed(1)),
  acknowledged: acknowledged.length,
  lost: acknowledged.filter((id) => !kept.has(id)).length,
  killed: doomed.filter(({ signal }) => signal === 'SIGKILL').length,
  failed: steady.filter(({ code }) => code !== 0).length,
  complaints: writers.filter(({ errors }) => errors !== '').length,
  records: facts.records,
  head: facts.head,
  passages: facts.passages,
  damaged: report.damaged.length + report.database.length,
};
console.log(JSON.stringify(result));
const isSound =
  result.lost === 0 &&
  result.failed === 0 &&
  result.complaints === 0 &&
  result.damaged === 0 &&
  result.head === result.records;
process.exitCode = isSound ? 0 : 1;
