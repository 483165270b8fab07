/**
 * A long transcript, from a client to a server and back: `node bench/transcripts-bench.ts [--mb 100]`. Prints what each step took, the largest memory of both
 * processes, and the same as ratios to a transcript of a tenth of the size.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PLAIN_ENV, PROGRAM } from '../test/e2e/program.ts';
import { startServe } from '../test/e2e/serve-process.ts';
import { makeTranscript } from '../test/workspaces/make-transcript.ts';

const { values } = parseArgs({ options: { mb: { type: 'string', default: '100' } } });
const MB = 1 << 20;
const TOKENS = { MCP_TOKEN: 'ai-token-0123456789abcdef', SYNC_TOKEN: 'sync-token-0123456789abcdef' };

interface Measured {
  mb: number;
  firstSeconds: number;
  firstSentMb: number;
  grownSentKb: number;
  againSentKb: number;
  clientRssMb: number;
  serverRssMb: number;
  rankedMs: number;
  exactMs: number;
}

/** The largest that a process has been; 0 where the system does not tell. */
function peakRssMb(pid: number): number {
  const file = `/proc/${pid}/status`;
  const [, kb] = (existsSync(file) && /VmHWM:\s+(\d+) kB/.exec(readFileSync(file, 'utf8'))) || [];
  return Number(kb ?? 0) / 1024;
}

async function sync(home: string, url: string): Promise<{ sent: number; seconds: number; rssMb: number }> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [PROGRAM, 'sync', 'run', '--json'], {
    env: { ...PLAIN_ENV, HOME: home, MCP_MEMORY_URL: url, SYNC_TOKEN: TOKENS.SYNC_TOKEN },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  let rssMb = 0;
  child.stdout.on('data', (chunk) => (out += chunk));
  const timer = setInterval(() => {
    rssMb = Math.max(rssMb, peakRssMb(child.pid!));
  }, 100);
  await once(child, 'close');
  clearInterval(timer);
  const { sessions } = JSON.parse(out) as { sessions: { sent: number }[] };
  return { sent: sessions[0]?.sent ?? 0, seconds: (performance.now() - startedAt) / 1000, rssMb };
}

async function measure(mb: number): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'ltm-transcripts-'));
  const home = join(folder, 'home');
  const file = join(home, '.claude', 'projects', '-work-shop', '0198c1a2-0000.jsonl');
  mkdirSync(join(file, '..'), { recursive: true });
  for (let part = 0; !existsSync(file) || statSync(file).size < mb * MB; part++)
    appendFileSync(file, makeTranscript(5000, `p${part}`));
  const server = await startServe(folder, [], TOKENS);
  const ask = async (path: string, body?: object): Promise<number> => {
    const startedAt = performance.now();
    const headers = { authorization: `Bearer ${TOKENS.MCP_TOKEN}`, 'content-type': 'application/json' };
    const init = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(`${server.url}/api/v1${path}`, init);
    const text = await response.text();
    if (!response.ok || !/topic4990x/.test(text)) throw new Error(`not found: ${text.slice(0, 300)}`);
    return performance.now() - startedAt;
  };
  try {
    const first = await sync(home, server.url);
    appendFileSync(file, makeTranscript(20, 'grown'));
    const grown = await sync(home, server.url);
    const again = await sync(home, server.url);
    const rankedMs = await ask('/search', { query: 'topic4990x of the basket', kind: 'transcript' });
    const exactMs = await ask('/transcripts/search?query=topic4990x&limit=1');
    return {
      mb: statSync(file).size / MB,
      firstSeconds: first.seconds,
      firstSentMb: first.sent / MB,
      grownSentKb: grown.sent / 1024,
      againSentKb: again.sent / 1024,
      clientRssMb: first.rssMb,
      serverRssMb: peakRssMb(server.pid),
      rankedMs,
      exactMs,
    };
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const mb = Number(values.mb);
const small = await measure(mb / 10);
const large = await measure(mb);
for (const name of Object.keys(large) as (keyof Measured)[]) {
  const ratio = small[name] === 0 ? '' : `  ${(large[name] / small[name]).toFixed(1)} ×`;
  console.log(
    `${name.padEnd(14)} ${small[name].toFixed(1).padStart(10)} ${large[name].toFixed(1).padStart(10)}${ratio}`,
  );
}
