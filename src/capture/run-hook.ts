import { existsSync, mkdirSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionEvent } from '../model/session-event.ts';
import { type AgentName, formatAnswer } from './agents.ts';
import type { ContextQuestion } from './ask-server.ts';
import { hashText } from './event-key.ts';
import { logFailure } from './hook-log.ts';
import { type HookSettings, readHookSettings } from './hook-settings.ts';
import { makeEvent } from './make-event.ts';
import { type Payload, readPayload } from './read-payload.ts';
import { readObjectFrom } from './read-stdin.ts';
import { findRunningServer } from './running-server.ts';
import { appendEvent } from './spool.ts';
import type { Environment } from './spool-folder.ts';

/** Whatever happens, the agent goes on after this. */
const LONGEST_MS = 950;
/** An agent that has not said everything by then will not. */
const STDIN_MS = 700;
const GRACE_MS = 100;
/** From here on what V8 would compile on the side costs more than it saves in a process that is about to end; to tell it so costs two milliseconds. */
const LONG_INPUT = 1500;

export interface HookPlaces {
  /** The program that opens the database in a thread of its own, for when no server runs, and what it is told. */
  thread: { file: string; data: Readonly<Record<string, unknown>> } | null;
}

/**
 * One event of an agent, from stdin: screened and added to the spool; for the beginning of a session and for a prompt, the context on stdout. Never fails, never
 * takes longer than a second, and writes nothing else.
 */
export async function runHook(words: readonly string[], env: Environment, places: HookPlaces): Promise<void> {
  let last = setTimeout(leaveAtOnce, LONGEST_MS).unref();
  let spool: string | null = null;
  let isHeldUp = false;
  try {
    const { fields, length, isCut, isWaiting } = await readObjectFrom(0, STDIN_MS);
    isHeldUp = isWaiting;
    if (length > LONG_INPUT) runWithoutCompiling();
    const settings = readHookSettings(env);
    ({ spool } = settings);
    if (fields === null) throw Object.assign(new Error('Not JSON.'), { code: 'unreadable_input' });
    const payload = readPayload(fields, words);
    const event = payload && record({ ...payload, isCut }, settings, env);
    if (payload !== null && event !== null && isQuestion(event)) {
      // Whoever has set a longer time for context wants to wait for it.
      clearTimeout(last);
      last = setTimeout(
        leaveAtOnce,
        Math.max(LONGEST_MS - performance.now(), settings.contextTimeoutMs + GRACE_MS),
      ).unref();
      const tag = words.includes('longmem-context') ? { tag: 'longmem-context' as const } : {};
      const context = await findContext({ ...questionOf(event), ...tag }, settings, { env, places });
      const answer = context === null ? null : formatAnswer(payload.agent, payload.hook, context);
      if (answer !== null) writeSync(1, answer);
    }
  } catch (error) {
    if (spool !== null) logFailure(spool, 'hook', error);
  }
  // A read or a thread that is still at work would keep the process.
  if (isHeldUp || threadState === 'at work') leaveAtOnce();
  if (threadState === 'done') process.exit(0);
}

function runWithoutCompiling(): void {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  for (const flag of ['--no-opt', '--no-maglev']) setFlagsFromString(flag);
}

function isQuestion({ event, agent }: SessionEvent): boolean {
  return (event === 'start' || event === 'prompt') && formatAnswer(agent as AgentName, event, '') !== null;
}

function questionOf({ project, session, text, event }: SessionEvent): ContextQuestion {
  return { project, session, prompt: text ?? null, event: event === 'start' ? 'start' : 'prompt' };
}

/** null: nothing of it is to be remembered, nor answered. */
function record(payload: Payload, settings: HookSettings, env: Environment): SessionEvent | null {
  const { spool, rules } = settings;
  const mark = join(spool, 'skip', hashText(payload.session ?? ''));
  const event = makeEvent(payload, rules, { variables: env, now: Date.now() });
  if (event === 'skip') {
    mkdirSync(join(spool, 'skip'), { recursive: true, mode: 0o700 });
    writeFileSync(mark, '', { mode: 0o600 });
  }
  if (typeof event === 'string') return null;
  const isSkipped = existsSync(mark);
  if (isSkipped && (payload.event === 'tool' || payload.event === 'turn' || payload.event === 'compact')) return null;
  if (isSkipped) rmSync(mark, { force: true });
  try {
    appendEvent(spool, event);
  } catch (error) {
    logFailure(spool, 'spool', error); // the context may still be found
  }
  return event;
}

let threadState: 'none' | 'at work' | 'done' = 'none';

interface Asking {
  env: Environment;
  places: HookPlaces;
}

/** From the server that runs on the same database, or else from the database itself; null where there is nothing to say, or not in time. */
async function findContext(
  question: ContextQuestion,
  settings: HookSettings,
  { env, places }: Asking,
): Promise<string | null> {
  const { contextTimeoutMs: timeoutMs, spool } = settings;
  const until = performance.now() + timeoutMs;
  if (timeoutMs <= 0) return null;
  const server = findRunningServer(spool);
  if (server !== null) {
    const { askServer } = await import('./ask-server.ts');
    const answer = await askServer(server, question, timeoutMs);
    if (answer.state === 'answered') return answer.context;
    if (answer.state === 'silent') return null;
  }
  // A hook makes no database.
  if (places.thread === null || !(settings.hasServer || settings.db.includes('://') || existsSync(settings.db)))
    return null;
  const { file, data } = places.thread;
  return askThread(file, { ...data, question, env }, until - performance.now());
}

async function askThread(
  file: string,
  workerData: { question: ContextQuestion; env: Environment },
  timeoutMs: number,
): Promise<string | null> {
  const { Worker } = await import('node:worker_threads');
  threadState = 'at work';
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), timeoutMs);
    const end = (context: unknown): void => {
      clearTimeout(timer);
      threadState = 'done';
      resolve(typeof context === 'string' ? context : null);
    };
    const worker = new Worker(file, { workerData, stdout: true, stderr: true });
    worker.once('message', end);
    worker.once('error', () => end(null));
    worker.once('exit', () => end(null));
  });
}

/** Exit code 0 within a moment, also in the middle of a blocking read, which the end of a process usually waits for: another program takes its place. */
function leaveAtOnce(): void {
  if (process.platform !== 'win32' && typeof process.execve === 'function')
    process.execve(process.execPath, [process.execPath, '-e', '0'], {});
  process.exit(0);
}
