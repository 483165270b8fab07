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
  (inClone ? Promise.resolve() : keepCompiled())
    .then(() => import(inClone ? source.href : '../dist/cli.js'))
    .then((cli) => cli.main(process.argv.slice(2), process.env))
    .then((exitCode) => {
      process.exitCode = exitCode;
    });
}

/** What Node has compiled is kept in the person's own cache folder, so that the next start need not do it again. Where it cannot be kept, nothing is lost. */
function keepCompiled() {
  const { XDG_CACHE_HOME, LOCALAPPDATA, LTM_CACHE_DIR } = process.env;
  return Promise.all([import('node:module'), import('node:os'), import('node:path')]).then(([module, os, path]) => {
    const folder =
      LTM_CACHE_DIR || path.join(XDG_CACHE_HOME || LOCALAPPDATA || path.join(os.homedir(), '.cache'), 'ltm');
    module.enableCompileCache(path.join(folder, 'compiled'));
  });
}
