// Started by ltm-hook.js when no server runs: opens the database and answers the question on stdin. The time is kept by the hook, which does not wait for it
// longer than it may.
const [fs, path] = ['fs', 'path'].map((name) => process.getBuiltinModule(name));
const source = new URL('../src/cli/main.ts', import.meta.url);
const inClone = fs.existsSync(source);
// The hook has long gone by then: a server that never answers must not leave one such process behind for each prompt.
setTimeout(() => process.exit(1), 10_000).unref();

import(inClone ? source.href : '../dist/load-script.js').then(inClone ? answer : answerCompiled).then(
  () => process.exit(0),
  () => process.exit(1), // then there is no answer
);

async function answer({ answerHook }) {
  const context = await answerHook(JSON.parse(fs.readFileSync(0, 'utf8')), process.env);
  try {
    fs.writeSync(1, `${JSON.stringify(context)}\n`);
  } catch {} // nobody waits for it any more
}

/** As in ltm.js. */
async function answerCompiled({ keepCompiled, loadScript, storeCompiled }) {
  const { XDG_CACHE_HOME, LOCALAPPDATA, LTM_CACHE_DIR, HOME, USERPROFILE } = process.env;
  const folder =
    LTM_CACHE_DIR ||
    path.join(XDG_CACHE_HOME || LOCALAPPDATA || path.join(HOME || USERPROFILE || '.', '.cache'), 'ltm');
  keepCompiled(folder, 'context');
  await answer(loadScript('cli'));
  storeCompiled();
}
