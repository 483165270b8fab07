// Real agents, with what `ltm setup` has installed and nothing else: Claude Code, Codex, Gemini CLI and OpenCode run three sessions each, offline, against a
// stand-in for their model. Is every event captured, once? Does the second session begin with what the first one left? Is any of 30 planted secrets stored?
// And what does a hook cost, beside one that does nothing? The second session has no server to ask, a third one has.
//   npm run agents -- --clients FOLDER [--only claude-code,codex] [--program FILE] [--context-timeout MS] [--out bench/results/agents.md]
// The program is the built one (`npm run build`), as people install it. FOLDER (or LTM_CLIENTS) has the harness and its installed clients: claude-code.mjs, codex.mjs, gemini.mjs, opencode.mjs, node_modules.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { plantSecrets } from './planted-secrets.ts';

const ROOT = dirname(import.meta.dirname);
const TURN_SECONDS = 240;
const ROUNDS = 15;
const WORD = 'kumquat';

interface Client {
  name: string;
  title: string;
  bin: string;
  /** Its own shell, as it is called in a script. */
  shell(command: string): { tool: string; arguments: object };
  /** One use of a tool, as its hook is told. */
  payload: object;
}

const TOOL = {
  session_id: 's',
  cwd: tmpdir(),
  tool_name: 'Bash',
  tool_use_id: 'u',
  tool_input: { command: 'npm test' },
};
const OUTPUT = 'ok 1 - adds\nok 2 - subtracts\n'.repeat(5);
const CLIENTS: readonly Client[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    bin: 'claude',
    shell: (command) => ({ tool: 'Bash', arguments: { command, description: 'look' } }),
    payload: {
      ...TOOL,
      hook_event_name: 'PostToolUse',
      tool_response: { stdout: OUTPUT, stderr: '', interrupted: false },
    },
  },
  {
    name: 'codex',
    title: 'Codex CLI',
    bin: 'codex',
    shell: (command) => ({ tool: 'exec_command', arguments: { cmd: command } }),
    payload: { ...TOOL, hook_event_name: 'PostToolUse', turn_id: 't', tool_response: OUTPUT },
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    bin: 'gemini',
    shell: (command) => ({ tool: 'run_shell_command', arguments: { command, description: 'look' } }),
    payload: { ...TOOL, hook_event_name: 'AfterTool', tool_response: { llmContent: OUTPUT, returnDisplay: OUTPUT } },
  },
  {
    name: 'opencode',
    title: 'OpenCode',
    bin: 'opencode',
    shell: (command) => ({ tool: 'bash', arguments: { command, description: 'look' } }),
    payload: { ...TOOL, hook_event_name: 'tool.execute.after', tool_response: OUTPUT },
  },
];

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: process.env.LTM_CLIENTS },
    only: { type: 'string' },
    program: { type: 'string' },
    /** For a machine that is busy with other work; a hook never takes longer than a second. */
    'context-timeout': { type: 'string' },
    out: { type: 'string' },
  },
});
const clients = values.clients === undefined ? null : resolve(values.clients);
if (clients === null || !existsSync(join(clients, 'node_modules', '.bin'))) {
  console.error(
    clients === null
      ? 'Nothing was run: --clients FOLDER (or LTM_CLIENTS) must name the folder of the harness with the installed agents.'
      : `Nothing was run: the agents are not installed in ${clients} (run \`npm install\` there).`,
  );
  process.exit(2);
}
const program = values.program === undefined ? copyBuilt() : resolve(values.program);
const only = values.only?.split(',');
const chosen = CLIENTS.filter(({ name }) => only === undefined || only.includes(name));
const reports = chosen.map((client) => runClient(client, clients));
const table = render(reports);
console.log(table);
if (values.out !== undefined) writeFileSync(resolve(values.out), table);
process.exitCode = reports.some(({ faults }) => faults.length > 0) ? 1 : 0;

/** Away from the sources: beside them, the programs of this clone would run those. */
function copyBuilt(): string {
  if (!existsSync(join(ROOT, 'dist', 'cli.js'))) {
    console.error('Nothing was run: build the program first with `npm run build`, or name one with --program.');
    process.exit(2);
  }
  const folder = mkdtempSync(join(tmpdir(), 'ltm-agents-program-'));
  for (const name of ['bin', 'dist', 'package.json']) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'bin', 'ltm.js');
}

interface Report {
  client: Client;
  version: string;
  captured: string;
  context: string;
  served: string;
  harvested: string;
  secrets: string;
  cost: string;
  faults: string[];
}

interface Run {
  ok: boolean;
  reason?: string;
  version?: string;
  toolResults: { tool: string; isError: boolean; text: string }[];
  context?: string[];
}

