import type { AccessToken } from '../model/identity.ts';
import type { LocalAccounts } from '../server/local-accounts.ts';
import type { CommandContext } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { safeLine } from './safe-text.ts';
import { showTime } from './show-age.ts';
import { readTokenFlags } from './token-flags.ts';
import { describeToken } from './token-json.ts';
import { UsageError } from './usage-error.ts';
import { withAccounts } from './with-accounts.ts';

/** The token stands alone on stdout, so that a script can take it; what people want to know goes to stderr, without it. */
export async function issueToken(context: CommandContext, name: string | undefined, usage: string): Promise<number> {
  if (name === undefined)
    throw new UsageError(`The token needs a name, such as that of the machine: \`${usage} laptop\`.`);
  const { args, terminal, json } = context;
  const wanted = readTokenFlags(args, Date.now());
  return withAccounts(context, async (opened) => {
    const user = await whose(opened, context);
    const { value, token } = await opened.accounts.issueToken(opened.asker, {
      ...wanted,
      name,
      ...(user === undefined ? {} : { user }),
    });
    if (json) terminal.printJson({ value, token: describeToken(token) });
    else {
      terminal.print(value);
      terminal.note(summarise(token));
    }
    return EXIT.ok;
  });
}

async function whose(
  { accounts, asker }: LocalAccounts,
  { args, terminal }: CommandContext,
): Promise<string | undefined> {
  const [id, email] = [args.text('user'), args.text('email')];
  if (id === undefined && email === undefined) return undefined;
  const { user, created } = await accounts.ensureUser(asker, {
    ...(id === undefined ? {} : { id }),
    ...(email === undefined ? {} : { email }),
  });
  if (created) terminal.note(`Added ${safeLine(user.name)} (${safeLine(user.id)}).`);
  return user.id;
}

function summarise({ name, userId, scopes, expiresAt, id }: AccessToken): string {
  const until = expiresAt === null ? 'until it is revoked' : `until ${showTime(expiresAt)}`;
  return `Token "${safeLine(name)}" of ${safeLine(userId)}, for ${scopes.join(', ')}, holds ${until}. It is shown this once; \`ltm tokens revoke ${id}\` takes it back.`;
}
