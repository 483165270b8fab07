// What one command costs: CPU time of the built `ltm search` and `ltm store` over stores of several sizes, beside a bare Node process of the same run.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { DEFAULT_DATA, readCorpus } from './corpus.ts';
import { cpuOf, writeExport } from './installed-program.ts';
import { median, printTable } from './report.ts';

const ROOT = join(import.meta.dirname, '..');
const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: DEFAULT_DATA },
    stored: { type: 'string', default: '0,1000,3900,10000' },
    imported: { type: 'string', default: '10000,100000' },
    rounds: { type: 'string', default: '7' },
    keep: { type: 'string' },
  },
});
const SEARCHES = 300;
const readSizes = (text: string): number[] => (text === '' ? [] : text.split(',').map(Number));

if (!existsSync(join(ROOT, 'dist', 'cli.js'))) {
  console.error('dist/cli.js is not there: run `npm run build` first.');
  process.exit(1);
}
const folder = options.keep ?? mkdtempSync(join(tmpdir(), 'ltm-commands-'));
// As installed: the program without its sources beside it, and with a cache folder of its own.
for (const part of ['bin', 'dist', 'package.json']) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
const PROGRAM = join(folder, 'bin', 'ltm.js');
const ENV = { PATH: process.env.PATH, HOME: folder, LTM_CACHE_DIR: join(folder, 'cache') };

/** CPU time of a process and its threads, in milliseconds; Node tells a parent nothing of its children's, bash does. */
function timeCpu(args: readonly string[]): number {
  const script = 'TIMEFORMAT="%3U %3S"; time "$0" "$@" >/dev/null 2>&1';
  const { stderr, status } = spawnSync('bash', ['-c', script, process.execPath, ...args], { env: ENV });
  if (status !== 0) throw new Error(`${args.join(' ')}: exit ${status}`);
  const [user, system] = stderr.toString().trim().split(' ').map(Number);
  return (user! + system!) * 1000;
}

/** Returns the CPU time of a search by the same process right after the last memory was stored, in milliseconds. */
async function storeOverMcp(db: string, texts: readonly string[], asked: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [PROGRAM, 'mcp', '--db', db], { env: ENV, stdio: ['pipe', 'pipe', 'ignore'] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (id: number, method: string, params: object): Promise<void> => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    const { error } = JSON.parse((await answers.next()).value as string) as { error?: { message: string } };
    if (error !== undefined) throw new Error(error.message);
  };
  const clientInfo = { name: 'bench', version: '1' };
  await ask(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  for (let at = 0; at < texts.length; at++)
    await ask(at + 1, 'tools/call', { name: 'memory_store', arguments: { content: texts[at] } });
  const before = cpuOf(child.pid!);
  for (const [at, query] of asked.entries())
    await ask(texts.length + at + 1, 'tools/call', { name: 'memory_search', arguments: { query } });
  const searchMs = (cpuOf(child.pid!) - before) / asked.length;
  const ended = new Promise((resolve) => child.on('exit', resolve));
  child.stdin.end();
  await ended;
  return searchMs;
}

const stored = readSizes(options.stored);
const imported = readSizes(options.imported);
const { passages, questions } = readCorpus(options.data, Math.max(...stored, ...imported));
const rows: string[][] = [];

async function measure(name: string, db: string, searchMs: number | null): Promise<void> {
  const bare: number[] = [];
  const search: number[] = [];
  const store: number[] = [];
  for (let i = 0; i < Number(options.rounds); i++) {
    bare.push(timeCpu(['-e', '0']));
    search.push(timeCpu([PROGRAM, 'search', questions[i]!, '--db', db]));
    store.push(timeCpu([PROGRAM, 'store', `${questions[i]} was asked at ${Date.now()}.`, '--db', db]));
  }
  const show = (values: number[]): string =>
    `${median(values).toFixed(0)} ms, ${(median(values) / median(bare)).toFixed(1)}×`;
  const first = `${search[0]!.toFixed(0)} ms, ${(search[0]! / median(bare)).toFixed(1)}×`;
  const serving = searchMs === null ? '' : `${searchMs.toFixed(1)} ms`;
  rows.push([name, `${median(bare).toFixed(0)} ms`, first, show(search), show(store), serving]);
  console.error(rows.at(-1)!.join(' | '));
}

for (const size of stored) {
  const db = join(folder, `stored-${size}.db`);
  const searchMs = existsSync(db)
    ? null
    : await storeOverMcp(db, passages.slice(0, size), questions.slice(0, SEARCHES));
  await measure(`${size.toLocaleString('en')} stored over MCP`, db, searchMs);
}
for (const size of imported) {
  const db = join(folder, `imported-${size}.db`);
  const file = join(folder, 'memories.jsonl');
  if (!existsSync(db)) {
    writeExport(file, passages.slice(0, size));
    const cpu = timeCpu([PROGRAM, 'import', file, '--db', db]);
    console.error(`import of ${size}: ${(cpu / 1000).toFixed(1)} s of CPU`);
  }
  await measure(`${size.toLocaleString('en')} imported`, db, null);
}
if (options.keep === undefined) rmSync(folder, { recursive: true, force: true });
printTable(
  [
    'memories',
    '`node -e 0`',
    'the first `ltm search`',
    '`ltm search`, median',
    '`ltm store`, median',
    '`memory_search` right after storing',
  ],
  rows,
);
