import { deepEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { flipBits } from './flip-bits.ts';

/** `node scripts/flip-bits.ts` flips as many as one likes. */
const FLIPS = 200;

test(`of ${FLIPS} flipped bits none changes an answer without a word`, async () => {
  const { told, silent } = await flipBits({ flips: FLIPS, seed: 20260115 });
  deepEqual(
    silent.map(({ offset, bit, asked }) => `${asked} (byte ${offset}, bit ${bit})`),
    [],
  );
  ok(told > FLIPS / 10, `only ${told} were noticed: are the answers compared at all?`);
});
