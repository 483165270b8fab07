import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { SessionEvent } from '../../src/model/session-event.ts';
import { PLAIN_ENV, PROGRAM } from './program.ts';

const HOOK = join(dirname(PROGRAM), 'ltm-hook.js');

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
  ms: number;
}

/** A person's machine with an agent at work in a project: what the hook gets, what it leaves, what `ltm` then knows. */
export interface Machine {
  home: string;
  /** A repository called shop. */
  project: string;
  db: string;
  spool: string;
  env: Record<string, string>;
  /** One event; `input` may be anything that stdin can hold. */
  hook(input: unknown, options?: HookOptions): Promise<Ended>;
  ltm(args: readonly string[], env?: Record<string, string>): Promise<Ended>;
  /** What waits in the spool. */
  waiting(): SessionEvent[];
  /** Everything that `ltm export` knows, by kind. */
  stored(kind: string): Promise<Record<string, unknown>[]>;
  remove(): void;
}

export interface HookOptions {
  words?: readonly string[];
  env?: Record<string, string>;
  /** stdin is left open. */
  neverEnds?: boolean;
  /** Of Node. */
  flags?: readonly string[];
}

export function makeMachine(env: Record<string, string> = {}): Machine {
  const home = mkdtempSync(join(tmpdir(), 'ltm-hook-'));
  const project = join(home, 'code', 'shop');
  mkdirSync(join(project, '.git'), { recursive: true });
  const db = join(home, 'data', 'memory.db');
  mkdirSync(dirname(db));
  writeFileSync(join(home, 'config.json'), JSON.stringify({ db }));
  const whole = { ...PLAIN_ENV, HOME: home, LTM_CONFIG: join(home, 'config.json'), ...env };
  const spool = env.LTM_SPOOL ?? join(home, 'data', 'spool');
  const ltm: Machine['ltm'] = (args, more = {}) =>
    finish(spawn(process.execPath, [PROGRAM, ...args], { cwd: project, env: { ...whole, ...more } }), '');
  return {
    home,
    project,
    db,
    spool,
    env: whole,
    ltm,
    hook(input, { words = [], env: more = {}, neverEnds = false, flags = [] } = {}) {
      // Before the hook is started, which waits for its input no longer than it may.
      const text =
        typeof input === 'string' || Buffer.isBuffer(input) ? input : JSON.stringify(toEvent(input, project));
      const child = spawn(process.execPath, [...flags, HOOK, ...words], { cwd: project, env: { ...whole, ...more } });
      return finish(child, text, neverEnds);
    },
    waiting: () => readSpool(spool),
    async stored(kind) {
      // A command takes in a little at a time.
      while (readSpool(spool).length > 0) await ltm(['stats', '--local']);
      const { stdout, stderr, code } = await ltm(['export', '--local', '--kind', kind]);
      if (code !== 0) throw new Error(stderr);
      const lines = stdout.split('\n').filter((line) => line !== '');
      const parsed = lines.map((line) => JSON.parse(line) as { record?: Record<string, unknown> });
      return parsed.flatMap(({ record }) => (record === undefined ? [] : [record]));
    },
    // What answered a hook may still be at work.
    remove: () => rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }),
  };
}

function toEvent(input: unknown, cwd: string): unknown {
  return typeof input === 'object' && input !== null && !Array.isArray(input)
    ? { session_id: 's1', cwd, ...input }
    : input;
}

async function finish(child: ChildProcess, input: string | Buffer, neverEnds = false): Promise<Ended> {
  const startedAt = performance.now();
  let stdout = '';
  let stderr = '';
  child.stdout!.on('data', (chunk) => (stdout += chunk));
  child.stderr!.on('data', (chunk) => (stderr += chunk));
  child.stdin!.on('error', () => undefined); // it may be gone before it has read everything
  if (neverEnds) child.stdin!.write(input);
  else child.stdin!.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr, ms: performance.now() - startedAt };
}

function readSpool(spool: string): SessionEvent[] {
  const names = existsSync(spool) ? readdirSync(spool).filter((name) => /\.(?:jsonl|taking)$/.test(name)) : [];
  return names
    .flatMap((name) => readFileSync(join(spool, name), 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as SessionEvent);
}