function runClient(client: Client, folder: string): Report {
  const base = mkdtempSync(join(tmpdir(), `ltm-agents-${client.name}-`));
  const report: Report = {
    client,
    version: '',
    captured: '',
    context: '',
    served: '',
    harvested: '',
    secrets: '',
    cost: '',
    faults: [],
  };
  if (!existsSync(join(folder, 'node_modules', '.bin', client.bin))) {
    report.faults.push('not installed');
    return report;
  }
  process.stderr.write(`${client.title} …\n`);
  try {
    const place = { home: join(base, 'home'), project: join(base, 'harbour') };
    for (const path of [place.home, join(place.project, '.git')]) mkdirSync(path, { recursive: true });
    check(client, { folder, place, report });
    report.cost = measureHook(client, base);
  } finally {
    if (report.faults.length === 0) rmSync(base, { recursive: true, force: true });
    else process.stderr.write(`  kept: ${base}\n`);
  }
  return report;
}

interface Place {
  home: string;
  project: string;
}

function check(client: Client, { folder, place, report }: { folder: string; place: Place; report: Report }): void {
  const secrets = plantSecrets(`${client.name}${place.home}`);
  const [asked, printed, kept] = [secrets.slice(0, 10), secrets.slice(10, 20), secrets.slice(20)];
  writeFileSync(join(place.project, 'notes.txt'), `${printed.map(({ text }) => text).join('\n')}\n`);
  writeFileSync(join(place.project, '.env'), `${kept.map(({ text }, at) => `LINE_${at}="${text}"`).join('\n')}\n`);
  const spoken = kept
    .slice(0, 3)
    .map(({ text }) => text)
    .join(' and ');
  const first = turn(client, {
    folder,
    place,
    setup: true,
    prompt: `Set up the deploy vault. ${asked.map(({ text }) => text).join(' , ')} <private>${kept.at(-1)!.value}</private>`,
    script: [
      { ...client.shell('cat notes.txt'), mayFail: true },
      { ...client.shell('head -n 20 .env'), mayFail: true },
      { ...client.shell(`echo ${quote(spoken)} done-${WORD}`), mayFail: true },
      { tool: 'memory_store', arguments: { content: 'The vault is called harbour' }, mayFail: true },
      { text: `I decided to use the ${WORD} vault for deploys, because it rotates keys. ${printed[0]!.text}` },
    ],
  });
  report.version = first.version ?? '';
  if (!first.ok) report.faults.push(`first session: ${first.reason}`);
  const ran = first.toolResults.filter(({ tool, isError }) => tool === client.shell('').tool && !isError).length;
  const earlier = observationsOf(place);
  if (values['context-timeout'] !== undefined)
    ltm(place, 'config', 'set', 'context_timeout_ms', values['context-timeout']);
  const second = turn(client, {
    folder,
    place,
    setup: false,
    prompt: 'What next for the deploy?',
    script: [{ text: 'Nothing.' }],
    expect: WORD,
  });
  const all = observationsOf(place);
  const third = withServer(place, () =>
    turn(client, {
      folder,
      place,
      setup: false,
      prompt: 'And what else about the deploy?',
      script: [{ text: 'Nothing else.' }],
      expect: WORD,
    }),
  );
  judgeCapture(report, { earlier, all, ran, second });
  report.served = third.ok ? 'yes' : 'no';
  if (!third.ok) report.faults.push(`with a server: ${third.reason}`);
  report.harvested = harvest(place, report);
  const found = findStored(
    place,
    secrets.map(({ value }) => value),
  );
  report.secrets = `${found.length} of ${secrets.length}`;
  if (found.length > 0) report.faults.push(`${found.length} secrets stored, such as number ${found.join(', ')}`);
}

interface Observation {
  event: string;
  session: string;
  content: string;
}

/** Prompt, tools and last words of the first session; prompt and last words of the second; each once. */
function judgeCapture(
  report: Report,
  { earlier, all, ran, second }: { earlier: Observation[]; all: Observation[]; ran: number; second: Run },
): void {
  const expected = { prompt: 1, tool: ran, turn: 1 };
  const count = (list: Observation[]): Record<string, number> => {
    const counts: Record<string, number> = { prompt: 0, tool: 0, turn: 0 };
    for (const { event } of list) counts[event] = (counts[event] ?? 0) + 1;
    return counts;
  };
  const firstSession = earlier[0]?.session;
  const later = all.filter(({ session }) => session !== firstSession);
  const [one, two] = [count(earlier), count(later)];
  report.captured = `${earlier.length} + ${later.length}`;
  if (ran < 3) report.faults.push(`only ${ran} of 3 commands ran`);
  if (JSON.stringify(one) !== JSON.stringify(expected))
    report.faults.push(`first session: ${JSON.stringify(one)}, expected ${JSON.stringify(expected)}`);
  if (JSON.stringify(two) !== JSON.stringify({ prompt: 1, tool: 0, turn: 1 }))
    report.faults.push(`second session: ${JSON.stringify(two)}`);
  if (all.length !== earlier.length + later.length) report.faults.push('the first session changed');
  if (later.some(({ content }) => content.includes(WORD) || content.includes('ltm-context')))
    report.faults.push('injected context was captured again');
  report.context = second.ok ? 'yes' : 'no';
  if (!second.ok) report.faults.push(`second session: ${second.reason}`);
}

