// node bench/doors-bench.ts [--sizes 0,100,1000,3900,10000,100000] [--results FILE]: the built program with default settings through each door, right after storing and after rest, beside a bare Node process and what one would write oneself, all in one run. A million: --sizes 1000000.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { DEFAULT_DATA, readCorpus } from './corpus.ts';
import { cpuOf, installProgram, residentOf, writeExport } from './installed-program.ts';
import { makeNaiveVectors, openNaiveText } from './naive-baseline.ts';
import { median, printTable } from './report.ts';
import { cpuSince } from './timing.ts';

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: DEFAULT_DATA },
    sizes: { type: 'string', default: '0,100,1000,3900,10000,100000' },
    rounds: { type: 'string', default: '5' },
    keep: { type: 'string' },
  },
});
const sizes = options.sizes.split(',').map(Number);
const rounds = Number(options.rounds);
/** Stores up to this size are filled one memory at a time over MCP, larger ones by import. */
const MAX_STORED = 10_000;
const SEARCHES = 300;
/** The cheapest of so many times counts: others share the machine. */
const TIMES = 3;
const DIMENSIONS = 256;
const { folder, program, env, timeCpu, remove } = installProgram(options.keep);
const { passages, questions } = readCorpus(options.data, Math.max(...sizes, 1));
const asked = questions.slice(0, SEARCHES);

