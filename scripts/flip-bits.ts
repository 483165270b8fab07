// node scripts/flip-bits.ts [--flips 1000] [--seed 1] [--db FILE] [--log] [--offset N --bit N]: flips random bits of a database, or of the log of one that was killed, asks everything after each, and says what changed without a word.
import { parseArgs } from 'node:util';
import { flipBits } from '../test/damage/flip-bits.ts';

const { values } = parseArgs({
  options: {
    flips: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    offset: { type: 'string' },
    bit: { type: 'string' },
    db: { type: 'string' },
    log: { type: 'boolean' },
  },
});
const only =
  values.offset === undefined ? undefined : { offset: Number(values.offset), bit: Number(values.bit ?? '0') };
const report = await flipBits({
  flips: only === undefined ? Number(values.flips) : 1,
  seed: Number(values.seed),
  only,
  database: values.db,
  part: values.log === true ? '-wal' : '',
  onFlip(done, { told, harmless, silent }) {
    if (done % 50 === 0) console.error(`${done}: ${told} told, ${harmless} harmless, ${silent.length} silent answers`);
  },
});
const { silent, ...counts } = report;
console.log(JSON.stringify(counts));
for (const { offset, bit, asked, before, after } of silent) {
  let at = 0;
  while (at < before.length && before[at] === after[at]) at++;
  const around = (text: string) => text.slice(Math.max(0, at - 60), at + 100);
  console.log(`--offset ${offset} --bit ${bit}: ${asked}\n  before …${around(before)}\n  after  …${around(after)}`);
}
process.exitCode = silent.length === 0 ? 0 : 1;