interface Turn {
  folder: string;
  place: Place;
  setup: boolean;
  prompt: string;
  script: object[];
  expect?: string;
}

function turn(client: Client, { folder, place, setup, prompt, script, expect }: Turn): Run {
  const ltm = `"${process.execPath}" "${program}"`;
  const words = [join(folder, `${client.name}.mjs`), '--home', place.home, '--project', place.project, '--name', 'ltm'];
  words.push('--prompt', prompt, '--script', JSON.stringify(script), '--timeout', String(TURN_SECONDS), '--keep');
  if (setup) words.push('--setup-cmd', `${ltm} setup --yes --quiet --agents ${client.name}`);
  if (expect !== undefined) words.push('--expect-context', expect);
  if (client.name === 'claude-code') words.push('--expect-hooks', 'SessionStart,UserPromptSubmit,Stop');
  const path = `${join(folder, 'node_modules', '.bin')}:${process.env.PATH}`;
  const { stdout, stderr } = spawnSync(join(folder, 'node_modules', '.bin', 'node'), words, {
    env: { ...process.env, PATH: path },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    timeout: (TURN_SECONDS + 60) * 1000,
  });
  try {
    return JSON.parse(stdout) as Run;
  } catch {
    return { ok: false, reason: (stderr || stdout).slice(-500), toolResults: [] };
  }
}

/** `ltm serve` on the same database, for as long as the work takes. */
function withServer<T>(place: Place, work: () => T): T {
  const env = { HOME: place.home, PATH: process.env.PATH };
  const server = spawn(process.execPath, [program, 'serve', '--port', '0'], { env, stdio: 'ignore' });
  try {
    for (let tries = 0; tries < 100 && !JSON.parse(ltm(place, 'status', '--json')).running?.answers; tries++);
    return work();
  } finally {
    server.kill();
  }
}

function ltm(place: Place, ...words: string[]): string {
  const { stdout } = spawnSync(process.execPath, [program, ...words], {
    env: { HOME: place.home, PATH: process.env.PATH },
    cwd: place.project,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return stdout;
}

function observationsOf(place: Place): Observation[] {
  // A command takes in what the last hook has left; the second one sees all of it.
  ltm(place, 'sessions');
  const records = ltm(place, 'export')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).record);
  return records
    .filter((record) => record?.kind === 'observation')
    .map(({ body, session, content }) => ({ event: body.event, session, content }));
}

function harvest(place: Place, report: Report): string {
  const first = JSON.parse(ltm(place, 'harvest', '--yes', '--json'));
  const again = JSON.parse(ltm(place, 'harvest', '--yes', '--json'));
  const stored = ({ results }: { results: { stored?: number; candidates?: unknown[] }[] }): number =>
    results.reduce((sum, one) => sum + (one.stored ?? 0), 0);
  if (first.results.length === 0) report.faults.push('no transcript was harvested');
  if (stored(again) > 0) report.faults.push('harvested twice');
  return `${first.results.length} sessions, ${stored(first)} stored`;
}

/** In the files as they are, and in an export, since an index may be packed. */
function findStored(place: Place, values: readonly string[]): number[] {
  const folder = join(place.home, '.local', 'share', 'ltm');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'));
  texts.push(ltm(place, 'export'));
  return values.flatMap((value, at) => (texts.some((text) => text.includes(value)) ? [at] : []));
}

/** CPU time of the hook for one use of a tool, by that of a hook that reads what it is told and ends. */
function measureHook({ name, payload }: Client, base: string): string {
  const file = join(base, 'event.json');
  const empty = join(base, 'empty.cjs');
  writeFileSync(file, JSON.stringify(payload));
  writeFileSync(empty, "require('node:fs').readFileSync(0);\n");
  const home = join(base, 'measured');
  mkdirSync(home);
  const cpu = (...words: string[]): number => {
    const script = `TIMEFORMAT="%3U %3S"; time "$0" "$@" < ${quote(file)} >/dev/null 2>&1`;
    const { stderr } = spawnSync('bash', ['-c', script, process.execPath, ...words], {
      env: { HOME: home, PATH: process.env.PATH },
    });
    const [user, system] = stderr.toString().trim().split(' ').map(Number);
    return user! + system!;
  };
  const hook = join(dirname(program), 'ltm-hook.js');
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(cpu(empty));
    ours.push(cpu(hook, '--agent', name));
  }
  return `${(Math.min(...ours) / Math.min(...bare)).toFixed(2)}×`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function render(reports: readonly Report[]): string {
  const heads = [
    'agent',
    'events captured',
    'context at the next start',
    'with a server',
    'transcripts harvested',
    'secrets stored',
    'a hook by an empty one',
    'faults',
  ];
  const rows = reports.map(({ client, version, captured, context, served, harvested, secrets, cost, faults }) => [
    `${client.title} ${version}`,
    captured,
    context,
    served,
    harvested,
    secrets,
    cost,
    faults.join('; ') || 'none',
  ]);
  return [heads, heads.map(() => '---'), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')
    .concat('\n');
}
