import { createAccounts } from '../auth/create-accounts.ts';
import { OWNER_USER, SCOPES } from '../model/caller.ts';
import { createPacketsApp } from '../rest/packets/create-packets-app.ts';
import type { LocalSession } from './local-session.ts';
import { systemClock } from './system-clock.ts';

/** Where packets and teams are: a server, or the database of this machine, which understands the same requests. */
export interface PacketHost {
  /** null: this machine. */
  host: string | null;
  /** `path` begins with a slash. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

/** The packet API on the local database, without a socket: whoever can open the file is its owner. */
export function openLocalHost({ engine, identity, log }: LocalSession): PacketHost {
  const url = engine.publicUrl() ?? 'http://127.0.0.1:8000';
  const app = createPacketsApp(
    {
      engine,
      accounts: createAccounts({ identity, clock: systemClock, log }),
      authenticate: async () => ({
        outcome: 'accepted',
        proof: {
          credential: {
            kind: 'personal',
            id: 'local',
            userId: OWNER_USER,
            scopes: SCOPES,
            teamId: null,
            agent: null,
            clientId: null,
          },
          memberships: await identity.listMemberships(OWNER_USER),
        },
      }),
      limit: { count: () => {} },
      log,
      door: 'cli',
      urlOf: () => url,
      resourceMetadataUrl: () => null,
    },
    () => 'local',
  );
  return {
    host: null,
    fetch: async (path, init) => {
      const headers = new Headers(init?.headers);
      headers.set('authorization', 'Bearer local');
      return app.fetch(new Request(`http://local/v1${path.slice('/v1'.length)}`, { ...init, headers }));
    },
  };
}
