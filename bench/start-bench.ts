// Cold start of the built `ltm mcp`: time to its first answer and idle memory, beside a bare Node process in the same run.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, printTable } from './report.ts';

const ROOT = join(import.meta.dirname, '..');
const CLI = join(ROOT, 'dist', 'cli.js');
const ROUNDS = 15;
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
};

interface Started {
  firstAnswerMs: number;
  toolsMs: number;
  firstCallMs: number;
  idleMb: number;
  busyMb: number;
}

function runBare(): Promise<number> {
  const started = performance.now();
  return new Promise((resolve) =>
    spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }).on('exit', () => resolve(performance.now() - started)),
  );
}

function residentMb(pid: number): number {
  const line = readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmRSS:\s+(\d+) kB/);
  return Number(line?.[1] ?? 0) / 1024;
}

async function runMcp(db: string, args: string[]): Promise<Started> {
  const started = performance.now();
  const child = spawn(process.execPath, [...args, 'mcp', '--db', db], { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = new Map<number, () => void>();
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk;
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) waiting.get((JSON.parse(line) as { id: number }).id)?.();
  });
  const ask = (message: { id: number }): Promise<number> =>
    new Promise((resolve) => {
      waiting.set(message.id, () => resolve(performance.now() - started));
      child.stdin.write(`${JSON.stringify(message)}\n`);
    });
  const firstAnswerMs = await ask(INITIALIZE);
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const toolsMs = await ask(list);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const idleMb = residentMb(child.pid as number);
  const before = performance.now() - started;
  const call = {
    jsonrpc: '2.0',
    id: 2,
    method: 'tools/call',
    params: { name: 'memory_search', arguments: { query: 'where is the harbour' } },
  };
  const firstCallMs = (await ask(call)) - before;
  const busyMb = residentMb(child.pid as number);
  child.stdin.end();
  await new Promise((resolve) => child.on('exit', resolve));
  return { firstAnswerMs, toolsMs, firstCallMs, idleMb, busyMb };
}

if (!existsSync(CLI)) {
  console.error('dist/cli.js is not there: run `npm run build` first.');
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), 'ltm-start-'));
// As installed: the program without its sources beside it.
for (const part of ['bin', 'dist', 'package.json']) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
const bare: number[] = [];
const built: Started[] = [];
for (let i = 0; i < ROUNDS; i++) {
  bare.push(await runBare());
  built.push(await runMcp(join(folder, 'memory.db'), [join(folder, 'bin', 'ltm.js')]));
}
rmSync(folder, { recursive: true, force: true });
const base = median(bare);
const row = (name: string, values: number[], unit: string): string[] => [
  name,
  `${median(values).toFixed(1)} ${unit}`,
  unit === 'ms' ? `${(median(values) / base).toFixed(2)}×` : '',
];
printTable(
  ['ltm mcp, built', 'median', 'of `node -e 0`'],
  [
    ['node -e 0', `${base.toFixed(1)} ms`, '1×'],
    row(
      'first answer (initialize)',
      built.map((b) => b.firstAnswerMs),
      'ms',
    ),
    row(
      'tools/list answered',
      built.map((b) => b.toolsMs),
      'ms',
    ),
    row(
      'first tool call, from idle',
      built.map((b) => b.firstCallMs),
      'ms',
    ),
    row(
      'memory, idle after the handshake',
      built.map((b) => b.idleMb),
      'MB',
    ),
    row(
      'memory after a search',
      built.map((b) => b.busyMb),
      'MB',
    ),
  ],
);
