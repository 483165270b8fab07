import { readFileSync } from 'node:fs';
import { isObject, parseJson } from '../model/json-text.ts';
import type { RunningServer } from './running-server.ts';

export interface ContextQuestion {
  project: string | null;
  session: string;
  prompt: string | null;
  event: 'start' | 'prompt';
  /** Another than the usual name of the tags around it, for clients that were set up by the system that ltm takes over. */
  tag?: 'longmem-context';
}

/** `absent`: nobody listens there. `silent`: somebody does, and had nothing to say in time. */
export type ServerAnswer = { state: 'answered'; context: string | null } | { state: 'absent' | 'silent' };

const MOST_CHARS = 64 << 10;

/** Asks the server on this machine for the context of a session, and waits no longer than it is told. */
export async function askServer(
  server: RunningServer,
  question: ContextQuestion,
  timeoutMs: number,
): Promise<ServerAnswer> {
  const token = readToken(server.tokenFile);
  if (token === null) return { state: 'absent' };
  const url = new URL('/api/v1/context', server.url);
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  return new Promise((resolve) => {
    const timer = setTimeout(() => end({ state: 'silent' }), timeoutMs);
    const end = (answer: ServerAnswer): void => {
      clearTimeout(timer);
      resolve(answer);
      asked.destroy();
    };
    const { project, prompt, ...rest } = question;
    const body = JSON.stringify({ ...rest, ...(project !== null && { project }), ...(prompt !== null && { prompt }) });
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}`, Connection: 'close' };
    const asked = request(url, { method: 'POST', headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        if (text.length > MOST_CHARS) end({ state: 'silent' });
      });
      response.on('end', () => end(readAnswer(response.statusCode, text)));
      response.on('error', () => end({ state: 'silent' }));
    });
    asked.on('error', (error: NodeJS.ErrnoException) =>
      end({ state: error.code === 'ECONNREFUSED' ? 'absent' : 'silent' }),
    );
    asked.end(body);
  });
}

function readAnswer(status: number | undefined, text: string): ServerAnswer {
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
