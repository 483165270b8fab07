import { existsSync, mkdirSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentName, formatAnswer } from '../../../agents/hooks.ts';
import { readObjectFrom } from '../../../cli/read-stdin.ts';
import type { ContextQuestion } from '../../../client/ask-server.ts';
import { findRunningServer } from '../../../client/running-server.ts';
import type { Environment } from '../../../client/spool-folder.ts';
import { parseJson } from '../../../model/json-text.ts';
import { lateFunctions } from '../../../model/late.ts';
import type { SessionEvent } from '../../../model/session-event.ts';
import { hashText } from './event-key.ts';
import { logFailure } from './hook-log.ts';
import { type HookSettings, readHookSettings } from './hook-settings.ts';
import { makeEvent } from './make-event.ts';
import { type Payload, readPayload } from './read-payload.ts';
import { appendEvent } from './spool.ts';

const { askServer } = lateFunctions(() => import('../../../client/ask-server.ts'), 'askServer');

/** Whatever happens, the agent goes on after this. */
const LONGEST_MS = 950;
/** An agent that has not said everything by then will not. */
const STDIN_MS = 700;
const GRACE_MS = 100;
/** From here on what V8 would compile on the side costs more than it saves in a process that is about to end; to tell it so costs two milliseconds. */
const LONG_INPUT = 1500;

export interface HookPlaces {
  /** The program that opens the database and answers, for when no server runs. A process of its own: a thread starts more slowly, and what it does ends with this one. */
  answerer: string | null;
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
    if (isDryRun(env)) return isHeldUp ? leaveAtOnce() : undefined;
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
  // A read that is still at work would keep the process.
  if (isHeldUp) leaveAtOnce();
}

/** LongMem's own variable: its hooks then read what they are given, and do nothing. */
function isDryRun({ LONGMEM_DRY_RUN: said = '' }: Environment): boolean {
  return said === '1' || said.toLowerCase() === 'true';
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
    const answer = await askServer(server, question, timeoutMs);
    if (answer.state === 'answered') return answer.context;
    if (answer.state === 'silent') return null;
  }
  // A hook makes no database.
  if (places.answerer === null || !(settings.hasServer || settings.db.includes('://') || existsSync(settings.db)))
    return null;
  return askProcess(places.answerer, { question, env, timeoutMs: until - performance.now() });
}

/** Out of time it is left alone: what it has begun, taking in the spool and keeping what it compiled, makes the next answer a faster one. */
async function askProcess(
  file: string,
  { question, env, timeoutMs }: { question: ContextQuestion; env: Environment; timeoutMs: number },
): Promise<string | null> {
  const { spawn } = await import('node:child_process');
  return new Promise((resolve) => {
    const asked = spawn(process.execPath, [file], {
      env: { ...env },
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: process.platform !== 'win32', // an agent that ends its hook by the group ends this one
      windowsHide: true,
    });
    const end = (answer: string): void => {
      clearTimeout(timer);
      asked.stdout.destroy();
      asked.unref();
      const context = parseJson(answer);
      resolve(typeof context === 'string' ? context : null);
    };
    const timer = setTimeout(() => end(''), timeoutMs);
    let said = '';
    asked.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.endsWith('\n')) end(said);
    });
    asked.once('error', () => end(''));
    asked.once('close', () => end(said));
    asked.stdin.on('error', () => undefined); // it has ended before it was asked, and closes
    asked.stdin.end(JSON.stringify(question));
  });
}

/** Exit code 0 within a moment, also in the middle of a blocking read, which the end of a process usually waits for: another program takes its place. */
function leaveAtOnce(): void {
  if (process.platform !== 'win32' && typeof process.execve === 'function')
    process.execve(process.execPath, [process.execPath, '-e', '0'], {});
  process.exit(0);
}