/** `ltm mcp` as an agent has it; the client's own work is not counted. */
async function openStdio(db: string) {
  const child = spawn(process.execPath, [program, 'mcp', '--db', db], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let id = 0;
  const ask = async (method: string, params: object): Promise<void> => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: id++, method, params })}\n`);
    const { error } = JSON.parse((await answers.next()).value as string) as { error?: { message: string } };
    if (error !== undefined) throw new Error(error.message);
  };
  const call = (name: string, args: object): Promise<void> => ask('tools/call', { name, arguments: args });
  const clientInfo = { name: 'bench', version: '1' };
  await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  return {
    call,
    pid: child.pid!,
    async close() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.stdin.end();
      await ended;
    },
  };
}

/** CPU time of one of many calls by another process, in milliseconds. */
async function costOf(pid: number, calls: number, work: () => Promise<unknown>, times = TIMES): Promise<number> {
  const costs: number[] = [];
  for (let time = 0; time < times; time++) {
    const before = cpuOf(pid);
    await work();
    costs.push((cpuOf(pid) - before) / calls);
  }
  return Math.min(...costs);
}

type Stdio = Awaited<ReturnType<typeof openStdio>>;
const searchAll = async ({ call }: Stdio): Promise<void> => {
  for (const query of asked) await call('memory_search', { query });
};

/** What one memory cost to store, and a search right after the last one; null where it was imported. */
async function fill(db: string, size: number): Promise<{ store: number; search: number } | null> {
  if (size > MAX_STORED) {
    const file = join(folder, 'memories.jsonl');
    writeExport(file, passages.slice(0, size));
    const cpu = timeCpu([program, 'import', file, '--db', db]);
    console.error(`import of ${size}: ${(cpu / 1000).toFixed(1)} s of CPU`);
    return null;
  }
  const stdio = await openStdio(db);
  const before = cpuOf(stdio.pid);
  for (const content of passages.slice(0, size)) await stdio.call('memory_store', { content });
  const store = size === 0 ? Number.NaN : (cpuOf(stdio.pid) - before) / size;
  const search = await costOf(stdio.pid, asked.length, () => searchAll(stdio), 1);
  await stdio.close();
  return { store, search };
}

/** The first search is that of several processes, one after the other. */
async function measureStdio(db: string): Promise<{ first: number; search: number }> {
  const firsts: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const agent = await openStdio(db);
    const from = performance.now();
    await agent.call('memory_search', { query: asked[round] });
    firsts.push(performance.now() - from);
    await agent.close();
  }
  const stdio = await openStdio(db);
  const search = await costOf(stdio.pid, asked.length, () => searchAll(stdio));
  await stdio.close();
  return { first: median(firsts), search };
}

async function measureHttp(db: string): Promise<{ mcp: number; rest: number; resident: number }> {
  const flags = ['serve', '--port', '0', '--json', '--db', db, '--reads-per-minute', '0'];
  const child = spawn(process.execPath, [program, ...flags], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  let out = '';
  for await (const chunk of child.stdout) {
    out += chunk;
    if (out.trimEnd().endsWith('}')) break;
  }
  const { url, token_file: file } = JSON.parse(out) as { url: string; token_file: string };
  const token = readFileSync(file, 'utf8').trim();
  const generator = spawn(process.execPath, [join(import.meta.dirname, 'load-generator.ts'), url, token], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const answers = createInterface({ input: generator.stdout })[Symbol.asyncIterator]();
  const load = (path: string, bodies: unknown[]): Promise<unknown> => {
    generator.stdin.write(`${JSON.stringify({ path, bodies, connections: 4, count: bodies.length })}\n`);
    return answers.next();
  };
  const calls = asked.map((query, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'memory_search', arguments: { query } },
  }));
  await load('/mcp', calls);
  const mcp = await costOf(child.pid!, calls.length, () => load('/mcp', calls));
  const searches = asked.map((query) => ({ query }));
  await load('/api/v1/search', searches);
  const rest = await costOf(child.pid!, searches.length, () => load('/api/v1/search', searches));
  const resident = residentOf(child.pid!);
  generator.stdin.end();
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
  return { mcp, rest, resident };
}

/** What one would write oneself, in this process and without a door: all words OR-ed in FTS5, and a scan of all vectors. */
function measureNaive(size: number): number {
  if (size === 0) return Number.NaN;
  const path = join(folder, `naive-${size}.db`);
  const text = existsSync(path) ? null : openNaiveText(path, passages.slice(0, size));
  if (text === null) return Number.NaN;
  const nearest = makeNaiveVectors(size, DIMENSIONS);
  const vector = new Float32Array(DIMENSIONS).fill(0.1);
  const some = asked.slice(0, 50);
  const before = process.cpuUsage();
  for (const question of some) {
    text.find(question);
    nearest(vector);
  }
  const cost = cpuSince(before) / some.length;
  text.close();
  return cost;
}

const show = (ms: number): string => (Number.isNaN(ms) ? '' : ms < 10 ? ms.toFixed(2) : ms.toFixed(0));
const rows: string[][] = [];
for (const size of sizes) {
  const db = join(folder, `doors-${size}.db`);
  const filled = existsSync(db) ? null : await fill(db, size);
  const [bare, search, store]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round++) {
    bare.push(timeCpu(['-e', '0']));
    search.push(timeCpu([program, 'search', asked[round]!, '--db', db]));
    store.push(timeCpu([program, 'store', `${asked[round]} was asked at ${Date.now()}.`, '--db', db]));
  }
  const times = (values: number[]): string => `${(median(values) / median(bare)).toFixed(1)}×`;
  const stdio = await measureStdio(db);
  const http = await measureHttp(db);
  rows.push([
    size.toLocaleString('en'),
    `${median(bare).toFixed(0)}`,
    times(search),
    times(store),
    show(filled?.store ?? Number.NaN),
    show(filled?.search ?? Number.NaN),
    show(stdio.first),
    show(stdio.search),
    show(http.mcp),
    show(http.rest),
    show(measureNaive(size)),
    http.resident.toFixed(0),
  ]);
  console.error(rows.at(-1)!.join(' | '));
  if (options.keep !== undefined) writeFileSync(join(folder, 'doors.json'), JSON.stringify(rows));
}
remove();
printTable(
  [
    'memories',
    '`node -e 0`, ms',
    '`ltm search`',
    '`ltm store`',
    '`memory_store`, stdio',
    '`memory_search`, stdio, right after storing',
    'first search of `ltm mcp`, wall',
    '`memory_search`, stdio, after rest',
    '`memory_search`, HTTP',
    'REST search',
    'do it yourself',
    'memory of `ltm serve`, MB',
  ],
  rows,
);
