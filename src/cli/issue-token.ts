import { toWire } from '../model/wire.ts';
import type { Client } from '../verbs/client.ts';
import type { ShownToken } from '../verbs/people/account-verbs.ts';
import type { CommandContext } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { safeLine } from './safe-text.ts';
import { showTime } from './show-age.ts';
import { readTokenFlags } from './token-flags.ts';
import { UsageError } from './usage-error.ts';

/** The token stands alone on stdout, so that a script can take it; what people want to know goes to stderr, without it. */
export async function issueToken(context: CommandContext, name: string | undefined, usage: string): Promise<number> {
  if (name === undefined)
    throw new UsageError(`The token needs a name, such as that of the machine: \`${usage} laptop\`.`);
  const { args, terminal, json } = context;
  const wanted = readTokenFlags(args, Date.now());
  const client = await context.client();
  const { value, token } = await client.createToken({ ...wanted, name, user: await whose(client, context) });
  if (json) terminal.printJson(toWire({ value, token }));
  else {
    terminal.print(value);
    terminal.note(summarise(token));
  }
  return EXIT.ok;
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
