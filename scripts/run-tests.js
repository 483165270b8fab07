// Runs the tests: all of them, or the files whose path holds one of the given words.
//   npm test                    everything
//   npm test -- stores cli      only those paths
//   npm test -- --test-name-pattern=restore    options go to node --test
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';

const OLDEST = 24;
if (Number.parseInt(process.versions.node, 10) < OLDEST) {
  process.stdout.write(
    `The tests need Node ${OLDEST} or newer, this is ${process.versions.node}: install it, or run \`npm install\`.\n`,
  );
  process.exit(1);
}

function listTests(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return listTests(path);
    return entry.name.endsWith('.test.ts') ? [path] : [];
  });
}

const options = process.argv.slice(2).filter((argument) => argument.startsWith('-'));
const words = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const files = ['src', 'test']
  .flatMap(listTests)
  .filter((path) => words.length === 0 || words.some((word) => path.split(sep).join('/').includes(word)));
if (files.length === 0) {
  process.stdout.write(`No test file matches ${words.join(', ')}.\n`);
  process.exit(1);
}

// A whole run tests the program that is published, which also starts in half the time; a few files, the sources as they stand.
const cache = join(import.meta.dirname, '..', 'node_modules', '.cache');
// Hundreds of processes load the same modules: what Node has compiled is kept for the next one.
const env = { NODE_COMPILE_CACHE: join(cache, 'compiled'), LTM_CACHE_DIR: join(cache, 'ltm'), ...process.env };
if (words.length === 0) env.LTM_PROGRAM ??= (await import('../test/packed/pack-program.ts')).unpackProgram();

// Three at a time: many of them wait for processes of their own, and a small machine has two cores.
// The limit ends what hangs, and nothing else: no file comes near it on a machine that is busy with other things.
const child = spawn(
  process.execPath,
  ['--test', '--test-concurrency=3', '--test-timeout=1200000', ...options, ...files],
  { stdio: 'inherit', env },
);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => process.exit(code === null ? 1 : code));
