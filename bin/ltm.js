#!/usr/bin/env node
// Kept to what Node 12 can read: an old one must get as far as the message below.
import { existsSync } from 'node:fs';

const OLDEST = 24;
const source = new URL('../src/cli/main.ts', import.meta.url);
const inClone = existsSync(source);

if (Number.parseInt(process.versions.node, 10) < OLDEST) {
  const advice = inClone
    ? 'install it, or run `npm install` with install scripts allowed and then `npm start`'
    : 'install it from https://nodejs.org';
  process.stderr.write(`ltm needs Node ${OLDEST} or newer, this is ${process.versions.node}: ${advice}.\n`);
  process.exitCode = 1;
} else {
  import(inClone ? source.href : '../dist/cli.js')
    .then((cli) => cli.main(process.argv.slice(2), process.env))
    .then((exitCode) => {
      process.exitCode = exitCode;
    });
}
