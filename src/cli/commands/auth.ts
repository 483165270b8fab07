import { createHash } from 'node:crypto';
import {
  credentialsPath,
  findCredential,
  type HostCredential,
  listHosts,
  removeCredential,
  saveCredential,
} from '../../client/credentials.ts';
import { readHost } from '../../client/host-name.ts';
import { createServerClient } from '../../client/server-client.ts';
import { checkToken, type DeviceCode, endSignIn, signInByDevice } from '../../client/sign-in.ts';
import { loadConfig } from '../../server/config.ts';
import { setConfigValue, unsetConfigValue } from '../../server/config-file.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { openInBrowser } from '../open-in-browser.ts';
import { safeLine } from '../safe-text.ts';
import { UsageError } from '../usage-error.ts';

const HASH_CHARS = 8;

export async function run(context: CommandContext): Promise<number> {
  const [word, token] = context.args.words;
  if (word === 'whoami') return whoami(context);
  if (word === 'logout') return logout(context, token);
  if (word === 'ls') return list(context);
  const host = word === undefined ? loadConfig(context.sources).server : readHost(word);
  if (host === null)
    throw new UsageError('Usage: ltm auth HOST', 'Give the address of the server, such as https://memory.example.com.');
  return token === undefined ? signIn(context, host) : keep(context, { host, credential: await checked(host, token) });
}

async function checked(host: string, token: string): Promise<HostCredential> {
  await checkToken(host, token.trim());
  return { token: token.trim() };
}

async function signIn(context: CommandContext, host: string): Promise<number> {
  const credential = await signInByDevice(host, (code) => show(context, code));
  return keep(context, { host, credential });
}

function show({ terminal, args }: CommandContext, { userCode, address, completeAddress }: DeviceCode): void {
  terminal.print(`Open ${safeLine(address)}`);
  terminal.print(`and enter the code ${safeLine(userCode)}`);
  if (terminal.showsToPerson && !args.isOn('no-browser')) openInBrowser(completeAddress ?? address);
  terminal.note('Waiting until you have confirmed it. Ctrl-C ends it.');
}

/** The server signed in to last is the one that every command uses. */
async function keep(
  { env, json, terminal, sources }: CommandContext,
  { host, credential }: { host: string; credential: HostCredential },
): Promise<number> {
  const { configFile, server, origin } = loadConfig(sources);
  await saveCredential(env, host, credential, origin.server.source === 'file' ? server : null);
  setConfigValue(configFile, 'server', host);
  if (json) terminal.printJson({ host, token_hash8: hashOf(credential.token) });
  else {
    terminal.print(`Signed in to ${host}`);
    terminal.print(`The sign-in is kept in ${credentialsPath(env)}`);
    terminal.note(
      'Every command acts on this server now. `ltm auth logout` returns to the memory of this machine; --local asks it once.',
    );
  }
  return EXIT.ok;
}

/** Always JSON: scripts read it. The host stays empty where none is set. */
async function whoami({ env, terminal, sources }: CommandContext): Promise<number> {
  const host = loadConfig(sources).server;
  const token = host === null ? null : await createServerClient(env, host).token();
  terminal.print(JSON.stringify({ host: host ?? '', token_hash8: token === null ? '' : hashOf(token) }, null, 2));
  return EXIT.ok;
}

/** Afterwards every command acts on this machine again. */
async function logout({ env, json, terminal, sources }: CommandContext, word: string | undefined): Promise<number> {
  const { server: configured, configFile } = loadConfig(sources);
  const host = word === undefined ? configured : readHost(word);
  if (host === null)
    throw new UsageError('Usage: ltm auth logout [HOST]', `Signed in to: ${listHosts(env).join(', ') || 'no server'}.`);
  const credential = findCredential(env, host, configured);
  const removed = await removeCredential(env, host, configured);
  if (host === configured) unsetConfigValue(configFile, 'server', env);
  const isByCode = removed && credential?.refreshToken !== undefined;
  const revoked = isByCode && (await endSignIn(host, credential));
  if (json) terminal.printJson({ host, removed, revoked });
  else terminal.print(removed ? `Signed out of ${host}` : `You were not signed in to ${host}`);
  if (isByCode && !revoked)
    terminal.note(
      'The server could not be told. It forgets this sign-in after 30 days; GET /api/v1/grants shows it until then.',
    );
  else if (removed && !isByCode)
    terminal.note('The token itself stays valid: `ltm tokens revoke` on the server takes it back.');
  return EXIT.ok;
}

async function list({ env, json, terminal, sources }: CommandContext): Promise<number> {
  const [hosts, current] = [listHosts(env), loadConfig(sources).server];
  if (json) terminal.printJson({ hosts, current });
  else for (const host of hosts) terminal.print(host === current ? `${host}  (in use)` : host);
  return EXIT.ok;
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex').slice(0, HASH_CHARS);
}
