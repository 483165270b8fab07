import { createRemoteClient, type RemoteOptions } from '../client/remote-client.ts';
import { createServerClient } from '../client/server-client.ts';
import { createRemotePackets } from '../compat/packets/remote-packets.ts';
import type { VERBS } from '../features/verb-table.ts';
import type { Environment } from '../settings/settings.ts';
import type { Client } from '../verbs/client.ts';

/** The verbs on a server that this person has signed in to, with time phrases read in the zone of this machine. */
export function openRemoteClient(
  verbs: typeof VERBS,
  { env, server: url, ...options }: { env: Environment; server: string } & RemoteOptions,
): Client {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const server = createServerClient(env, url);
  return {
    ...createRemoteClient(verbs, server, { timeZone, ...options }),
    ...createRemotePackets(server, options.team),
  };
}
