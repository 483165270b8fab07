// A thread of ltm-hook.js, for when no server runs: opens the database and answers. The time is kept by the other thread, which goes on whatever happens here.
const [{ existsSync }, { enableCompileCache }, { parentPort, workerData }] = ['fs', 'module', 'worker_threads'].map(
  (name) => process.getBuiltinModule(name),
);
const source = new URL('../src/cli/main.ts', import.meta.url);
const inClone = existsSync(source);
if (!inClone) enableCompileCache(workerData.cacheFolder);

import(inClone ? source.href : '../dist/cli.js')
  .then(({ answerHook }) => answerHook(workerData.question, workerData.env))
  .then(
    (context) => parentPort.postMessage(context),
    () => parentPort.postMessage(null), // then there is no answer
  );
