import { toWire } from '../../model/wire.ts';
import type { ShownToken } from '../../verbs/people/account-verbs.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { issueToken } from '../issue-token.ts';
import { safeLine } from '../safe-text.ts';
import { showAge, showTime } from '../show-age.ts';
import { showWords } from '../show-table.ts';
import { UsageError } from '../usage-error.ts';

export async function run(context: CommandContext): Promise<number> {
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

async function list(context: CommandContext): Promise<number> {
  const { terminal, json, args } = context;
  const { tokens: all } = await (await context.client()).listTokens({});
  const now = Date.now();
  const tokens = args.isOn('all') ? all : all.filter((token) => stateOf(token, now) === 'active');
  if (json) terminal.printJson(toWire({ tokens }));
  else if (tokens.length === 0) terminal.note('There are no tokens. `ltm tokens create NAME` creates one.');
  else
    showWords(
      ['NAME', 'USER', 'SCOPES', 'LAST USED', 'STATE', 'ID'],
      tokens.map((token) => rowOf(token, now)),
      terminal,
    );
  return EXIT.ok;
}

function rowOf(token: ShownToken, now: number): string[] {
  const { name, userId, scopes, teamId, lastUsedAt, id } = token;
  const used = lastUsedAt === null ? 'never' : showAge(lastUsedAt, now);
  return [
    safeLine(name),
    safeLine(userId),
    scopes.join(',') + (teamId === null ? '' : ` in ${teamId}`),
    used,
    stateOf(token, now),
    id,
  ];
}

function stateOf({ revokedAt, expiresAt }: ShownToken, now: number): string {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt === null) return 'active';
  return expiresAt <= now ? 'expired' : 'active';
}

async function revoke({ client, json, terminal }: CommandContext, ref: string | undefined): Promise<number> {
  if (ref === undefined) throw new UsageError('Which token? `ltm tokens ls` shows names and ids.');
  const verbs = await client();
  await verbs.revokeToken({ token: ref });
  const { tokens } = await verbs.listTokens({});
  const token = tokens.find(({ id }) => id === ref) ?? tokens.findLast(({ name }) => name === ref);
  if (token === undefined) terminal.print(`Revoked ${safeLine(ref)}.`);
  else if (json) terminal.printJson(toWire({ token }));
  else
    terminal.print(
      `Revoked ${token.id} ("${safeLine(token.name)}" of ${safeLine(token.userId)}), ${showTime(token.revokedAt!)}.`,
    );
  return EXIT.ok;
}
