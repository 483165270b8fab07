import type { User } from '../../model/identity.ts';
import { toWire } from '../../model/wire.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { readPassword } from '../read-password.ts';
import { safeLine } from '../safe-text.ts';
import { showTime } from '../show-age.ts';
import { showWords } from '../show-table.ts';
import { UsageError } from '../usage-error.ts';

const VERBS = { ls: list, add, suspend: setSuspended(true), resume: setSuspended(false), rm: remove, passwd } as const;

export async function run(context: CommandContext): Promise<number> {
  const [verb = 'ls', who, ...more] = context.args.words;
  const work = Object.hasOwn(VERBS, verb) ? VERBS[verb as keyof typeof VERBS] : undefined;
  if (work === undefined)
    throw new UsageError(
      `There is no \`ltm users ${safeLine(verb)}\`.`,
      `The subcommands are: ${Object.keys(VERBS).join(', ')}.`,
    );
  if (more.length > 0) throw new UsageError(`\`ltm users ${verb}\` takes one person.`);
  return work(context, who);
}

async function list(context: CommandContext): Promise<number> {
  const { terminal, json } = context;
  const { users } = await (await context.client()).listUsers({});
  if (json) terminal.printJson(toWire({ users }));
  else if (users.length === 0)
    terminal.note('There are no people yet. `ltm server init` creates the owner, `ltm users add` adds others.');
  else showWords(['NAME', 'ID', 'EMAIL', 'SINCE', 'STATE'], users.map(rowOf), terminal);
  return EXIT.ok;
}

async function add(context: CommandContext, id: string | undefined): Promise<number> {
  const [email, name] = [context.args.text('email'), context.args.text('name')];
  if (id === undefined && email === undefined && name === undefined)
    throw new UsageError('Say who it is: `ltm users add --email ada@example.org --name Ada`.');
  const { user, created } = await (await context.client()).addUser({ id, email, name });
  const next = `\`ltm tokens create NAME --user ${safeLine(user.id)}\` gives them a token.`;
  return report(
    context,
    { user, created },
    created ? `Added ${named(user)}. ${next}` : `${named(user)} was here already.`,
  );
}

function setSuspended(suspended: boolean): typeof add {
  return async (context, who) => {
    const { user } = await (await context.client()).suspendUser({ user: need(who), suspended });
    return report(
      context,
      { user },
      suspended ? `${named(user)} is suspended and has no access.` : `${named(user)} has access again.`,
    );
  };
}

async function remove(context: CommandContext, who: string | undefined): Promise<number> {
  const ref = need(who);
  await (await context.client()).removeUser({ user: ref });
  return report(
    context,
    { removed: ref },
    `Removed ${safeLine(ref)}, with tokens, password and memberships. Their memories stay until they are purged.`,
  );
}

async function passwd(context: CommandContext, who: string | undefined): Promise<number> {
  const ref = need(who);
  const isRemoved = context.args.isOn('remove');
  const password = isRemoved ? null : await readPassword(context.terminal);
  await (await context.client()).setPassword({ user: ref, password });
  return report(
    context,
    { user: ref, password: isRemoved ? 'removed' : 'set' },
    isRemoved ? 'The password is removed.' : 'The password is set.',
  );
}

function need(who: string | undefined): string {
  if (who === undefined) throw new UsageError('Give a user id or an email. `ltm users ls` shows them.');
  return who;
}

function report({ json, terminal }: CommandContext, result: object, sentence: string): number {
  if (json) terminal.printJson(toWire(result));
  else terminal.print(sentence);
  return EXIT.ok;
}

function rowOf(user: User): string[] {
  return [
    safeLine(user.name),
    safeLine(user.id),
    safeLine(user.email ?? ''),
    showTime(user.createdAt),
    user.suspendedAt === null ? 'active' : 'suspended',
  ];
}

function named({ name, id }: User): string {
  return name === id ? safeLine(id) : `${safeLine(name)} (${safeLine(id)})`;
}
