import { EngineError } from '../model/errors.ts';
import { VERSION } from '../model/version.ts';
import type { Environment } from '../settings/settings.ts';
import { findCredential, type HostCredential, renewCredential } from './credentials.ts';
import { refresh, type SignInPorts, signedOut, systemPorts } from './sign-in.ts';

const TIMEOUT_MS = 30_000;
/** Renewed a little early, so that a token does not run out on its way. */
const EARLY_MS = 30_000;

/** Where what sessions bring by themselves is sent. */
const CAPTURED = '/api/v1/session-events';

/** A server, and the right to use it. */
export interface ServerClient {
  host: string;
  /** A token that is good now; null when not signed in there. */
  token(): Promise<string | null>;
  /** Called when the server refused the token: a renewed one, or null where there is none. */
  renew(): Promise<string | null>;
  /** What goes with every request: the name of this machine, where it has one. */
  headers(): Record<string, string>;
  /** `path` begins with a slash. Signs in, renews once when told 401, follows no redirects. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

/** LTM_TOKEN wins over what `ltm auth` has kept, and that over MCP_API_KEY, the name that mcp-memory-service has for it. `configured` is the server in use, to which a bare token of an older program belongs. */
export function createServerClient(
  env: Environment,
  host: string,
  { configured = host, ports = systemPorts }: { configured?: string | null; ports?: SignInPorts } = {},
): ServerClient {
  const kept = (): HostCredential | null => findCredential(env, host, configured);
  const renewKept = (outdated: HostCredential) =>
    renewCredential(env, { host, outdated, renew: (current) => refresh(host, current, ports) });

  async function token(): Promise<string | null> {
    if (env.LTM_TOKEN) return env.LTM_TOKEN;
    const credential = kept();
    if (credential === null) return (host === configured && env.MCP_API_KEY) || null;
    if (credential.expiresAt === undefined || credential.expiresAt - EARLY_MS > ports.now()) return credential.token;
    return (await renewKept(credential)).token;
  }

  async function renew(): Promise<string | null> {
    const credential = env.LTM_TOKEN ? null : kept();
    if (credential?.refreshToken === undefined) return null;
    return (await renewKept(credential)).token;
  }

  function headersOf(): Record<string, string> {
    const { machine } = kept() ?? {};
    return machine === undefined ? {} : { 'X-Client-Hostname': machine };
  }

  async function send(path: string, init: RequestInit, bearer: string): Promise<Response> {
    const headers = new Headers({ ...headersOf(), ...Object.fromEntries(new Headers(init.headers)) });
    headers.set('authorization', `Bearer ${bearer}`);
    headers.set('user-agent', `ltm/${VERSION}`);
    try {
      return await ports.fetch(`${host}${path}`, {
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...init,
        headers,
        redirect: 'manual',
      });
    } catch (cause) {
      throw new EngineError('busy', `${host} does not answer.`, {
        cause,
        hint: 'Check that the server is running and the network is up.',
      });
    }
  }

  return {
    host,
    token,
    renew,
    headers: headersOf,
    async fetch(path, init = {}) {
      const bearer = (path === CAPTURED && kept()?.syncToken) || (await token());
      if (bearer === null)
        throw new EngineError('unauthorized', `You are not signed in to ${host}.`, {
          hint: `Run \`ltm auth ${host}\`.`,
        });
      const response = await send(path, init, bearer);
      if (response.status !== 401) return response;
      const renewed = await renew();
      if (renewed === null) return response;
      const again = await send(path, init, renewed);
      if (again.status === 401) throw signedOut(host);
      return again;
    },
  };
}
