import { confirm } from '../../../cli/ask.ts';
import type { CommandContext } from '../../../cli/command.ts';
import { EXIT, UsageError } from '../../../cli/report-error.ts';
import { safeLine } from '../../../cli/safe-text.ts';
import { showTable } from '../../../cli/show-table.ts';
import { toIsoSeconds } from '../../../model/instant.ts';
import { nearestName } from '../../../model/nearest-name.ts';
import type { Client } from '../../../verbs/client.ts';
import { GIVEN_ROLES, type GivenRole } from '../verbs/team-verbs.ts';

/** What must follow each word. */
const NEEDS = {
  create: ['TEAM'],
  rm: ['TEAM'],
  ls: [],
  members: ['TEAM'],
  leave: ['TEAM'],
  transfer: ['TEAM', 'USER'],
  remove: ['TEAM', 'USER'],
  role: ['TEAM', 'USER', 'ROLE'],
} as const satisfies Record<string, readonly string[]>;
type Step = keyof typeof NEEDS;

export async function teams(context: CommandContext): Promise<number> {
  const [name = 'ls', ...words] = context.args.words;
  const known = Object.keys(NEEDS) as Step[];
  const step = known.find((one) => one === name);
  if (step === undefined) {
    const nearest = nearestName(name, known);
    throw new UsageError(
      `\`ltm teams\` has no subcommand "${name}".`,
      nearest === null ? '`ltm help teams` lists the subcommands.' : `Did you mean \`ltm teams ${nearest}\`?`,
    );
  }
  const needs = NEEDS[step];
  if (words.length < needs.length)
    throw new UsageError(`\`ltm teams ${name}\` needs ${needs.join(' and ')}.`, '`ltm teams ls` shows your teams.');
  if (words.length > needs.length)
    throw new UsageError(`\`ltm teams ${name}\` got an unexpected argument: "${words[needs.length]}".`);
  if (step === 'rm' && !(await isWanted(context, words[0]!))) return EXIT.refused;
  const sentence = await act(step, context, words);
  if (sentence !== null) context.terminal.print(safeLine(sentence));
  return EXIT.ok;
}

/** A sentence for a person; null where it has answered itself. */
async function act(step: Step, context: CommandContext, words: readonly string[]): Promise<string | null> {
  const client = await context.client();
  const [team = '', user = '', role = ''] = words;
  switch (step) {
    case 'ls':
      return list(context, client);
    case 'members':
      return listMembers(context, client, team);
    case 'create': {
      const made = await client.createTeam({ name: team });
      context.answer(made, safeLine(`created team ${made.team.name}`));
      return null;
    }
    case 'rm':
      await client.deleteTeam({ team });
      return `deleted team ${team}`;
    case 'leave':
      await client.leaveTeam({ team });
      return `left team ${team}`;
    case 'transfer':
      await client.transferTeam({ team, to: user });
      return `team ${team} belongs to ${user} now`;
    case 'remove':
      await client.removeMember({ team, user });
      return `removed ${user} from team ${team}`;
    case 'role':
      await client.setRole({ team, user, role: readRole(role) });
      return `${user} is ${role} of team ${team} now`;
  }
}

function isWanted({ args, terminal }: CommandContext, team: string): Promise<boolean> {
  const question = async () => `Delete the team ${safeLine(team)} with everything its members saved in it?`;
  return confirm(question, { args, terminal, what: 'deleting a team' });
}

async function list({ terminal, answer }: CommandContext, client: Client): Promise<null> {
  const found = await client.listTeams({});
  answer(found, () => {
    const rows = found.teams.map(({ name, createdAt, ownerId }) => [name, toIsoSeconds(createdAt), ownerId]);
    showTable([['NAME', 'CREATED', 'OWNER'], ...rows.map((row) => row.map(safeLine))], terminal, { isPlain: true });
    if (rows.length === 0) terminal.note('You are not in any team. `ltm teams create NAME` creates one.');
  });
  return null;
}

async function listMembers({ terminal, answer }: CommandContext, client: Client, team: string): Promise<null> {
  const found = await client.listMembers({ team });
  // the packet program's word for a name, which scripts that know it read
  const members = found.members.map((member) => ({ ...member, display: member.name }));
  answer({ members }, () => {
    const rows = found.members.map(({ name, role, joinedAt, userId }) =>
      [name, role, toIsoSeconds(joinedAt), userId].map(safeLine),
    );
    showTable([['DISPLAY', 'ROLE', 'JOINED', 'USER'], ...rows], terminal, { isPlain: true });
  });
  return null;
}

function readRole(word: string): GivenRole {
  const role = GIVEN_ROLES.find((one) => one === word);
  if (role !== undefined) return role;
  throw new UsageError(`There is no role "${word}" to give.`, `It is one of ${GIVEN_ROLES.join(', ')}.`);
}

export async function invite({ args, terminal, answer, client }: CommandContext): Promise<void> {
  const team = args.text('team');
  if (team === undefined)
    throw new UsageError('`ltm invite` needs a team: --team NAME.', '`ltm teams ls` shows your teams.');
  const made = await (await client()).createInvite({ team });
  answer(made, () => {
    terminal.print(safeLine(made.url));
    terminal.note(`expires: ${toIsoSeconds(made.expiresAt)}`);
  });
}
