import { readHost } from '../../client/host-name.ts';
import { createServerClient } from '../../client/server-client.ts';
import { loadConfig } from '../../server/config.ts';
import { runBridge } from '../../server/run-mcp.ts';
import type { CommandContext } from '../command.ts';
import { UsageError } from '../usage-error.ts';

export async function run({ args, env, sources }: CommandContext): Promise<number> {
  const given = args.words[0];
  const { server } = loadConfig(sources);
  const host = given === undefined ? server : readHost(originOf(given));
  if (host === null)
    throw new UsageError(
      'Usage: ltm bridge URL',
      'Give the address of a server, such as https://memory.example.com/mcp.',
    );
  return runBridge(
    given === undefined ? new URL(`${host}/mcp`) : mcpAddress(given),
    createServerClient(env, host, { configured: server }),
  );
}

/** Sign-ins are kept per server, not per path. */
function originOf(address: string): string {
  const full = readHost(address.replace(/[?#].*$/, ''));
  return full.replace(/(\/mcp)?(\/sse)?$/, '');
}

/** The address of a server alone means its /mcp. */
function mcpAddress(given: string): URL {
  const [path = '', query] = given.split('?');
  const full = readHost(path);
  const address = new URL(full).pathname === '/' ? `${full}/mcp` : full;
  return new URL(query === undefined ? address : `${address}?${query}`);
}
