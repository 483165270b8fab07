import { EngineError, type ErrorCode } from '../../model/errors.ts';
import type { PacketHost } from '../../server/local-host.ts';
import { UsageError } from '../usage-error.ts';

const CODES: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_input',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  410: 'not_found',
  413: 'too_large',
  429: 'rate_limited',
  503: 'busy',
};
const MAX_SHOWN = 2000;

/** Answers other than 2xx are errors, redirects too: what was sent was meant for this address alone. */
export async function callHost(host: PacketHost, path: string, init?: RequestInit): Promise<Response> {
  const response = await host.fetch(path, init);
  if (response.ok) return response;
  const text = isRedirect(response)
    ? `it sends to ${response.headers.get('location') ?? 'another address'}`
    : readErrorText(await response.text());
  const message = host.host === null ? text : `server returned ${response.status}: ${text}`;
  throw new EngineError(CODES[response.status] ?? 'internal', message, { hint: hintOf(response.status, host) });
}

export async function callForJson<T extends object>(host: PacketHost, path: string, init?: RequestInit): Promise<T> {
  return readAnswer<T>(await (await callHost(host, path, init)).text());
}

/** What is no JSON object did not come from a packet server. */
export function readAnswer<T extends object>(body: string): T {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch (cause) {
    throw unreadable(cause);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unreadable();
  return value as T;
}

/** A list that the answer must have. */
export function needList<T>(list: readonly T[] | undefined): readonly T[] {
  if (!Array.isArray(list)) throw unreadable();
  return list;
}

function unreadable(cause?: unknown): EngineError {
  return new EngineError('internal', 'The server gave an answer that is not of a packet server.', {
    hint: '`ltm config get host` shows its address: is it the right one?',
    cause,
  });
}

/** One step of a path. Encoded, so that a name with a slash stays a name; URLs take `.` and `..` for steps up however they are encoded. */
export function pathSegment(name: string): string {
  if (/^\.{0,2}$/.test(name))
    throw new UsageError(
      `"${name}" is no id and no name.`,
      '`ltm ls` shows packets, `ltm teams ls` teams, `ltm teams members TEAM` people.',
    );
  return encodeURIComponent(name);
}

export function packetPath(id: string, team?: string | undefined, below = ''): string {
  return `/v1/packets/${pathSegment(id)}${below}${teamQuery(team)}`;
}

function teamQuery(team: string | undefined): string {
  return team === undefined ? '' : `?team=${encodeURIComponent(team)}`;
}

function isRedirect({ status }: Response): boolean {
  return status >= 300 && status < 400;
}

function readErrorText(body: string): string {
  try {
    const { error } = JSON.parse(body) as { error?: unknown };
    if (typeof error === 'string') return error.slice(0, MAX_SHOWN);
  } catch {
    return body.trim().slice(0, MAX_SHOWN); // another server's page: shown as it came
  }
  return body.trim().slice(0, MAX_SHOWN);
}

function hintOf(status: number, { host }: PacketHost): string {
  if (status === 401) return `Sign in again: ltm auth ${host ?? ''}`.trim();
  if (status === 404) return '`ltm ls` shows your packets, `ltm teams ls` your teams.';
  if (status === 410)
    return `Ask for a new invite: each is good for one person.${host === null ? ' For one of a server, give the whole address.' : ''}`;
  if (status >= 300 && status < 400)
    return `Your sign-in is for ${host ?? 'this machine'} alone, so this was not followed. If the other address is right: ltm auth ADDRESS`;
  return host === null ? '`ltm help` shows how commands are used.' : `The answer came from ${host}.`;
}
