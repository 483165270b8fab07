import { simulate } from '../test/travel/simulate.ts';
import { simulateSealed } from '../test/travel/simulate-sealed.ts';

/**
 * `npm run sync-seeds [-- COUNT [FIRST]]`: the long form of test/travel/simulation.test.ts. With `--sealed`, that of test/travel/sealed-seeds.test.ts,
 * which has real databases and takes half a second for each.
 */
const words = process.argv.slice(2);
const isSealed = words.includes('--sealed');
const [count = isSealed ? 1_000 : 100_000, first = 0] = words.filter((word) => !word.startsWith('--')).map(Number);
const EVERY = isSealed ? 100 : 10_000;
let failed = 0;
for (let seed = first; seed < first + count; seed++) {
  const failures = isSealed ? { failures: await simulateSealed(seed) } : simulate(seed);
  if (Object.values(failures).some((list) => list.length > 0)) {
    failed++;
    console.log(`seed ${seed}: ${JSON.stringify(failures)}`);
  }
  if ((seed - first + 1) % EVERY === 0) console.log(`${seed - first + 1} seeds, ${failed} failed`);
}
const { user, system } = process.cpuUsage();
console.log(`${count} seeds, ${failed} failed, ${((user + system) / 1e6).toFixed(0)} s of processor time`);
process.exitCode = failed > 0 ? 1 : 0;
