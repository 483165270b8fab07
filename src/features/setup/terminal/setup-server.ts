import type { CommandContext } from '../../../cli/command.ts';
import { UsageError } from '../../../cli/report-error.ts';
import { findCredential, removeCredential, saveCredential } from '../../../client/credentials.ts';
import { checkToken } from '../../../client/sign-in.ts';
import { readHost } from '../../../model/host-name.ts';
import { loadConfigOnce } from '../../../settings/config.ts';
import { setConfigValue, unsetConfigValue } from '../../../settings/config-file.ts';
import { rememberInJournal } from '../apply-setup.ts';
import { readJournal } from '../setup-journal.ts';

/**
 * Signs this machine in to a server, as `ltm auth` does: `ltm mcp` and the hooks then use it. The token is kept in the file of sign-ins,
 * which only its owner can read, and stands in no agent's file.
 */
export async function keepServer(
  { args, env, sources, terminal, json }: CommandContext,
  folder: string,
): Promise<string> {
  const host = readHost(args.text('url')!);
  const token = (args.text('token') ?? env.LTM_TOKEN)?.trim();
  const syncToken = args.text('sync-token')?.trim();
  const machine = args.text('machine')?.trim();
  const config = loadConfigOnce(sources);
  const { server: previous, origin } = config;
  const known = findCredential(env, host, previous);
  if (token === undefined && known === null)
    throw new UsageError(
      '--url needs --token.',
      `Give a token of that server, or sign in first: \`ltm auth ${host}\`.`,
    );
  for (const one of [token ?? known?.token, syncToken]) if (one !== undefined) await checkToken(host, one);
  const credential = {
    ...(token === undefined ? known! : { token, syncToken: known?.syncToken, machine: known?.machine }),
    ...(syncToken !== undefined && { syncToken }),
    ...(machine !== undefined && { machine }),
  };
  await saveCredential(env, host, credential, origin.server.source === 'file' ? previous : null);
  setConfigValue(config, 'server', host);
  const journal = readJournal(folder);
  if (journal.server?.host !== host)
    rememberInJournal(folder, {
      server: { host, previous: journal.server?.previous ?? previous, hadSignIn: known !== null },
    });
  if (!json) terminal.print(`This machine now uses ${host}.`);
  return host;
}

/** The server that was used before set-up is used again; a sign-in that set-up brought goes. null: set-up had named none. */
export async function undoServer({ env, sources }: CommandContext, folder: string): Promise<string | null> {
  const { server } = readJournal(folder);
  if (server === null) return null;
  const config = loadConfigOnce(sources);
  const { server: current } = config;
  if (current === server.host) {
    if (server.previous === null) unsetConfigValue(config, 'server', env);
    else setConfigValue(config, 'server', server.previous);
  }
  if (!server.hadSignIn) await removeCredential(env, server.host, current);
  rememberInJournal(folder, { server: null });
  return server.host;
}
