/**
 * Many transcripts on a server that is held to little memory: `node bench/archive-bench.ts [--sizes 100,1000] [--memory 512] [--redact off] [--minutes 40]`, sizes and memory in MB;
 * what is uploaded after so many minutes of a size counts as all of it.
 * Prints what each size took, and the largest ones as ratios to the first. Where control groups can be written to, the kernel holds the server; elsewhere it is
 * stopped as soon as the memory of its processes is beyond the limit.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createRemoteClient } from '../src/client/remote-client.ts';
import { VERBS } from '../src/features/verb-table.ts';
import { sendTranscript } from '../src/features/workspaces/transcripts/send-transcript.ts';
import type { Client } from '../src/verbs/client.ts';
import { PLAIN_ENV, PROGRAM } from '../test/e2e/program.ts';
import { median, printTable } from './report.ts';
import { createSessionMaker } from './session-text.ts';

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '100,1000' },
    memory: { type: 'string', default: '512' },
    redact: { type: 'string', default: 'replace' },
    minutes: { type: 'string', default: '600' },
  },
});
const MB = 1 << 20;
const MEMORY_MB = Number(values.memory);
const TOKENS = { MCP_TOKEN: 'ai-token-0123456789abcdef', SYNC_TOKEN: 'sync-token-0123456789abcdef' };
const SESSION_MB = 10;
/** Of the workspace that exact searches go through: the same whatever there is beside it. */
const SEARCHED_MB = 50;
const OTHERS = 19;
const ROUNDS = 15;

interface Held {
  url: string;
  /** The largest that its processes have been together. */
  peakMb(): number;
  nowMb(): number;
  cpuSeconds(): number;
  stop(): Promise<void>;
}

const GROUPS = '/sys/fs/cgroup';

/** A group that may hold so much; null where none can be made. */
function makeGroup(): { folder: string; procs: string } | null {
  const isOld = existsSync(join(GROUPS, 'memory'));
  const folder = join(GROUPS, ...(isOld ? ['memory'] : []), `ltm-archive-${process.pid}`);
  try {
    mkdirSync(folder);
    writeFileSync(join(folder, isOld ? 'memory.limit_in_bytes' : 'memory.max'), String(MEMORY_MB * MB));
    return { folder, procs: join(folder, 'cgroup.procs') };
  } catch {
    return null; // the sampling below holds it instead
  }
}

function listTree(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  const children = existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ').filter(Boolean).map(Number) : [];
  return [pid, ...children.flatMap(listTree)];
}

function rssMb(pid: number): number {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return 0;
  const [, kb] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(file, 'utf8')) ?? [];
  return Number(kb ?? 0) / 1024;
}

async function startHeld(folder: string): Promise<Held & { by: string }> {
  const group = makeGroup();
  const command = [process.execPath, PROGRAM, 'serve', '--json', '--port', '0'];
  const entered = group === null ? command : ['sh', '-c', 'echo $$ > "$0" && exec "$@"', group.procs, ...command];
  const env = { ...PLAIN_ENV, HOME: folder, ...TOKENS, LTM_REDACT: values.redact, LTM_WRITES_PER_MINUTE: '0' };
  const child = spawn(entered[0]!, entered.slice(1), { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, log, peak] = ['', '', 0];
  child.stderr.on('data', (chunk) => (log = `${log}${chunk}`.slice(-4000)));
  const nowMb = (): number => listTree(child.pid!).reduce((sum, pid) => sum + rssMb(pid), 0);
  const timer = setInterval(() => {
    peak = Math.max(peak, nowMb());
    if (group === null && peak > MEMORY_MB) child.kill('SIGKILL');
  }, 100);
  child.once('exit', (code, signal) => {
    if (signal === 'SIGKILL') console.error(`The server was killed at ${peak.toFixed(0)} MB. ${log}`);
    else if (code) console.error(log);
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      out += chunk;
      const [, found] = /"url":\s*"([^"]+)"/.exec(out) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new Error(`ltm serve did not start: ${log}`)));
  });
  return {
    url,
    nowMb,
    by: group === null ? 'sampling' : 'control group',
    peakMb: () => peak,
    cpuSeconds() {
      const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
      return (Number(stat[11]) + Number(stat[12])) / 100;
    },
    async stop() {
      clearInterval(timer);
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      if (group !== null) rmdirSync(group.folder);
    },
  };
}

interface Measured {
  MB: number;
  uploadSeconds: number;
  uploadCpuSeconds: number;
  databaseMb: number;
  peakRssMb: number;
  settledRssMb: number;
  firstRankedMs: number;
  rankedMs: number;
  rankedCpuMs: number;
  exactMs: number;
  exactCpuMs: number;
  regexMs: number;
  regexCpuMs: number;
  readMs: number;
  readCpuMs: number;
}

