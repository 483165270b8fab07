#!/usr/bin/env node
// What agents run at every event. As in ltm.js, nothing is imported. It ends with 0 whatever happens, on an old Node too.
const OLDEST = 24;

if (Number.parseInt(process.versions.node, 10) >= OLDEST) {
  const [fs, module, path] = ['fs', 'module', 'path'].map((name) => process.getBuiltinModule(name));
  const root = path.dirname(import.meta.dirname);
  const source = path.join(root, 'src', 'capture', 'run-hook.ts');
  const inClone = fs.existsSync(source);
  if (!inClone) module.enableCompileCache(path.join(cacheFolder(path), 'compiled'));
  // In the older module form, which starts faster.
  const { runHook } = module.createRequire(import.meta.url)(inClone ? source : path.join(root, 'dist', 'hook.cjs'));
  runHook(process.argv.slice(2), process.env, { answerer: path.join(root, 'bin', 'answer-hook.js') });
}

/** As in ltm.js: the person's own. */
function cacheFolder(path) {
  const { XDG_CACHE_HOME, LOCALAPPDATA, LTM_CACHE_DIR, HOME, USERPROFILE } = process.env;
  return (
    LTM_CACHE_DIR || path.join(XDG_CACHE_HOME || LOCALAPPDATA || path.join(HOME || USERPROFILE || '.', '.cache'), 'ltm')
  );
}
