import type { User } from '../../model/identity.ts';
import { toIsoOrNull } from '../../model/instant.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { readPassword } from '../read-password.ts';
import { safeLine } from '../safe-text.ts';
import { showTime } from '../show-age.ts';
import { showWords } from '../show-table.ts';
import { UsageError } from '../usage-error.ts';
import { withAccounts } from '../with-accounts.ts';

const VERBS = { ls: list, add, suspend: setSuspended(true), resume: setSuspended(false), rm: remove, passwd } as const;

export async function run(context: CommandContext): Promise<number> {
  const [verb = 'ls', who, ...more] = context.args.words;
  const work = Object.hasOwn(VERBS, verb) ? VERBS[verb as keyof typeof VERBS] : undefined;
  if (work === undefined)
    throw new UsageError(
      `There is no \`ltm users ${safeLine(verb)}\`.`,
      `It is one of: ${Object.keys(VERBS).join(', ')}.`,
    );
  if (more.length > 0) throw new UsageError(`\`ltm users ${verb}\` takes one person.`);
  return work(context, who);
}

async function list(context: CommandContext): Promise<number> {
  const { terminal, json } = context;
  const users = await withAccounts(context, ({ accounts, asker }) => accounts.listUsers(asker));
  if (json) terminal.printJson({ users: users.map(describeUser) });
  else if (users.length === 0)
    terminal.note('There is nobody yet. `ltm server init` makes the owner, `ltm users add` others.');
  else showWords(['NAME', 'ID', 'EMAIL', 'SINCE', 'STATE'], users.map(rowOf), terminal);
  return EXIT.ok;
}

async function add(context: CommandContext, id: string | undefined): Promise<number> {
  const [email, name] = [context.args.text('email'), context.args.text('name')];
  if (id === undefined && email === undefined && name === undefined)
    throw new UsageError('Say who it is: `ltm users add --email ada@example.org --name Ada`.');
  const wanted = {
    ...(id === undefined ? {} : { id }),
    ...(email === undefined ? {} : { email }),
    ...(name === undefined ? {} : { name }),
  };
  const { user, created } = await withAccounts(context, ({ accounts, asker }) => accounts.ensureUser(asker, wanted));
  const next = `\`ltm tokens create NAME --user ${safeLine(user.id)}\` gives them a token.`;
  return report(
    context,
    { user: describeUser(user), created },
    created ? `Added ${named(user)}. ${next}` : `${named(user)} was here already.`,
  );
}

function setSuspended(suspended: boolean): typeof add {
  return async (context, who) => {
    const user = await withAccounts(context, ({ accounts, asker }) =>
      accounts.suspendUser(asker, need(who), suspended),
    );
    return report(
      context,
      { user: describeUser(user) },
      suspended
        ? `${named(user)} is suspended: no credential of theirs is accepted.`
        : `${named(user)} is let in again.`,
    );
  };
}

async function remove(context: CommandContext, who: string | undefined): Promise<number> {
  const ref = need(who);
  await withAccounts(context, ({ accounts, asker }) => accounts.removeUser(asker, ref));
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
  await withAccounts(context, ({ accounts, asker }) => accounts.setPassword(asker, ref, password));
  return report(
    context,
    { user: ref, password: isRemoved ? 'removed' : 'set' },
    isRemoved ? 'The password is removed.' : 'The password is set.',
  );
}

function need(who: string | undefined): string {
  if (who === undefined) throw new UsageError('Who? `ltm users ls` shows ids and emails.');
  return who;
}

function report({ json, terminal }: CommandContext, result: object, sentence: string): number {
  if (json) terminal.printJson(result);
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

function describeUser({ id, name, email, createdAt, suspendedAt }: User): Record<string, unknown> {
  return { id, name, email, created_at: toIsoOrNull(createdAt), suspended_at: toIsoOrNull(suspendedAt) };
}