async function measure(mb: number): Promise<Measured & { by: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'ltm-archive-'));
  const file = join(folder, 'session.jsonl');
  const maker = createSessionMaker(mb);
  const server = await startHeld(folder);
  const remote = createRemoteClient(VERBS, {
    host: server.url,
    fetch: (path, init) => {
      const headers = new Headers(init?.headers);
      headers.set('authorization', `Bearer ${TOKENS.SYNC_TOKEN}`);
      return fetch(`${server.url}${path}`, { ...init, headers });
    },
  }) as Client;
  try {
    const begun = performance.now();
    const planned = Math.ceil(mb / SESSION_MB);
    let count = planned;
    let workspaces: string[] = [];
    for (let session = 0; session < count; session++) {
      const isSearched = session < Math.min(SEARCHED_MB, mb / 2) / SESSION_MB;
      const project = isSearched ? 'searched' : `project-${session % OTHERS}`;
      const triple = { machine: 'bench', tool: 'claude-code', project };
      const { workspaceId: workspace, writeToken, redact } = await remote.registerWorkspace(triple);
      workspaces = [...new Set([...workspaces, workspace])];
      writeFileSync(file, maker.make(session, Math.min(SESSION_MB, mb) * MB));
      const source = { file, source: 'claude-code', session: `session-${session}` };
      await sendTranscript({
        client: remote,
        workspace,
        writeToken,
        redact: redact && values.redact === 'replace',
        ...source,
      });
      if (performance.now() - begun > Number(values.minutes) * 60_000) count = session + 1;
      if (session % 50 === 49)
        console.error(
          `${session + 1}/${count} sessions, ${server.nowMb().toFixed(0)} MB now, ${server.peakMb().toFixed(0)} at most`,
        );
    }
    const uploadSeconds = (performance.now() - begun) / 1000;
    const uploadCpuSeconds = server.cpuSeconds();
    const ask = createAsk(server.url);
    const last = count - 1;
    const asked = { query: `${maker.saidWord(last)} look`, kind: 'transcript', limit: 5 };
    const firstRankedMs = await ask('/search', maker.saidWord(last), asked);
    const ranked = await best(server, (i) => {
      const word = maker.saidWord((i * 37) % count);
      return ask('/search', word, { ...asked, query: `${word} please look` });
    });
    const place = `workspace=${workspaces[0]}`;
    const word = maker.toolWord(0);
    const exact = await best(server, () => ask(`/transcripts/search?query=${word}&${place}`, word));
    const pattern = encodeURIComponent('womb[aeiou]t0w');
    const regex = await best(server, () => ask(`/transcripts/search?query=${pattern}&regex=true&${place}`, word));
    const read = await best(server, () =>
      ask(`/workspaces/${workspaces[0]}/sessions/session-0?offset=100&limit=50`, 'tool_result'),
    );
    const databaseMb = sizeOf(folder) / MB;
    return {
      MB: count === planned ? mb : count * SESSION_MB,
      uploadSeconds,
      uploadCpuSeconds,
      databaseMb,
      by: server.by,

      peakRssMb: server.peakMb(),
      settledRssMb: server.nowMb(),
      firstRankedMs,
      rankedMs: ranked.ms,
      rankedCpuMs: ranked.cpuMs,
      exactMs: exact.ms,
      exactCpuMs: exact.cpuMs,
      regexMs: regex.ms,
      regexCpuMs: regex.cpuMs,
      readMs: read.ms,
      readCpuMs: read.cpuMs,
    };
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function sizeOf(folder: string): number {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.db/.test(name));
  return names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

/** The time that whoever asks waits, the middle one of several, and what the server computes for it, which a busy machine does not change. */
async function best(
  server: Pick<Held, 'cpuSeconds'>,
  work: (i: number) => Promise<number>,
): Promise<{ ms: number; cpuMs: number }> {
  const times: number[] = [];
  const before = server.cpuSeconds();
  for (let i = 0; i < ROUNDS; i++) times.push(await work(i));
  return { ms: median(times), cpuMs: ((server.cpuSeconds() - before) * 1000) / ROUNDS };
}

/** Goes on with the cursor while an answer has one and lacks the word; the time of all of it. */
function createAsk(url: string): (path: string, word: string, body?: object) => Promise<number> {
  return async (path, word, body) => {
    const startedAt = performance.now();
    const headers = { authorization: `Bearer ${TOKENS.MCP_TOKEN}`, 'content-type': 'application/json' };
    let cursor = '';
    for (;;) {
      const init = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) };
      const response = await fetch(`${url}/api/v1${path}${cursor === '' ? '' : `&cursor=${cursor}`}`, init);
      const text = await response.text();
      if (response.ok && text.includes(word)) return performance.now() - startedAt;
      const next = (JSON.parse(text) as { cursor?: string | null }).cursor;
      if (!response.ok || body !== undefined || !next) throw new Error(`${word} not found: ${text.slice(0, 300)}`);
      cursor = encodeURIComponent(next);
    }
  };
}

const measured: (Measured & { by: string })[] = [];
for (const mb of values.sizes.split(',').map(Number)) {
  measured.push(await measure(mb));
  const [first] = measured;
  const names = Object.keys(first!).filter((name) => name !== 'by') as (keyof Measured)[];
  console.log(
    `\nheld to ${MEMORY_MB} MB by ${first!.by}, redact ${values.redact}, ${new Date().toISOString().slice(0, 16)}\n`,
  );
  printTable(
    [
      '',
      ...measured.map(({ MB: size }) => `${size} MB`),
      ...measured.slice(1).map(({ MB: size }) => `${size} ÷ ${first!.MB}`),
    ],
    names.map((name) => [
      name,
      ...measured.map((one) => one[name].toFixed(name === 'MB' ? 0 : 1)),
      ...measured.slice(1).map((one) => (one[name] / first![name]).toFixed(2)),
    ]),
  );
}
