#!/usr/bin/env node
// What agents run at every event. As in ltm.js, nothing is imported. It ends with 0 whatever happens, on an old Node too.
const OLDEST = { 22: [22, 3], 24: [15, 0], 25: [9, 0] };

if (isNewEnough(process.versions.node)) {
  const [fs, module, path] = ['fs', 'module', 'path'].map((name) => process.getBuiltinModule(name));
  const root = path.dirname(import.meta.dirname);
  const source = path.join(root, 'src', 'features', 'sessions', 'capture', 'run-hook.ts');
  const inClone = fs.existsSync(source);
  // In a clone too: to strip sixty files of their types costs four times as much as all else that a hook does.
  module.enableCompileCache(path.join(cacheFolder(path), 'compiled'));
  // In the older module form, which starts faster.
  const { runHook } = module.createRequire(import.meta.url)(inClone ? source : path.join(root, 'dist', 'hook.cjs'));
  runHook(process.argv.slice(2), process.env, { answerer: path.join(root, 'bin', 'answer-hook.js') });
} else {
  import('./hand-over.js').then(({ handOver }) => handOver(process.argv[1]));
}

/** As in ltm.js. */
function isNewEnough(version) {
  const [major, minor, patch] = version.split('.').map(Number);
  const least = OLDEST[major];
  return least === undefined ? major > 25 : minor > least[0] || (minor === least[0] && patch >= least[1]);
}

/** As in ltm.js: the person's own. */
function cacheFolder(path) {
  const { XDG_CACHE_HOME, LOCALAPPDATA, LTM_CACHE_DIR, HOME, USERPROFILE } = process.env;
  return (
    LTM_CACHE_DIR || path.join(XDG_CACHE_HOME || LOCALAPPDATA || path.join(HOME || USERPROFILE || '.', '.cache'), 'ltm')
  );
}
