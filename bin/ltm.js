#!/usr/bin/env node
// Kept to what Node 12 can read: an old one must get as far as the message below. Nothing is imported: a module of Node's that is imported loads all it could
// ever give, streams and all, before a command has begun.
const OLDEST = 24;
const source = new URL('../src/cli/main.ts', import.meta.url);

if (Number.parseInt(process.versions.node, 10) < OLDEST) {
  import('node:fs').then(({ existsSync }) => {
    const advice = existsSync(source)
      ? 'install it, or run `npm install` with install scripts allowed and then `npm start`'
      : 'install it from https://nodejs.org';
    process.stderr.write(`ltm needs Node ${OLDEST} or newer, this is ${process.versions.node}: ${advice}.\n`);
    process.exitCode = 1;
  });
} else {
  const inClone = process.getBuiltinModule('fs').existsSync(source);
  import(inClone ? source.href : '../dist/load-script.js').then(inClone ? run : runCompiled);
}

async function run(cli) {
  process.exitCode = await cli.main(process.argv.slice(2), process.env);
}

/** What was compiled is kept in the person's own cache folder, so that the next start need not do it again. Where it cannot be kept, nothing is lost. */
async function runCompiled({ keepCompiled, loadScript, storeCompiled }) {
  const [module, os, path] = ['module', 'os', 'path'].map((name) => process.getBuiltinModule(name));
  const { XDG_CACHE_HOME, LOCALAPPDATA, LTM_CACHE_DIR } = process.env;
  const folder = LTM_CACHE_DIR || path.join(XDG_CACHE_HOME || LOCALAPPDATA || path.join(os.homedir(), '.cache'), 'ltm');
  module.enableCompileCache(path.join(folder, 'compiled'));
  keepCompiled(path.join(folder, 'scripts'), process.argv[2]);
  await run(loadScript('cli'));
  storeCompiled();
}
