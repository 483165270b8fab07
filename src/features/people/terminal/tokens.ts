import type { CommandContext } from '../../../cli/command.ts';
import { UsageError } from '../../../cli/report-error.ts';
import { safeLine, showAge, showTime } from '../../../cli/safe-text.ts';
import { showTable } from '../../../cli/show-table.ts';
import type { Client } from '../../../verbs/client.ts';
import type { ShownToken } from '../verbs/account-verbs.ts';
import { readTokenFlags } from './token-flags.ts';

export async function tokens(context: CommandContext): Promise<void> {
  const [verb = 'ls', name, ...more] = context.args.words;
  if (more.length > 0) throw new UsageError(`\`ltm tokens ${safeLine(verb)}\` takes one name.`);
  if (verb === 'ls' && name === undefined) return list(context);
  if (verb === 'create') return issueToken(context, name, 'ltm tokens create');
  if (verb === 'revoke') return revoke(context, name);
  throw new UsageError(
    `There is no \`ltm tokens ${safeLine(verb)}\`.`,
    'The subcommands are: ls, create NAME, revoke ID_OR_NAME.',
  );
}

async function list({ terminal, answer, args, client }: CommandContext): Promise<void> {
  const { tokens: all } = await (await client()).listTokens({});
  const now = Date.now();
  const shown = args.isOn('all') ? all : all.filter((token) => stateOf(token, now) === 'active');
  answer({ tokens: shown }, () => {
    if (shown.length === 0) terminal.note('There are no tokens. `ltm tokens create NAME` creates one.');
    else {
      const rows = shown.map((token) => rowOf(token, now));
      showTable([['NAME', 'USER', 'SCOPES', 'LAST USED', 'STATE', 'ID'], ...rows], terminal);
    }
  });
}

function rowOf(token: ShownToken, now: number): string[] {
  const { name, userId, scopes, teamId, lastUsedAt, id } = token;
  const allowed = scopes.join(',') + (teamId === null ? '' : ` in ${teamId}`);
  const used = lastUsedAt === null ? 'never' : showAge(lastUsedAt, now);
  return [safeLine(name), safeLine(userId), allowed, used, stateOf(token, now), id];
}

function stateOf({ revokedAt, expiresAt }: ShownToken, now: number): string {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
}

async function revoke({ client, answer, terminal }: CommandContext, ref: string | undefined): Promise<void> {
  if (ref === undefined) throw new UsageError('Give the name or id of a token. `ltm tokens ls` shows them.');
  const verbs = await client();
  await verbs.revokeToken({ token: ref });
  const { tokens: all } = await verbs.listTokens({});
  const token = all.find(({ id }) => id === ref) ?? all.findLast(({ name }) => name === ref);
  if (token === undefined) terminal.print(`Revoked ${safeLine(ref)}.`);
  else {
    const owned = `"${safeLine(token.name)}" of ${safeLine(token.userId)}`;
    answer({ token }, `Revoked ${token.id} (${owned}), ${showTime(token.revokedAt!)}.`);
  }
}

/** The token stands alone on stdout, so that a script can take it; what people want to know goes to stderr, without it. */
export async function issueToken(context: CommandContext, name: string | undefined, usage: string): Promise<void> {
  if (name === undefined)
    throw new UsageError(`The token needs a name, for example the name of the machine: \`${usage} laptop\`.`);
  const { args, terminal, answer } = context;
  const wanted = readTokenFlags(args, Date.now());
  const client = await context.client();
  const { value, token } = await client.createToken({ ...wanted, name, user: await whose(client, context) });
  answer({ value, token }, () => {
    terminal.print(value);
    terminal.note(summarise(token));
  });
}

async function whose(client: Client, { args, terminal }: CommandContext): Promise<string | undefined> {
  const [id, email] = [args.text('user'), args.text('email')];
  if (id === undefined && email === undefined) return undefined;
  const { user, created } = await client.addUser({ id, email });
  if (created) terminal.note(`Added ${safeLine(user.name)} (${safeLine(user.id)}).`);
  return user.id;
}

function summarise({ name, userId, scopes, expiresAt, id }: ShownToken): string {
  const until = expiresAt === null ? 'until it is revoked' : `until ${showTime(expiresAt)}`;
  return `Token "${safeLine(name)}" of ${safeLine(userId)}, for ${scopes.join(', ')}, valid ${until}. It is shown only once. Revoke it with \`ltm tokens revoke ${id}\`.`;
}
