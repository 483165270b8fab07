import { setClientValue } from '../../client/client-config.ts';
import { saveCredential } from '../../client/credentials.ts';
import { readHost } from '../../client/host-name.ts';
import { createServerClient, findHost } from '../../client/server-client.ts';
import { EngineError } from '../../model/errors.ts';
import type { PacketHost } from '../../server/local-host.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { callForJson } from '../packets/call-host.ts';
import { openHost } from '../packets/open-host.ts';
import { safeLine } from '../safe-text.ts';
import { UsageError } from '../usage-error.ts';

const TIMEOUT_MS = 30_000;
const CODE = /^[0-9A-Za-z_-]{16,128}$/;

interface Accepted {
  user: { id: string; display: string };
  team: { name: string };
  token?: string;
}

export async function run(context: CommandContext): Promise<number> {
  const { args, terminal, json, env } = context;
  const configured = await findHost(env);
  const { host, code } = readInvite(args.words[0], args.text('db') === undefined ? configured : null);
  const door = host === null ? await openHost(context) : await openInvitingHost(context, host, configured);
  const display = args.text('display');
  const accepted = await callForJson<Accepted>(door, `/v1/invites/${code}/accept`, {
    method: 'POST',
    body: JSON.stringify(display === undefined ? {} : { display }),
    headers: { 'content-type': 'application/json' },
  });
  if (accepted.token !== undefined && host !== null)
    await keepToken(context, { host, configured, token: accepted.token });
  if (json) {
    terminal.printJson({
      host,
      team: accepted.team.name,
      user: accepted.user,
      new_account: accepted.token !== undefined,
    });
    return EXIT.ok;
  }
  if (accepted.token !== undefined) {
    terminal.print(`authenticated as ${safeLine(accepted.user.display)}`);
    terminal.print(`host ${host ?? 'this machine'}`);
  }
  terminal.print(`joined team ${safeLine(accepted.team.name)}`);
  return EXIT.ok;
}

/** An address as `ltm invite` prints it, or the code alone, for the server in use. */
function readInvite(given: string | undefined, configured: string | null): { host: string | null; code: string } {
  if (given === undefined) throw new UsageError('`ltm join` needs an invite: its address, or its code.');
  const [, address, code = given] = /^(https?:\/\/.+)\/v1\/invites\/([^/?#]+)\/?$/i.exec(given.trim()) ?? [];
  if (!CODE.test(code))
    throw new UsageError(
      'This is not an invite.',
      'It looks like https://memory.example.com/v1/invites/…, as `ltm invite` prints it.',
    );
  return { host: address === undefined ? configured : readHost(address), code };
}

/** Only a sign-in to this very server is shown to it; LTM_TOKEN belongs to the server in use and goes nowhere else. */
async function openInvitingHost({ env }: CommandContext, host: string, configured: string | null): Promise<PacketHost> {
  const { LTM_TOKEN: _, ...others } = env;
  const client = createServerClient(host === configured ? env : others, host);
  if ((await client.token()) !== null) return client;
  return {
    host,
    async fetch(path, init) {
      try {
        return await fetch(`${host}${path}`, { ...init, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
      } catch (cause) {
        throw new EngineError('busy', `${host} does not answer.`, {
          cause,
          hint: 'Is the address right, and the server running?',
        });
      }
    },
  };
}

/** Kept for this server alone. The server in use stays the one in use. */
async function keepToken(
  { env, terminal }: CommandContext,
  kept: { host: string; configured: string | null; token: string },
): Promise<void> {
  const { host, configured, token } = kept;
  await saveCredential(env, host, { token }, configured);
  if (configured === null) await setClientValue(env, 'host', host);
  else if (configured !== host)
    terminal.note(`You still use ${configured}. \`ltm config set host ${host}\` changes that.`);
}
