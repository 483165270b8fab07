import { simulate } from '../test/travel/simulate.ts';

/** `npm run sync-seeds [-- COUNT [FIRST]]`: the long form of test/travel/simulation.test.ts. */
const [count = 100_000, first = 0] = process.argv.slice(2).map(Number);
let failed = 0;
for (let seed = first; seed < first + count; seed++) {
  const failures = simulate(seed);
  if (Object.values(failures).some((list) => list.length > 0)) {
    failed++;
    console.log(`seed ${seed}: ${JSON.stringify(failures)}`);
  }
  if ((seed - first + 1) % 10_000 === 0) console.log(`${seed - first + 1} seeds, ${failed} failed`);
}
const { user, system } = process.cpuUsage();
console.log(`${count} seeds, ${failed} failed, ${((user + system) / 1e6).toFixed(0)} s of processor time`);
process.exitCode = failed > 0 ? 1 : 0;
