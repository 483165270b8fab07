import type { CommandContext } from '../../../cli/command.ts';
import { UsageError } from '../../../cli/report-error.ts';
import { safeLine } from '../../../cli/safe-text.ts';
import { saveCredential } from '../../../client/credentials.ts';
import { readProblem } from '../../../client/read-problem.ts';
import { createServerClient } from '../../../client/server-client.ts';
import { EngineError, type ErrorCode } from '../../../model/errors.ts';
import { readHost } from '../../../model/host-name.ts';
import { loadConfigOnce } from '../../../settings/config.ts';
import { setConfigValue } from '../../../settings/config-file.ts';

const TIMEOUT_MS = 30_000;
const CODE = /^[0-9A-Za-z_-]{16,128}$/;
const GONE = { hint: 'Ask for a new invite; each can be used only once.' };

interface Accepted {
  user: { id: string; display: string };
  team: { name: string };
  token?: string;
}

export async function join(context: CommandContext): Promise<void> {
  const { args, terminal, answer } = context;
  const configured = await context.server();
  const { host, code } = readInvite(args.words[0], configured);
  const { user, team, token } =
    host === null ? await joinHere(context, code) : await joinThere(context, { host, code, configured });
  if (token !== undefined && host !== null) await keepToken(context, { host, configured, token });
  answer({ host, team: team.name, user, newAccount: token !== undefined }, () => {
    if (token !== undefined) {
      terminal.print(`authenticated as ${safeLine(user.display)}`);
      terminal.print(`host ${host ?? 'this machine'}`);
    }
    terminal.print(`joined team ${safeLine(team.name)}`);
  });
}

async function joinHere({ client }: CommandContext, code: string): Promise<Accepted> {
  const { user, team } = await (await client()).acceptInvite({ code });
  if (user === null)
    throw new EngineError('not_found', 'The invite has expired, was used already or is unknown.', {
      hint: `${GONE.hint} For an invite to a server, give the whole link.`,
    });
  return { user: { id: user.id, display: user.name }, team };
}

/** As the packet protocol has it: whoever has no account there gets one. */
async function joinThere(
  { args, env }: CommandContext,
  { host, code, configured }: { host: string; code: string; configured: string | null },
): Promise<Accepted> {
  const path = `/v1/invites/${code}/accept`;
  const request: RequestInit = {
    method: 'POST',
    body: JSON.stringify({ display: args.text('display') }),
    headers: { 'content-type': 'application/json' },
  };
  // Only a sign-in to this very server is shown to it; LTM_TOKEN and MCP_API_KEY belong to the server in use and go nowhere else.
  const { LTM_TOKEN: _, MCP_API_KEY: _key, ...others } = env;
  const client = createServerClient(host === configured ? env : others, host, { configured });
  const isSignedIn = (await client.token()) !== null;
  const response = isSignedIn ? await client.fetch(path, request) : await askAsStranger(host, path, request);
  if (response.ok) return (await response.json()) as Accepted;
  const { code: reason, detail, hint } = await readProblem(response, host);
  throw new EngineError(reason as ErrorCode, String(detail), response.status === 410 ? GONE : { hint: String(hint) });
}

/** An address as `ltm invite` prints it, or the code alone, for the server in use. */
function readInvite(given: string | undefined, configured: string | null): { host: string | null; code: string } {
  if (given === undefined) throw new UsageError('`ltm join` needs an invite: its link or its code.');
  const [, address, code = given] = /^(https?:\/\/.+)\/v1\/invites\/([^/?#]+)\/?$/i.exec(given.trim()) ?? [];
  if (!CODE.test(code))
    throw new UsageError(
      'This is not an invite.',
      'An invite looks like https://memory.example.com/v1/invites/…; `ltm invite` prints it.',
    );
  return { host: address === undefined ? configured : readHost(address), code };
}

async function askAsStranger(host: string, path: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(`${host}${path}`, { ...request, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (cause) {
    const hint = 'Check the URL, and whether the server is running.';
    throw new EngineError('busy', `${host} does not answer.`, { cause, hint });
  }
}

/** Kept for this server alone. The server in use stays the one in use. */
async function keepToken(
  { env, terminal, sources }: CommandContext,
  { host, configured, token }: { host: string; configured: string | null; token: string },
): Promise<void> {
  await saveCredential(env, host, { token }, configured);
  if (configured === null) setConfigValue(loadConfigOnce(sources), 'server', host);
  else if (configured !== host)
    terminal.note(`You still use ${configured}. \`ltm config set server ${host}\` changes that.`);
}
