import { createRemoteClient, type RemoteOptions } from '../client/remote-client.ts';
import { createServerClient } from '../client/server-client.ts';
import type { Client } from '../verbs/client.ts';
import { VERBS } from '../verbs/verb-table.ts';
import type { Environment } from './settings.ts';

/** The verbs on a server that this person has signed in to, with time phrases read in the zone of this machine. */
export function openRemoteClient(env: Environment, server: string, options: RemoteOptions = {}): Client {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return createRemoteClient(VERBS, createServerClient(env, server), { timeZone, ...options });
}
