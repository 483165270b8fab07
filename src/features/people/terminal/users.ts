import { confirm, readPassword } from '../../../cli/ask.ts';
import type { CommandContext } from '../../../cli/command.ts';
import { EXIT, UsageError } from '../../../cli/report-error.ts';
import { safeLine, showCount, showTime } from '../../../cli/safe-text.ts';
import { showTable } from '../../../cli/show-table.ts';
import type { User } from '../../../model/identity.ts';

const VERBS = { ls: list, add, suspend: setSuspended(true), resume: setSuspended(false), rm: remove, passwd } as const;

export async function users(context: CommandContext): Promise<number | undefined> {
  const [verb = 'ls', who, ...more] = context.args.words;
  const work = Object.hasOwn(VERBS, verb) ? VERBS[verb as keyof typeof VERBS] : undefined;
  if (work === undefined)
    throw new UsageError(
      `There is no \`ltm users ${safeLine(verb)}\`.`,
      `The subcommands are: ${Object.keys(VERBS).join(', ')}.`,
    );
  if (more.length > 0) throw new UsageError(`\`ltm users ${verb}\` takes one person.`);
  return (await work(context, who)) ?? undefined;
}

async function list({ terminal, answer, client }: CommandContext): Promise<void> {
  const { users: found } = await (await client()).listUsers({});
  answer({ users: found }, () => {
    if (found.length === 0)
      terminal.note('There are no people yet. `ltm server init` creates the owner, `ltm users add` adds others.');
    else showTable([['NAME', 'ID', 'EMAIL', 'SINCE', 'STATE'], ...found.map(rowOf)], terminal);
  });
}

async function add({ args, answer, client }: CommandContext, id: string | undefined): Promise<void> {
  const [email, name] = [args.text('email'), args.text('name')];
  if (id === undefined && email === undefined && name === undefined)
    throw new UsageError('Say who it is: `ltm users add --email ada@example.org --name Ada`.');
  const again = args.isOn('again') || undefined;
  const { user, created } = await (await client()).addUser({ id, email, name, again });
  const next = `\`ltm tokens create NAME --user ${safeLine(user.id)}\` gives them a token.`;
  answer({ user, created }, created ? `Added ${named(user)}. ${next}` : `${named(user)} was here already.`);
}

function setSuspended(suspended: boolean): typeof add {
  return async ({ answer, client }, who) => {
    const { user } = await (await client()).suspendUser({ user: need(who), suspended });
    answer({ user }, `${named(user)} ${suspended ? 'is suspended and has no access' : 'has access again'}.`);
  };
}

async function remove({ args, terminal, answer, client }: CommandContext, who: string | undefined): Promise<number> {
  const user = need(who);
  const purge = args.isOn('purge');
  const verbs = await client();
  const question = async () => {
    const found = await verbs.removeUser({ user, purge, dryRun: true });
    if (found === undefined) return null;
    const { stored, name } = found;
    const theirs =
      stored && `${showCount(stored.own, 'record')} of their own and ${stored.inTeams} that they stored in teams`;
    return `Remove ${safeLine(name)} with tokens, password, memberships and public links${theirs === null ? '' : `, and purge ${theirs} for good`}?`;
  };
  if (!(await confirm(question, { args, terminal, what: 'removing a person' }))) return EXIT.refused;
  const removed = await verbs.removeUser({ user, purge });
  const { own = 0, inTeams = 0 } = removed?.stored ?? {};
  const left = purge
    ? `Purged ${showCount(own, 'record')} of their own and ${inTeams} that they stored in teams.`
    : `Their memories stay; \`ltm users rm ${safeLine(user)} --purge\` removes them.`;
  answer(
    { removed: user, ...(purge && { purged: { own, inTeams } }) },
    `Removed ${safeLine(user)}, with tokens, password, memberships and public links. ${left}`,
  );
  return EXIT.ok;
}

async function passwd({ args, terminal, answer, client }: CommandContext, who: string | undefined): Promise<void> {
  const user = need(who);
  const password = args.isOn('remove') ? null : await readPassword(terminal);
  await (await client()).setPassword({ user, password });
  const done = password === null ? 'removed' : 'set';
  answer({ user, password: done }, `The password is ${done}.`);
}

function need(who: string | undefined): string {
  if (who === undefined) throw new UsageError('Give a user id or an email. `ltm users ls` shows them.');
  return who;
}

function rowOf({ name, id, email, createdAt, suspendedAt }: User): string[] {
  const state = suspendedAt === null ? 'active' : 'suspended';
  return [safeLine(name), safeLine(id), safeLine(email ?? ''), showTime(createdAt), state];
}

function named({ name, id }: User): string {
  return name === id ? safeLine(id) : `${safeLine(name)} (${safeLine(id)})`;
}

export async function audit({ args, terminal, answer, client }: CommandContext): Promise<void> {
  const page = await (await client()).listAudit({
    team: args.text('team'),
    cursor: args.text('cursor'),
    limit: args.number('limit', { min: 1, max: 500 }),
  });
  answer(page, () => {
    const rows = page.entries.map(({ at, actor, op, subject }) => [
      showTime(at),
      safeLine(actor),
      op,
      safeLine(subject),
    ]);
    if (rows.length === 0) terminal.note('There are no changes to people, teams or tokens.');
    else showTable([['WHEN', 'WHO', 'WHAT', 'TO'], ...rows], terminal);
    if (page.cursor !== null) terminal.note(`More: \`ltm audit --cursor ${page.cursor}\`.`);
  });
}
