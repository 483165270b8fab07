// node bench/serve-bench.ts [--size 10000] [--requests 16000] [--workers 1,2]: what a search over HTTP costs beside one of the engine alone, how much memory the server holds, and how many searches a second several workers answer.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { DEFAULT_DATA, readCorpus } from './corpus.ts';
import { childrenOf, cpuOf, installProgram, residentOf, writeExport } from './installed-program.ts';
import { printTable } from './report.ts';

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: DEFAULT_DATA },
    size: { type: 'string', default: '10000' },
    requests: { type: 'string', default: '16000' },
    workers: { type: 'string', default: '1,2' },
    connections: { type: 'string', default: '8' },
    doors: { type: 'string', default: 'mcp,rest' },
    keep: { type: 'string' },
  },
});
const [size, requests, connections] = [options.size, options.requests, options.connections].map(Number) as [
  number,
  number,
  number,
];
const { folder, program, env, timeCpu, remove } = installProgram(options.keep);
const { passages, questions } = readCorpus(options.data, size);
const asked = questions.slice(0, 1000);
const db = join(folder, `served-${size}.db`);
if (!existsSync(db)) {
  writeExport(join(folder, 'memories.jsonl'), passages);
  timeCpu([program, 'import', join(folder, 'memories.jsonl'), '--db', db]);
}

const WARM = 1000;
const STEP = 2000;
const DOORS = {
  mcp: {
    path: '/mcp',
    body: (query: string, id: number) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'memory_search', arguments: { query } },
    }),
  },
  rest: { path: '/api/v1/search', body: (query: string) => ({ query }) },
};

const RATED_MS = 4000;

/** In processes of their own, by the published library: CPU time of one search, and how many a second they answer together. That is what the machine allows several workers. */
async function timeEngines(processes: number): Promise<{ cpu: number; rate: number }> {
  const script = `
    const { openEngine, loadConfig, createLog, ownerCaller } = await import(${JSON.stringify(join(folder, 'dist', 'index.js'))});
    const engine = await openEngine(loadConfig({ flags: { db: ${JSON.stringify(db)} }, env: {}, file: '' }), createLog('error'));
    const asked = JSON.parse(process.env.ASKED);
    const caller = ownerCaller('cli');
    let cpu = Infinity;
    for (let round = 0; round < 5; round++) {
      const before = process.cpuUsage();
      for (const query of asked) await engine.search(caller, { query });
      const { user, system } = process.cpuUsage(before);
      cpu = Math.min(cpu, (user + system) / 1000 / asked.length);
    }
    console.log(cpu);
    await new Promise((resolve) => process.stdin.once('data', resolve));
    let done = 0;
    for (const started = performance.now(); performance.now() - started < ${RATED_MS}; done++)
      await engine.search(caller, { query: asked[done % asked.length] });
    console.log(done * 1000 / ${RATED_MS});
    process.stdin.destroy();
    await engine.close();`;
  const children = Array.from({ length: processes }, () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...env, ASKED: JSON.stringify(asked) },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
  });
  const read = async () => Promise.all(children.map(async ({ lines }) => Number((await lines.next()).value)));
  const cpu = Math.min(...(await read()));
  for (const { child } of children) child.stdin.write('go\n');
  return { cpu, rate: (await read()).reduce((sum, rate) => sum + rate, 0) };
}

async function serve(workers: number) {
  const flags = ['--port', '0', '--json', '--db', db, '--workers', String(workers), '--reads-per-minute', '0'];
  const child = spawn(process.execPath, [program, 'serve', ...flags], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  let out = '';
  for await (const chunk of child.stdout) {
    out += chunk;
    if (out.trimEnd().endsWith('}')) break;
  }
  const { url, token_file: tokenFile } = JSON.parse(out) as { url: string; token_file: string };
  const token = readFileSync(tokenFile, 'utf8').trim();
  const generator = spawn(process.execPath, [join(import.meta.dirname, 'load-generator.ts'), url, token], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const answers = createInterface({ input: generator.stdout })[Symbol.asyncIterator]();
  const pids = () => [child.pid!, ...childrenOf(child.pid!)];
  return {
    pids,
    cpu: () => pids().reduce((sum, pid) => sum + cpuOf(pid), 0),
    resident: () => pids().map(residentOf),
    async load(door: keyof typeof DOORS, count: number): Promise<{ seconds: number; p50: number; p95: number }> {
      const { path, body } = DOORS[door];
      generator.stdin.write(
        `${JSON.stringify({ path, bodies: asked.map((query, id) => body(query, id)), connections, count })}\n`,
      );
      return JSON.parse((await answers.next()).value as string);
    },
    async stop() {
      generator.stdin.end();
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const alone = await timeEngines(1);
const engineMs = alone.cpu;
const most = Math.max(...options.workers.split(',').map(Number));
const together = most > 1 ? await timeEngines(most) : alone;
const rows: string[][] = [];
const memory: string[][] = [];
for (const workers of options.workers.split(',').map(Number)) {
  for (const door of options.doors.split(',') as (keyof typeof DOORS)[]) {
    const server = await serve(workers);
    await server.load(door, WARM);
    const held = [server.resident()];
    let best = { cpu: Number.POSITIVE_INFINITY, rate: 0, p50: 0, p95: 0 };
    for (let done = 0; done < requests; done += STEP) {
      const before = server.cpu();
      const { seconds, p50, p95 } = await server.load(door, STEP);
      const cpu = (server.cpu() - before) / STEP;
      best = {
        cpu: Math.min(best.cpu, cpu),
        ...(STEP / seconds > best.rate
          ? { rate: STEP / seconds, p50, p95 }
          : { rate: best.rate, p50: best.p50, p95: best.p95 }),
      };
      held.push(server.resident());
    }
    await server.stop();
    const peak = Math.max(...held.map((all) => all.reduce((a, b) => a + b, 0)));
    rows.push([
      door,
      String(workers),
      best.cpu.toFixed(2),
      `${(best.cpu / engineMs).toFixed(1)}×`,
      best.rate.toFixed(0),
      `${best.p50.toFixed(1)} / ${best.p95.toFixed(1)}`,
      peak.toFixed(0),
    ]);
    memory.push([door, String(workers), ...held.map((all) => all.map((mb) => mb.toFixed(0)).join(' + '))]);
    console.error(rows.at(-1)!.join(' | '));
    console.error(memory.at(-1)!.join(' | '));
  }
}
remove();
console.log(
  `${size.toLocaleString('en')} memories; a search of the engine alone takes ${engineMs.toFixed(2)} ms of CPU. One process that only searches answers ${alone.rate.toFixed(0)} a second, ${most} together ${together.rate.toFixed(0)}: ${(together.rate / alone.rate).toFixed(2)} times as many.\n`,
);
printTable(
  ['door', 'workers', 'CPU of a search, ms', 'of the engine', 'searches a second', 'p50 / p95, ms', 'most memory, MB'],
  rows,
);
console.log('\nMemory in MB, process by process:\n');
printTable(
  [
    'door',
    'workers',
    ...Array.from({ length: requests / STEP + 1 }, (_, i) => `after ${(WARM + i * STEP).toLocaleString('en')}`),
  ],
  memory,
);
