import { deepEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import type { Failures } from './expected-end.ts';
import { NAIVE_RULES } from './naive-rules.ts';
import { simulate } from './simulate.ts';

/** Few enough for every run of the tests; `npm run sync-seeds` goes through a hundred thousand. */
const SEEDS = 1000;
/** Every naive rule fails before this one. */
const NAIVE_SEEDS = 400;

const NO_FAILURES: Failures = { diverged: [], cameBack: [], lost: [], purgedFound: [] };

test('replicas that write, part, crash and are put back hold the same in the end: nothing lost, nothing come back', () => {
  for (let seed = 0; seed < SEEDS; seed++) deepEqual(simulate(seed), NO_FAILURES, `seed ${seed}`);
});

for (const { name, breaks, rules } of NAIVE_RULES)
  test(`the simulation notices where ${name}`, () => {
    let seed = 0;
    while (seed < NAIVE_SEEDS && simulate(seed, rules)[breaks].length === 0) seed++;
    ok(seed < NAIVE_SEEDS, `nothing was ${breaks}`);
  });
