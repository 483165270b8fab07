import type { CommandContext } from '../../../cli/command.ts';
import { findCredential } from '../../../client/credentials.ts';
import { createRemoteClient } from '../../../client/remote-client.ts';
import { EngineError } from '../../../model/errors.ts';
import { readHost } from '../../../model/host-name.ts';
import { VERSION } from '../../../model/version.ts';
import type { Environment } from '../../../settings/settings.ts';
import type { ClientOf } from '../../../verbs/client.ts';
import { VERBS } from '../verbs.ts';
import type { SyncHome } from './sync-home.ts';

export interface SyncServer {
  client: ClientOf<typeof VERBS>;
  /** Null: the database of this machine. */
  host: string | null;
}

const TIMEOUT_MS = 120_000;

/**
 * Where this machine syncs to: MCP_MEMORY_URL, the folder's own config, or the server that it uses otherwise; without any, its own database.
 * SYNC_TOKEN is used where there is one, as only it may upload on a federated server.
 */
export async function connectSync(context: CommandContext, home: SyncHome, signal?: AbortSignal): Promise<SyncServer> {
  const { env } = context;
  const named = env.MCP_MEMORY_URL || home.config.url;
  const host = named ? readHost(named) : await context.server();
  if (host === null) return { client: await context.client(), host };
  const token = tokenFor(env, host);
  if (token === null)
    throw new EngineError('unauthorized', `There is no token for ${host}.`, {
      hint: 'Set SYNC_TOKEN, or sign in: `ltm setup --url URL --token TOKEN --sync-token TOKEN`.',
    });
  const remote = createRemoteClient(VERBS, {
    host,
    fetch: (path, init) => send(`${host}${path}`, init, token, signal),
  });
  return { client: remote, host };
}

function tokenFor(env: Environment, host: string): string | null {
  const kept = findCredential(env, host, host);
  return env.SYNC_TOKEN || env.LTM_TOKEN || kept?.syncToken || env.MCP_MEMORY_TOKEN || kept?.token || null;
}

async function send(url: string, init: RequestInit = {}, token: string, signal?: AbortSignal): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${token}`);
  headers.set('user-agent', `ltm/${VERSION}`);
  const signals = [AbortSignal.timeout(TIMEOUT_MS), ...(signal === undefined ? [] : [signal])];
  try {
    return await fetch(url, { ...init, headers, redirect: 'manual', signal: AbortSignal.any(signals) });
  } catch (cause) {
    throw new EngineError('busy', `${new URL(url).origin} does not answer.`, {
      cause,
      hint: 'Check that the server is running and the network is up; the next run goes on from here.',
    });
  }
}
