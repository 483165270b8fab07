import { EngineError, type ErrorCode } from '../../model/errors.ts';
import { couldBePacketId } from '../../model/packet-id.ts';
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
  const text = readErrorText(await response.text());
  const message = host.host === null ? text : `server returned ${response.status}: ${text}`;
  throw new EngineError(CODES[response.status] ?? 'internal', message, { hint: hintOf(response.status, host) });
}

export async function callForJson<T>(host: PacketHost, path: string, init?: RequestInit): Promise<T> {
  return (await (await callHost(host, path, init)).json()) as T;
}

/** Encoded, so that an id with a slash, or one that looks like another path, stays an id. */
export function packetPath(id: string, team?: string | undefined, below = ''): string {
  if (!couldBePacketId(id)) throw new UsageError(`"${id}" is not the id of a packet.`, 'Ids have 10 to 64 characters; `ltm ls` shows them.');
  return `/v1/packets/${encodeURIComponent(id)}${below}${teamQuery(team)}`;
}

function teamQuery(team: string | undefined): string {
  return team === undefined ? '' : `?team=${encodeURIComponent(team)}`;
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
  if (status === 410) return 'Ask for a new invite: each is good for one person.';
  return host === null ? '`ltm help` shows how commands are used.' : `The answer came from ${host}.`;
}
