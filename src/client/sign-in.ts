import { setTimeout as sleepMs } from 'node:timers/promises';
import { EngineError } from '../model/errors.ts';
import { CLI_CLIENT } from '../model/identity.ts';
import { isObject } from '../model/json-text.ts';
import type { HostCredential } from './credentials.ts';

const SCOPE = 'read write';
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const DEFAULT_EXPIRES_S = 300;
const DEFAULT_INTERVAL_S = 5;
/** RFC 8628: what `slow_down` adds. */
const SLOW_DOWN_S = 5;
const TIMEOUT_MS = 30_000;

export interface SignInPorts {
  fetch: typeof globalThis.fetch;
  sleep(ms: number): Promise<unknown>;
  now(): number;
}

export const systemPorts: SignInPorts = { fetch: globalThis.fetch, sleep: (ms) => sleepMs(ms), now: Date.now };

export interface DeviceCode {
  /** As a person reads it, `ABCD-EFGH`. */
  userCode: string;
  address: string;
  /** With the code in it, where the server offers that. */
  completeAddress: string | null;
}

/** Is there a server at this address, and does it know this token? */
export async function checkToken(host: string, token: string, ports: SignInPorts = systemPorts): Promise<void> {
  const health = await request(ports, `${host}/v1/healthz`, {});
  if (health.status !== 200)
    throw new EngineError('not_found', `There is no ltm server at ${host} (status ${health.status}).`, {
      hint: 'Check the address.',
    });
  const answer = await request(ports, `${host}/v1/packets?limit=1`, { headers: { authorization: `Bearer ${token}` } });
  if (answer.status === 401)
    throw new EngineError('unauthorized', 'The server does not accept this token.', {
      hint: 'Copy it again, or ask for a new one.',
    });
  if (answer.status !== 200) throw new EngineError('internal', `The server answered with status ${answer.status}.`);
}

/** Shows a code, then waits until the person has let this machine in. */
export async function signInByDevice(
  host: string,
  show: (code: DeviceCode) => void,
  ports: SignInPorts = systemPorts,
): Promise<HostCredential> {
  const started = await postForm(ports, `${host}/oauth/authorize_device`, { client_id: CLI_CLIENT, scope: SCOPE });
  const { device_code: deviceCode, user_code: userCode, verification_uri: address } = started.body;
  if (
    started.status !== 200 ||
    typeof deviceCode !== 'string' ||
    typeof userCode !== 'string' ||
    typeof address !== 'string'
  ) {
    throw new EngineError('unauthorized', `${host} does not offer sign-in with a code.`, {
      hint: 'Ask its operator for a token and run `ltm auth HOST TOKEN`.',
      details: { status: started.status },
    });
  }
  const complete = started.body.verification_uri_complete;
  show({ userCode: readable(userCode), address, completeAddress: typeof complete === 'string' ? complete : null });
  const interval = seconds(started.body.interval, DEFAULT_INTERVAL_S);
  const deadline = ports.now() + seconds(started.body.expires_in, DEFAULT_EXPIRES_S) * 1000;
  return waitForConsent(ports, { host, deviceCode, interval, deadline });
}

async function waitForConsent(
  ports: SignInPorts,
  { host, deviceCode, interval, deadline }: { host: string; deviceCode: string; interval: number; deadline: number },
): Promise<HostCredential> {
  let pause = interval;
  while (ports.now() < deadline) {
    await ports.sleep(pause * 1000);
    const { status, body } = await postForm(ports, `${host}/oauth/token`, {
      grant_type: DEVICE_GRANT,
      device_code: deviceCode,
      client_id: CLI_CLIENT,
    });
    if (status === 200) return readTokens(body, ports.now());
    if (body.error === 'authorization_pending') continue;
    if (body.error === 'slow_down') pause += SLOW_DOWN_S;
    else if (body.error === 'access_denied')
      throw new EngineError('forbidden', 'The sign-in was refused.', {
        hint: 'Run `ltm auth` again if that was a mistake.',
      });
    else if (body.error === 'expired_token') break;
    else
      throw new EngineError(
        'unauthorized',
        `The server refused the sign-in: ${String(body.error ?? status).slice(0, 100)}.`,
      );
  }
  throw new EngineError('unauthorized', 'The code was not confirmed in time.', { hint: 'Run `ltm auth` again.' });
}

/** Throws unauthorized when the server will not renew it. */
export async function refresh(
  host: string,
  current: HostCredential,
  ports: SignInPorts = systemPorts,
): Promise<HostCredential> {
  if (current.refreshToken === undefined) throw signedOut(host);
  const { status, body } = await postForm(ports, `${host}/oauth/token`, {
    grant_type: 'refresh_token',
    refresh_token: current.refreshToken,
    client_id: current.clientId ?? CLI_CLIENT,
  });
  if (status === 200) return { ...current, ...readTokens(body, ports.now()) };
  if (status >= 500)
    throw new EngineError('busy', `The server answered with status ${status}.`, { hint: 'Try again later.' });
  throw signedOut(host);
}

/** Tells the server that a sign-in by code is over. False: it could not be told, or did not listen. */
export async function endSignIn(
  host: string,
  { refreshToken, clientId = CLI_CLIENT }: HostCredential,
  ports: SignInPorts = systemPorts,
): Promise<boolean> {
  if (refreshToken === undefined) return false;
  try {
    return (await postForm(ports, `${host}/oauth/revoke`, { token: refreshToken, client_id: clientId })).status === 200;
  } catch (error) {
    if (error instanceof EngineError && error.code === 'busy') return false;
    throw error;
  }
}

export function signedOut(host: string): EngineError {
  return new EngineError('unauthorized', `You are no longer signed in to ${host}.`, {
    hint: `Run \`ltm auth ${host}\`.`,
  });
}

function readTokens(body: Record<string, unknown>, now: number): HostCredential {
  const { access_token: token, refresh_token: refreshToken, expires_in: expiresIn } = body;
  if (typeof token !== 'string' || token === '') throw new EngineError('unauthorized', 'The server gave no token.');
  return {
    token,
    clientId: CLI_CLIENT,
    ...(typeof refreshToken === 'string' && { refreshToken }),
    ...(typeof expiresIn === 'number' && { expiresAt: now + expiresIn * 1000 }),
  };
}

async function postForm(
  ports: SignInPorts,
  url: string,
  fields: Record<string, string>,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await request(ports, url, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { accept: 'application/json' },
  });
  const body: unknown = await response.json().catch(() => null);
  return { status: response.status, body: isObject(body) ? body : {} };
}

/** Redirects are not followed: a credential goes to the address it is for and nowhere else. */
async function request(ports: SignInPorts, url: string, init: RequestInit): Promise<Response> {
  try {
    return await ports.fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (cause) {
    throw new EngineError('busy', `${new URL(url).origin} does not answer.`, {
      cause,
      hint: 'Check that the server is running and that the URL is right.',
    });
  }
}

function readable(code: string): string {
  const upper = code.toUpperCase();
  return upper.length === 8 && !upper.includes('-') ? `${upper.slice(0, 4)}-${upper.slice(4)}` : upper;
}

function seconds(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : otherwise;
}
