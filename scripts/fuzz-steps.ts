// Tries every rule, parser and reader of others' texts on hostile ones of 900 kB, and says which takes longer for a step than it may.
//   npm run fuzz                        for an hour
//   npm run fuzz -- --minutes 5         for so long
//   npm run fuzz -- --only secrets      readers whose name holds this
//   npm run fuzz -- --most 10           names whatever takes longer than so many milliseconds
//   npm run fuzz -- --seed 7            begins with this seed; what is found is made again by its own
//   npm run fuzz -- --pieces            each piece over and over instead of made texts
//   npm run fuzz -- --doors             instead of the readers a server, through its doors: how long its event loop stood still
//   npm run fuzz -- --doors --stacks    and what it did in such a stretch, by the profiler, which makes it a little slower
import { parseArgs } from 'node:util';
import { DOORS, openTestedServer } from '../test/bounds/doors.ts';
import { openFuzz, type Step } from '../test/bounds/fuzz-readers.ts';
import { makeHostile } from '../test/bounds/hostile-texts.ts';
import { READERS } from '../test/bounds/readers.ts';

const CHARS = 900_000;
/** The shortest of these counts. */
const DOOR_TRIES = 3;
const LONGEST_MS = { reader: 1000, door: 25 };

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    only: { type: 'string', default: '' },
    seed: { type: 'string', default: '1' },
    chars: { type: 'string', default: String(CHARS) },
    pieces: { type: 'boolean', default: false },
    doors: { type: 'boolean', default: false },
    stacks: { type: 'boolean', default: false },
    most: { type: 'string' },
  },
});
const chars = Number(options.chars);
const until = performance.now() + Number(options.minutes) * 60_000;
const readers = READERS.filter(({ name }) => name.includes(options.only));
const worst = new Map<string, Step>();
const most = Number(options.most ?? (options.doors ? LONGEST_MS.door : LONGEST_MS.reader));
const fuzz = openFuzz();
let tried = 0;
let tooLong = 0;

function note(steps: readonly Step[]): void {
  for (const step of steps) {
    tried++;
    if (step.ms > (worst.get(step.reader)?.ms ?? -1)) worst.set(step.reader, step);
    if (step.ms <= most) continue;
    tooLong++;
    const { reader, text, seed, ms } = step;
    console.log(`${reader}: ${Math.round(ms)} ms on ${seed === null ? '' : `seed ${seed}, `}${text}`);
  }
}

async function tryDoors(): Promise<void> {
  const server = await openTestedServer({ withStacks: options.stacks });
  const doors = DOORS.filter(({ name }) => name.includes(options.only));
  for (let seed = Number(options.seed); performance.now() < until; seed++) {
    const { name: text, text: whole } = makeHostile(seed, chars);
    for (const door of doors) {
      let { ms, stacks } = await server.measure(door, whole);
      // What is collected as garbage is that of others as well.
      for (let i = 1; i < DOOR_TRIES && ms > most; i++) {
        const again = await server.measure(door, `${whole.slice(i)}${'.'.repeat(i)}`);
        if (again.ms < ms) ({ ms, stacks } = again);
      }
      note([{ reader: door.name, chars, seed, text, ms }]);
      if (ms > most && stacks.length > 0) console.log(stacks.join('\n'));
    }
  }
  await server.stop();
}

if (options.doors) await tryDoors();
else if (options.pieces) {
  for (const { name } of readers)
    if (performance.now() < until) note(await fuzz.run({ reader: name, chars, seed: null }));
} else {
  for (let seed = Number(options.seed); performance.now() < until; seed++)
    for (const { name } of readers) if (performance.now() < until) note(await fuzz.run({ reader: name, chars, seed }));
}
await fuzz.stop();
for (const { reader, ms, text } of [...worst.values()].sort((a, b) => b.ms - a.ms))
  console.log(`${String(Math.round(ms)).padStart(7)} ms  ${reader}: ${text}`);
console.log(`${tried} texts, ${tooLong} steps of more than ${most} ms`);
process.exitCode = tooLong === 0 ? 0 : 1;
