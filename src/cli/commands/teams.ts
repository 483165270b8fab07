import { nearestName } from '../../model/nearest-name.ts';
import type { PacketHost } from '../../server/local-host.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { ask } from '../packets/ask.ts';
import { callForJson, callHost, needList, pathSegment, readAnswer } from '../packets/call-host.ts';
import { openHost } from '../packets/open-host.ts';
import { showColumns } from '../packets/show-columns.ts';
import { safeJson, safeLine } from '../safe-text.ts';
import { UsageError } from '../usage-error.ts';

type Step = (context: CommandContext, host: PacketHost, words: readonly string[]) => Promise<number>;

interface Verb {
  /** What must follow it. */
  needs: readonly string[];
  run: Step;
}

const VERBS: Readonly<Record<string, Verb>> = {
  create: { needs: ['TEAM'], run: create },
  rm: { needs: ['TEAM'], run: remove },
  ls: { needs: [], run: list },
  members: { needs: ['TEAM'], run: listMembers },
  leave: { needs: ['TEAM'], run: leave },
  transfer: { needs: ['TEAM', 'USER'], run: transfer },
  remove: { needs: ['TEAM', 'USER'], run: removeMember },
  role: { needs: ['TEAM', 'USER', 'ROLE'], run: setRole },
};

export async function run(context: CommandContext): Promise<number> {
  const [name = 'ls', ...words] = context.args.words;
  const verb = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
  if (verb === undefined) {
    const nearest = nearestName(name, Object.keys(VERBS));
    throw new UsageError(
      `\`ltm teams\` cannot "${name}".`,
      nearest === null ? '`ltm help teams` shows what it can.' : `Did you mean \`ltm teams ${nearest}\`?`,
    );
  }
  const missing = verb.needs[words.length];
  if (missing !== undefined)
    throw new UsageError(
      `\`ltm teams ${name}\` needs ${verb.needs.join(' and ')}.`,
      '`ltm teams ls` shows your teams.',
    );
  if (words.length > verb.needs.length)
    throw new UsageError(`\`ltm teams ${name}\` does not know what to do with "${words[verb.needs.length]}".`);
  return verb.run(context, await openHost(context), words);
}

function teamPath(team: string, below = ''): string {
  return `/v1/teams/${pathSegment(team)}${below}`;
}

function asJson(value: object): RequestInit {
  return { method: 'POST', body: JSON.stringify(value), headers: { 'content-type': 'application/json' } };
}

async function create(
  { terminal, json }: CommandContext,
  host: PacketHost,
  [name]: readonly string[],
): Promise<number> {
  const answer = await callForJson<{ team: { name: string } }>(host, '/v1/teams', asJson({ name }));
  if (json) terminal.printJson(answer);
  else terminal.print(`created team ${safeLine(answer.team.name)}`);
  return EXIT.ok;
}

async function remove(
  { args, terminal }: CommandContext,
  host: PacketHost,
  [name]: readonly string[],
): Promise<number> {
  const mayAsk = terminal.isInteractive && !args.isOn('yes');
  if (mayAsk && !(await ask(`Delete the team ${name} with everything its members saved in it?`, terminal)))
    return EXIT.refused;
  await callHost(host, teamPath(name!), { method: 'DELETE' });
  terminal.print(`deleted team ${safeLine(name!)}`);
  return EXIT.ok;
}

async function list({ terminal, json }: CommandContext, host: PacketHost): Promise<number> {
  const body = await (await callHost(host, '/v1/teams')).text();
  if (json) return printBody(terminal, body);
  const teams = needList(readAnswer<{ teams?: { name: string; created_at: string; owner_id: string }[] }>(body).teams);
  showColumns(
    [
      ['NAME', 'CREATED', 'OWNER'],
      ...teams.map(({ name, created_at, owner_id }) => [name, created_at, owner_id].map(safeLine)),
    ],
    terminal,
  );
  if (teams.length === 0) terminal.note('You are in no team. `ltm teams create NAME` makes one.');
  return EXIT.ok;
}

async function listMembers(
  { terminal, json }: CommandContext,
  host: PacketHost,
  [name]: readonly string[],
): Promise<number> {
  const body = await (await callHost(host, teamPath(name!, '/members'))).text();
  if (json) return printBody(terminal, body);
  const members = needList(
    readAnswer<{ members?: { display: string; role: string; joined_at: string; user_id: string }[] }>(body).members,
  );
  const rows = members.map(({ display, role, joined_at, user_id }) =>
    [display, role, joined_at, user_id].map(safeLine),
  );
  showColumns([['DISPLAY', 'ROLE', 'JOINED', 'USER'], ...rows], terminal);
  return EXIT.ok;
}

function printBody(terminal: CommandContext['terminal'], body: string): number {
  terminal.streams.stdout.write(terminal.showsToPerson ? safeJson(body) : body);
  return EXIT.ok;
}

async function leave({ terminal }: CommandContext, host: PacketHost, [name]: readonly string[]): Promise<number> {
  await callHost(host, teamPath(name!, '/leave'), { method: 'POST' });
  terminal.print(`left team ${safeLine(name!)}`);
  return EXIT.ok;
}

async function transfer(
  { terminal }: CommandContext,
  host: PacketHost,
  [name, to]: readonly string[],
): Promise<number> {
  await callHost(host, teamPath(name!, '/transfer'), asJson({ to }));
  terminal.print(`team ${safeLine(name!)} belongs to ${safeLine(to!)} now`);
  return EXIT.ok;
}

async function removeMember(
  { terminal }: CommandContext,
  host: PacketHost,
  [name, user]: readonly string[],
): Promise<number> {
  await callHost(host, teamPath(name!, `/members/${pathSegment(user!)}`), { method: 'DELETE' });
  terminal.print(`removed ${safeLine(user!)} from team ${safeLine(name!)}`);
  return EXIT.ok;
}

async function setRole(
  { terminal }: CommandContext,
  host: PacketHost,
  [name, user, role]: readonly string[],
): Promise<number> {
  await callHost(host, teamPath(name!, `/members/${pathSegment(user!)}`), asJson({ role }));
  terminal.print(`${safeLine(user!)} is ${safeLine(role!)} of team ${safeLine(name!)} now`);
  return EXIT.ok;
}
