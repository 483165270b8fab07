// What a hook costs an agent at each event: CPU time of the built `ltm-hook`, beside a bare Node process and a hook that only reads its input, of the same run.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printTable } from './report.ts';

const ROOT = join(import.meta.dirname, '..');
const ROUNDS = 25;

if (!existsSync(join(ROOT, 'dist', 'hook.cjs'))) {
  console.error('dist/hook.cjs is not there: run `npm run build` first.');
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), 'ltm-hooks-'));
// As installed: the program without its sources beside it, and with a cache folder of its own.
for (const part of ['bin', 'package.json']) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
mkdirSync(join(folder, 'dist'));
cpSync(join(ROOT, 'dist', 'hook.cjs'), join(folder, 'dist', 'hook.cjs'));
const HOOK = join(folder, 'bin', 'ltm-hook.js');
const EMPTY = join(folder, 'empty-hook.cjs');
writeFileSync(EMPTY, "JSON.parse(require('node:fs').readFileSync(0, 'utf8'));\n");
const ENV = { PATH: process.env.PATH, HOME: folder, LTM_CACHE_DIR: join(folder, 'cache') };

const code = readFileSync(join(ROOT, 'src', 'server', 'jobs.ts'), 'utf8').repeat(4);
const log = 'src/orders/basket.test.ts: 12 passed, 0 failed, 314 ms\n'.repeat(2000);
const EVENTS: readonly [name: string, event: object][] = [
  [
    'a prompt',
    { hook_event_name: 'UserPromptSubmit', prompt: 'Fix the flaky login test', prompt_id: 'p', agent: 'windsurf' },
  ],
  ['a tool, 100 characters', tool(code.slice(0, 100))],
  ['a tool, 2,000 characters of code', tool(code.slice(0, 2000))],
  ['a tool, 8,192 characters of code', tool(code.slice(0, 8192))],
  ['a tool, 100,000 characters of a log', tool(log.slice(0, 100_000))],
  ['a turn', { hook_event_name: 'Stop', last_assistant_message: 'The test waits for the server now.', prompt_id: 'p' }],
];

function tool(stdout: string): object {
  return {
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'npm test' },
    tool_response: { stdout },
    tool_use_id: 't',
  };
}

/** Of a process and its threads, in milliseconds; Node tells a parent nothing of its children's, bash does. */
function timeCpu(args: readonly string[], input = ''): number {
  const script = 'TIMEFORMAT="%3U %3S"; time "$0" "$@" >/dev/null 2>&1';
  const { stderr, status } = spawnSync('bash', ['-c', script, process.execPath, ...args], { env: ENV, input });
  if (status !== 0) throw new Error(`${args.join(' ')}: exit ${status}`);
  const [user, system] = stderr.toString().trim().split(' ').map(Number);
  return (user! + system!) * 1000;
}

const rows = EVENTS.map(([name, event]) => {
  const input = JSON.stringify({ session_id: 's', cwd: ROOT, transcript_path: join(folder, 't.jsonl'), ...event });
  for (let i = 0; i < 3; i++) timeCpu([HOOK], input);
  const bare: number[] = [];
  const empty: number[] = [];
  const hook: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    bare.push(timeCpu(['-e', '0']));
    empty.push(timeCpu([EMPTY], input));
    hook.push(timeCpu([HOOK], input));
  }
  const [least, leastEmpty, leastHook] = [bare, empty, hook].map((times) => Math.min(...times)) as [
    number,
    number,
    number,
  ];
  const shown = [least, leastEmpty, leastHook].map((ms) => ms.toFixed(0));
  return [name, ...shown, (leastHook / least).toFixed(2), (leastHook / leastEmpty).toFixed(2)];
});
rmSync(folder, { recursive: true, force: true });
printTable(['event', 'bare node, ms', 'empty hook, ms', 'ltm-hook, ms', 'to bare node', 'to an empty hook'], rows);
