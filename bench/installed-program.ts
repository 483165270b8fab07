import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashContent } from '../src/model/record.ts';

const ROOT = join(import.meta.dirname, '..');

/** The built program in a folder of its own: without its sources beside it, with a cache and a home of its own. */
export interface InstalledProgram {
  folder: string;
  program: string;
  env: Record<string, string>;
  /** CPU time of a process and its threads until it ends, in milliseconds. */
  timeCpu(args: readonly string[]): number;
  remove(): void;
}

export function installProgram(keep?: string): InstalledProgram {
  if (!existsSync(join(ROOT, 'dist', 'cli.js'))) {
    console.error('dist/cli.js is not there: run `npm run build` first.');
    process.exit(1);
  }
  const folder = keep ?? mkdtempSync(join(tmpdir(), 'ltm-bench-'));
  for (const part of ['bin', 'dist', 'package.json']) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  const env = { PATH: process.env.PATH ?? '', HOME: folder, LTM_CACHE_DIR: join(folder, 'cache') };
  return {
    folder,
    program: join(folder, 'bin', 'ltm.js'),
    env,
    timeCpu(args) {
      // Node tells a parent nothing of its children's, bash does.
      const script = 'TIMEFORMAT="%3U %3S"; time "$0" "$@" >/dev/null 2>&1';
      const { stderr, status } = spawnSync('bash', ['-c', script, process.execPath, ...args], { env });
      if (status !== 0) throw new Error(`${args.join(' ')}: exit ${status}`);
      const [user, system] = stderr.toString().trim().split(' ').map(Number);
      return (user! + system!) * 1000;
    },
    remove() {
      if (keep === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** CPU time of a running process so far, in milliseconds; Linux counts it in hundredths of a second. */
export function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** What a running process holds in memory, in MB. */
export function residentOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
}

/** The processes that this one started. */
export function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

/** Lines written at a time: a million are longer than a string may be. */
const AT_ONCE = 10_000;

/** An export as another program would write it. */
export function writeExport(file: string, texts: readonly string[]): void {
  const sum = createHash('sha256');
  const write = (lines: readonly string[]): void => {
    const text = lines.map((line) => `${line}\n`).join('');
    sum.update(text);
    appendFileSync(file, text);
  };
  rmSync(file, { force: true });
  write(['{"format":"ltm-export","version":1}']);
  const at = Date.now();
  for (let start = 0; start < texts.length; start += AT_ONCE)
    write(texts.slice(start, start + AT_ONCE).map((content, i) => describeRecord(content, start + i, at)));
  const end = { records: texts.length, versions: 0, relations: 0, sha256: sum.digest('hex') };
  appendFileSync(file, `${JSON.stringify({ end })}\n`);
}

function describeRecord(content: string, number: number, at: number): string {
  const named = { id: `01m0${String(number).padStart(16, '0')}`, kind: 'memory', revision: 1, key: null, type: 'note' };
  const labels = { title: null, content, contentHash: hashContent(content), tags: [], project: null, agent: null };
  const origin = { session: null, conversation: null, author: null, source: { door: 'cli', userId: 'owner' } };
  const weight = { trust: 'user', quality: 0.5, createdAt: at, updatedAt: at, validFrom: null, validUntil: null };
  const rest = { supersededBy: null, deletedAt: null, body: { metadata: {} } };
  return JSON.stringify({ record: { ...named, ...labels, ...origin, ...weight, ...rest } });
}
