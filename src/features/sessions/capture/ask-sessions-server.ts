import { createRemoteClient } from '../../../client/remote-client.ts';
import { createServerClient } from '../../../client/server-client.ts';
import type { Environment } from '../../../settings/settings.ts';
import type { ClientOf } from '../../../verbs/client.ts';
import { VERBS } from '../verbs.ts';

/** What can be asked about sessions, carried out by a server that this person has signed in to. */
export function askSessionsServer(env: Environment, server: string): ClientOf<typeof VERBS> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return createRemoteClient(VERBS, createServerClient(env, server), { timeZone });
}
