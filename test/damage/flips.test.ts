import { deepEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { flipBits } from './flip-bits.ts';

/** `node scripts/flip-bits.ts` flips a thousand and more. */
const FLIPS = 100;

test(`of ${FLIPS} flipped bits none changes an answer without a word`, async () => {
  const { told, silent } = await flipBits({ flips: FLIPS, seed: 20260115 });
  deepEqual(
    silent.map(({ offset, bit, asked }) => `${asked} (byte ${offset}, bit ${bit})`),
    [],
  );
  ok(told > FLIPS / 10, `only ${told} were noticed: are the answers compared at all?`);
});

/** Each takes a second, as after a kill everything is read anew. */
const LOG_FLIPS = 25;

test(`of ${LOG_FLIPS} bits that are flipped in the log of a killed process none takes an acknowledged write away without a word`, async () => {
  const { told, silent } = await flipBits({ flips: LOG_FLIPS, seed: 20260118, part: '-wal' });
  deepEqual(
    silent.map(({ offset, bit, asked }) => `${asked} (byte ${offset}, bit ${bit})`),
    [],
  );
  ok(told > LOG_FLIPS / 2, `only ${told} were noticed: are the answers compared at all?`);
});
