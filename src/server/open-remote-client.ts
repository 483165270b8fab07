import { createRemoteClient, type RemoteOptions } from '../client/remote-client.ts';
import { createServerClient } from '../client/server-client.ts';
import { SYSTEMS } from '../compat/systems.ts';
import type { Feature } from '../features/feature.ts';
import { VERBS } from '../features/verb-table.ts';
import { loadVerbs } from '../features/verbs.ts';
import type { Environment } from '../settings/settings.ts';
import type { Client } from '../verbs/client.ts';

const systems: readonly Feature[] = SYSTEMS;

/** The verbs on a server that this person has signed in to, with time phrases read in the zone of this machine; by the interface of another system where one has them. */
export async function openRemoteClient(
  given: { env: Environment; server: string; features?: readonly Feature[] | undefined } & RemoteOptions,
): Promise<Client> {
  const { env, server: url, features, ...options } = given;
  const verbs = features === undefined ? VERBS : ((await loadVerbs(features)) as typeof VERBS);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const server = createServerClient(env, url);
  const remote = await Promise.all(systems.map(async (system) => (await system.remote?.())?.(server, options.team)));
  return Object.assign({ ...createRemoteClient(verbs, server, { timeZone, ...options }) }, ...remote);
}
