// A small part of `npm run fuzz`: texts of others, whatever they are, hold up nobody.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DOORS, openTestedServer } from './doors.ts';
import { openFuzz } from './fuzz-readers.ts';
import { makeHostile } from './hostile-texts.ts';
import { READERS } from './readers.ts';

/** Large enough that whatever runs quadratically takes seconds. */
const CHARS = 200_000;
const SEEDS = [1, 2];
const LONGEST_MS = 1000;
/**
 * Of processor time of the server's main thread, without the garbage that is collected in it: on a busy machine the main thread does that alone, and for as
 * long as it takes. The script counts it too, and names what is longer than 25 ms; here a slower machine has room.
 */
const LONGEST_IN_SERVER_MS = 50;
/** The shortest counts. */
const TRIES = 3;

test('every rule, parser and reader ends soon on hostile texts', async (t) => {
  const fuzz = openFuzz();
  t.after(fuzz.stop);
  for (const { name: reader } of READERS)
    for (const seed of SEEDS)
      for (const { text, ms } of await fuzz.run({ reader, chars: CHARS, seed }))
        assert.ok(ms <= LONGEST_MS, `${reader}: ${Math.round(ms)} ms on seed ${seed}, ${text}`);
});

test('the event loop of a server goes round while hostile texts come through its doors', async (t) => {
  const server = await openTestedServer();
  t.after(server.stop);
  const texts = [
    { name: 'ligatures', text: 'ﷺ '.repeat(30_000) },
    { name: 'lines', text: 'a b c.\n'.repeat(40_000) },
    makeHostile(4, 300_000),
  ];
  for (const { name, text } of texts)
    for (const door of DOORS) {
      let ms = Number.POSITIVE_INFINITY;
      for (let i = 0; i < TRIES && ms > LONGEST_IN_SERVER_MS; i++)
        ms = Math.min(ms, (await server.measure(door, `${text.slice(i)}${i}`)).workMs);
      assert.ok(ms <= LONGEST_IN_SERVER_MS, `${door.name}: ${Math.round(ms)} ms on ${name}`);
    }
});
