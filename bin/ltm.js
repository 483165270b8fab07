#!/usr/bin/env node
// Kept to what Node 12 can read: an old one must get as far as the message below. Nothing is imported: a module of Node's that is imported loads all it could
// ever give, streams and all, before a command has begun.
// The floor is that of SQLite, which comes with Node: before 3.51.3 two writers can corrupt a file. `engines` in package.json says the same.
const OLDEST = { 22: [22, 3], 24: [15, 0], 25: [9, 0] };
const source = new URL('../src/cli/main.ts', import.meta.url);

if (isNewEnough(process.versions.node)) {
  if (process.versions.node.startsWith('22.')) keepQuietAboutSqlite();
  const inClone = process.getBuiltinModule('fs').existsSync(source);
  import(inClone ? source.href : '../dist/load-script.js').then(inClone ? run : runCompiled);
} else {
  import('./hand-over.js').then(({ handOver, NEEDED }) => {
    if (handOver(process.argv[1])) return;
    process.stderr.write(`ltm needs Node ${NEEDED}, this is ${process.versions.node}: see https://nodejs.org.\n`);
    process.exitCode = 1;
  });
}

function isNewEnough(version) {
  const [major, minor, patch] = version.split('.').map(Number);
  const least = OLDEST[major];
  return least === undefined ? major > 25 : minor > least[0] || (minor === least[0] && patch >= least[1]);
}

/** Node 22 warns of it at every start. */
function keepQuietAboutSqlite() {
  const { emitWarning } = process;
  process.emitWarning = (warning, ...rest) => {
    if (!String(warning).startsWith('SQLite is an experimental feature')) emitWarning.call(process, warning, ...rest);
  };
}

async function run(cli) {
  process.exitCode = await cli.main(process.argv.slice(2), process.env);
}

/** What was compiled is kept in the person's own cache folder, so that the next start need not do it again. Where it cannot be kept, nothing is lost. */
async function runCompiled({ keepCompiled, loadScript, storeCompiled }) {
  const [os, path] = ['os', 'path'].map((name) => process.getBuiltinModule(name));
  const { XDG_CACHE_HOME, LOCALAPPDATA, LTM_CACHE_DIR } = process.env;
  const folder = LTM_CACHE_DIR || path.join(XDG_CACHE_HOME || LOCALAPPDATA || path.join(os.homedir(), '.cache'), 'ltm');
  keepCompiled(folder, process.argv[2]);
  await run(loadScript('cli'));
  storeCompiled();
}
