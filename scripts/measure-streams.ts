// What open streams cost one server: memory per stream, CPU while nothing happens, answers to others, and the refusal beyond the limit.
// node scripts/measure-streams.ts [COUNT=10000] [PATH=/api/v1/events] [USERS=10]
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeServeFolder, removeFolder, startServe } from '../test/e2e/serve-process.ts';

const [count = 10_000, path = '/api/v1/events', users = 10] = process.argv
  .slice(2)
  .map((word) => Number(word) || word) as [number?, string?, number?];
const WARM_UP = 20;
const AT_ONCE = 50;
const IDLE_SECONDS = 20;
const CLOCK_TICKS = 100;
const BEYOND = 10;

const folder = makeServeFolder(Object.fromEntries(Array.from({ length: users }, (_, i) => [tokenOf(i), `user-${i}`])));
const server = await startServe(folder, [
  '--db',
  join(folder, 'memory.db'),
  '--tokens-file',
  'user_tokens.json',
  '--max-streams',
  String(count),
  '--reads-per-minute',
  '0',
  '--writes-per-minute',
  '0',
  '--log-level',
  'warn',
]);
const { hostname, port } = new URL(server.url);
const sockets: Socket[] = [];
const answers = new Map<string, number>();
let told = 0;
let refusal = '';

for (let i = 0; i < WARM_UP; i++) await store(`warm up ${i}`);
await sleep(2000);
const before = readStatus();
const openedAt = performance.now();
for (let i = 0; i < count; i += AT_ONCE)
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - i) }, (_, k) => open(i + k)));
const openSeconds = (performance.now() - openedAt) / 1000;
await sleep(5000);
const cpuBefore = readCpuSeconds();
const waits: number[] = [];
for (let second = 0; second < IDLE_SECONDS; second++) {
  await sleep(1000);
  const startedAt = performance.now();
  await (await fetch(`${server.url}/health`)).text();
  waits.push(performance.now() - startedAt);
}
const idleCpu = (readCpuSeconds() - cpuBefore) / IDLE_SECONDS;
const after = readStatus();
const writtenAt = performance.now();
await store('one for all who follow');
const expected = Math.ceil(count / users);
while (path.endsWith('/events') && told < expected && performance.now() - writtenAt < 30_000) await sleep(10);
const tellMs = performance.now() - writtenAt;
for (let i = 0; i < BEYOND; i++) await open(i);
waits.sort((a, b) => a - b);
console.log(
  JSON.stringify(
    {
      streams: count,
      path,
      answers: Object.fromEntries(answers),
      opened_per_second: Math.round(count / openSeconds),
      rss_before_mb: Math.round(before),
      rss_after_mb: Math.round(after),
      kb_per_stream: Math.round(((after - before) * 1024) / count),
      idle_cpu_percent: Math.round(idleCpu * 1000) / 10,
      health_ms: { median: round(waits[IDLE_SECONDS >> 1]!), worst: round(waits.at(-1)!) },
      told: `${told} of ${expected} in ${Math.round(tellMs)} ms`,
      refusal,
    },
    null,
    2,
  ),
);
for (const socket of sockets) socket.destroy();
await server.stop();
removeFolder(folder);

function tokenOf(user: number): string {
  return `measured-${user}`;
}

/** Resolves when the head of the answer is there. */
function open(i: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let head: string | null = '';
    const note = (answer: string): void => {
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
      resolve();
    };
    socket.on('data', (chunk) => {
      if (head === null) told += String(chunk).includes('event: memory_stored') ? 1 : 0;
      else head += chunk;
      if (head === null || !head.includes('\r\n\r\n')) return;
      const status = head.slice(9, 12);
      if (status !== '200') refusal = head.replace(/\r\n/g, '\n');
      head = null;
      note(status);
    });
    socket.on('error', (error: NodeJS.ErrnoException) => note(error.code ?? error.message));
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${tokenOf(i % users)}\r\n\r\n`,
    );
    sockets.push(socket);
  });
}

async function store(content: string): Promise<void> {
  const headers = { authorization: `Bearer ${tokenOf(0)}`, 'content-type': 'application/json' };
  const response = await fetch(`${server.url}/api/v1/memories`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ content }),
  });
  await response.text();
}

/** Resident memory in MB. */
function readStatus(): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))![1]) / 1024;
}

function readCpuSeconds(): number {
  const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(' ');
  return (Number(fields[13]) + Number(fields[14])) / CLOCK_TICKS;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
