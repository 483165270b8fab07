import { readFileSync } from 'node:fs';
import { isObject, parseJson } from '../model/json-text.ts';
import { type Answer, OutOfTime, reachOwnServer } from './own-server.ts';
import type { RunningServer } from './running-server.ts';

export interface ContextQuestion {
  project: string | null;
  session: string;
  prompt: string | null;
  event: 'start' | 'prompt';
  /** Another than the usual name of the tags around it, for clients that were set up by the system that ltm takes over. */
  tag?: 'longmem-context';
}

/** `absent`: nobody listens there who has shown to be ours. `silent`: somebody does, and had nothing to say in time. */
export type ServerAnswer = { state: 'answered'; context: string | null } | { state: 'absent' | 'silent' };

/** Asks the server on this machine for the context of a session, once it has shown that it is ours, and waits no longer than it is told. */
export async function askServer(
  server: RunningServer,
  question: ContextQuestion,
  timeoutMs: number,
): Promise<ServerAnswer> {
  const token = readToken(server.tokenFile);
  if (token === null) return { state: 'absent' };
  const reached = await reachOwnServer(server, timeoutMs);
  if (typeof reached === 'string') return { state: reached };
  const { project, prompt, ...rest } = question;
  const json = JSON.stringify({ ...rest, ...(project !== null && { project }), ...(prompt !== null && { prompt }) });
  try {
    return readAnswer(await reached.ask('POST', '/api/v1/context', { json, token }));
  } catch (error) {
    return { state: error instanceof OutOfTime ? 'silent' : 'absent' };
  } finally {
    reached.close();
  }
}

function readAnswer({ status, text }: Answer): ServerAnswer {
  const said = parseJson(text);
  if (status !== 200 || !isObject(said)) return { state: status === 404 || status === 401 ? 'absent' : 'silent' };
  return { state: 'answered', context: typeof said.context === 'string' ? said.context : null };
}

function readToken(file: string | null): string | null {
  if (file === null) return null;
  try {
    return readFileSync(file, 'utf8').trim() || null;
  } catch {
    return null; // it was removed, or is somebody else's
  }
}
