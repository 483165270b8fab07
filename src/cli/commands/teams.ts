import { toIsoSeconds } from '../../model/instant.ts';
import { nearestName } from '../../model/nearest-name.ts';
import { toWire } from '../../model/wire.ts';
import type { Client } from '../../verbs/client.ts';
import { GIVEN_ROLES, type GivenRole } from '../../verbs/people/team-verbs.ts';
import { ask } from '../ask.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { showColumns } from '../packets/show-columns.ts';
import { safeLine } from '../safe-text.ts';
import { UsageError } from '../usage-error.ts';

interface Step {
  /** What must follow its name. */
  needs: readonly string[];
  /** A sentence for a person; null where it has shown its result itself. */
  run(context: CommandContext, client: Client, words: readonly string[]): Promise<string | null>;
}

const STEPS: Readonly<Record<string, Step>> = {
  create: {
    needs: ['TEAM'],
    async run({ json, terminal }, client, [name]) {
      const made = await client.createTeam({ name: name! });
      if (!json) return `created team ${made.team.name}`;
      terminal.printJson(toWire(made));
      return null;
    },
  },
  rm: { needs: ['TEAM'], run: remove },
  ls: { needs: [], run: list },
  members: { needs: ['TEAM'], run: listMembers },
  leave: {
    needs: ['TEAM'],
    async run(_, client, [team]) {
      await client.leaveTeam({ team: team! });
      return `left team ${team}`;
    },
  },
  transfer: {
    needs: ['TEAM', 'USER'],
    async run(_, client, [team, to]) {
      await client.transferTeam({ team: team!, to: to! });
      return `team ${team} belongs to ${to} now`;
    },
  },
  remove: {
    needs: ['TEAM', 'USER'],
    async run(_, client, [team, user]) {
      await client.removeMember({ team: team!, user: user! });
      return `removed ${user} from team ${team}`;
    },
  },
  role: {
    needs: ['TEAM', 'USER', 'ROLE'],
    async run(_, client, [team, user, role]) {
      await client.setRole({ team: team!, user: user!, role: readRole(role!) });
      return `${user} is ${role} of team ${team} now`;
    },
  },
};

export async function run(context: CommandContext): Promise<number> {
  const [name = 'ls', ...words] = context.args.words;
  const step = Object.hasOwn(STEPS, name) ? STEPS[name] : undefined;
  if (step === undefined) {
    const nearest = nearestName(name, Object.keys(STEPS));
    throw new UsageError(
      `\`ltm teams\` cannot "${name}".`,
      nearest === null ? '`ltm help teams` shows what it can.' : `Did you mean \`ltm teams ${nearest}\`?`,
    );
  }
  if (words.length < step.needs.length)
    throw new UsageError(
      `\`ltm teams ${name}\` needs ${step.needs.join(' and ')}.`,
      '`ltm teams ls` shows your teams.',
    );
  if (words.length > step.needs.length)
    throw new UsageError(`\`ltm teams ${name}\` does not know what to do with "${words[step.needs.length]}".`);
  if (name === 'rm' && !(await isWanted(context, words[0]!))) return EXIT.refused;
  const sentence = await step.run(context, await context.client(), words);
  if (sentence !== null) context.terminal.print(safeLine(sentence));
  return EXIT.ok;
}

async function isWanted({ args, terminal }: CommandContext, team: string): Promise<boolean> {
  if (!terminal.isInteractive || args.isOn('yes')) return true;
  return ask(`Delete the team ${safeLine(team)} with everything its members saved in it?`, terminal);
}

async function remove(_: CommandContext, client: Client, [team]: readonly string[]): Promise<string> {
  await client.deleteTeam({ team: team! });
  return `deleted team ${team}`;
}

async function list({ terminal, json }: CommandContext, client: Client): Promise<null> {
  const found = await client.listTeams({});
  if (json) {
    terminal.printJson(toWire(found));
    return null;
  }
  const rows = found.teams.map(({ name, createdAt, ownerId }) =>
    [name, toIsoSeconds(createdAt), ownerId].map(safeLine),
  );
  showColumns([['NAME', 'CREATED', 'OWNER'], ...rows], terminal);
  if (rows.length === 0) terminal.note('You are in no team. `ltm teams create NAME` makes one.');
  return null;
}

async function listMembers(
  { terminal, json }: CommandContext,
  client: Client,
  [team]: readonly string[],
): Promise<null> {
  const found = await client.listMembers({ team: team! });
  if (json) {
    terminal.printJson(toWire(found));
    return null;
  }
  const rows = found.members.map(({ name, role, joinedAt, userId }) =>
    [name, role, toIsoSeconds(joinedAt), userId].map(safeLine),
  );
  showColumns([['DISPLAY', 'ROLE', 'JOINED', 'USER'], ...rows], terminal);
  return null;
}

function readRole(word: string): GivenRole {
  const role = GIVEN_ROLES.find((one) => one === word);
  if (role !== undefined) return role;
  throw new UsageError(`There is no role "${word}" to give.`, `It is one of ${GIVEN_ROLES.join(', ')}.`);
}
