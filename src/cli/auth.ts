import { spawn } from 'node:child_process';
import {
  credentialsPath,
  findCredential,
  type HostCredential,
  listHosts,
  removeCredential,
  saveCredential,
} from '../client/credentials.ts';
import { createServerClient } from '../client/server-client.ts';
import { checkToken, type DeviceCode, endSignIn, signInByDevice } from '../client/sign-in.ts';
import { readHost } from '../model/host-name.ts';
import { sha256Of } from '../model/sha256.ts';
import { runBridge } from '../server/run-mcp.ts';
import { loadConfigOnce } from '../settings/config.ts';
import { setConfigValue, unsetConfigValue } from '../settings/config-file.ts';
import type { CommandContext } from './command.ts';
import { UsageError } from './report-error.ts';
import { safeLine } from './safe-text.ts';

const HASH_CHARS = 8;

export async function auth(context: CommandContext): Promise<void> {
  const [word, token] = context.args.words;
  if (word === 'whoami') return whoami(context);
  if (word === 'logout') return logout(context, token);
  if (word === 'ls') return list(context);
  const host = word === undefined ? loadConfigOnce(context.sources).server : readHost(word);
  if (host === null)
    throw new UsageError('Usage: ltm auth HOST', 'Give the URL of the server, such as https://memory.example.com.');
  if (token === undefined) return keep(context, host, await signInByDevice(host, (code) => show(context, code)));
  await checkToken(host, token.trim());
  return keep(context, host, { token: token.trim() });
}

function show({ terminal, args }: CommandContext, { userCode, address, completeAddress }: DeviceCode): void {
  terminal.print(`Open ${safeLine(address)}`);
  terminal.print(`and enter the code ${safeLine(userCode)}`);
  if (terminal.showsToPerson && !args.isOn('no-browser')) openInBrowser(completeAddress ?? address);
  terminal.note('Waiting for you to confirm. Press Ctrl-C to cancel.');
}

/** The server signed in to last is the one that every command uses. */
async function keep(
  { env, answer, terminal, sources }: CommandContext,
  host: string,
  credential: HostCredential,
): Promise<void> {
  const config = loadConfigOnce(sources);
  const { server, origin } = config;
  await saveCredential(env, host, credential, origin.server.source === 'file' ? server : null);
  setConfigValue(config, 'server', host);
  answer({ host, token_hash8: hashOf(credential.token) }, () => {
    terminal.print(`Signed in to ${host}`);
    terminal.print(`The sign-in is stored in ${credentialsPath(env)}`);
    terminal.note(
      'All commands now use this server. `ltm auth logout` switches back to the local database; --local uses it for one command.',
    );
  });
}

/** Always JSON: scripts read it. The host stays empty where none is set. */
async function whoami({ env, terminal, sources }: CommandContext): Promise<void> {
  const host = loadConfigOnce(sources).server;
  const token = host === null ? null : await createServerClient(env, host).token();
  terminal.print(JSON.stringify({ host: host ?? '', token_hash8: token === null ? '' : hashOf(token) }, null, 2));
}

/** Afterwards every command acts on this machine again. */
async function logout({ env, answer, terminal, sources }: CommandContext, word: string | undefined): Promise<void> {
  const config = loadConfigOnce(sources);
  const { server: configured } = config;
  const host = word === undefined ? configured : readHost(word);
  if (host === null)
    throw new UsageError('Usage: ltm auth logout [HOST]', `Signed in to: ${listHosts(env).join(', ') || 'no server'}.`);
  const credential = findCredential(env, host, configured);
  const removed = await removeCredential(env, host, configured);
  if (host === configured) unsetConfigValue(config, 'server', env);
  const isByCode = removed && credential?.refreshToken !== undefined;
  const revoked = isByCode && (await endSignIn(host, credential));
  answer({ host, removed, revoked }, removed ? `Signed out of ${host}` : `You were not signed in to ${host}`);
  if (isByCode && !revoked)
    terminal.note(
      'The server could not be reached. It drops this sign-in after 30 days; until then, GET /api/v1/grants lists it.',
    );
  else if (removed && !isByCode)
    terminal.note('The token itself stays valid. Revoke it on the server with `ltm tokens revoke`.');
}

async function list({ env, answer, terminal, sources }: CommandContext): Promise<void> {
  const [hosts, current] = [listHosts(env), loadConfigOnce(sources).server];
  answer({ hosts, current }, () => {
    for (const host of hosts) terminal.print(host === current ? `${host}  (in use)` : host);
  });
}

function hashOf(token: string): string {
  return sha256Of(token).slice(0, HASH_CHARS);
}

const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = { darwin: ['open'], win32: ['explorer.exe'] };

/** Tries to; the address has been printed, so nothing is lost when there is no browser. Only web addresses, and never through a shell. */
function openInBrowser(address: string): void {
  const url = URL.parse(address);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return;
  const [command = 'xdg-open', ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...args, url.href], { stdio: 'ignore', detached: true });
  child.on('error', () => child.removeAllListeners());
  child.unref();
}

export async function bridge({ args, env, sources }: CommandContext): Promise<number> {
  const given = args.words[0];
  const { server } = loadConfigOnce(sources);
  const host = given === undefined ? server : readHost(originOf(given));
  if (host === null)
    throw new UsageError('Usage: ltm bridge URL', 'Give the URL of a server, such as https://memory.example.com/mcp.');
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
