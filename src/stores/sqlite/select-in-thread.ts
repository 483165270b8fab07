import { Worker } from 'node:worker_threads';

/** As text, so that a bundle needs no second file. */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads');
const { DatabaseSync } = require('node:sqlite');
const database = new DatabaseSync(workerData.path, { readOnly: true });
const answers = workerData.statements.map((sql) => database.prepare(sql).all());
database.close();
parentPort.postMessage(answers);
`;

/** The rows of statements that read the whole file, from a thread of their own: on this one everything else would wait for seconds. Rejects with whatever went wrong. */
export function selectInThread(path: string, statements: readonly string[]): Promise<unknown[][]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(THREAD, { eval: true, workerData: { path, statements }, stderr: true });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`The thread ended with ${code}.`)));
  });
}
