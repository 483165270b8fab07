import { openServerClient } from '../../client/server-client.ts';
import type { PacketHost } from '../../server/local-host.ts';
import type { CommandContext } from '../command.ts';

/** The server that was signed in to, or the database of this machine: with --db, or where there is no server. */
export async function openHost({ env, args, open }: CommandContext): Promise<PacketHost> {
  const client = args.text('db') === undefined ? await openServerClient(env) : null;
  if (client !== null) return client;
  const { openLocalHost } = await import('../../server/local-host.ts');
  return openLocalHost(await open());
}
