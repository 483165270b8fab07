import { SCOPES, type Scope } from '../model/caller.ts';
import type { NewTokenInput } from '../server/local-accounts.ts';
import type { Flag } from './command.ts';
import type { Arguments } from './read-arguments.ts';
import { UsageError } from './usage-error.ts';

/** Short names for what tokens are made for. */
const ROLE_SCOPES: Record<string, readonly Scope[]> = {
  person: ['read', 'write', 'admin'],
  ai: ['read', 'write'],
  reader: ['read'],
};
const UNITS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

export const TOKEN_FLAGS: readonly Flag[] = [
  {
    name: 'user',
    value: 'ID',
    description: 'Whose it is; made if nobody has this id. The owner where nothing is said.',
  },
  { name: 'email', value: 'EMAIL', description: 'Whose it is, by email; made if nobody has it.' },
  {
    name: 'scopes',
    value: 'SCOPE,…',
    many: true,
    description: `What it may do: ${SCOPES.join(', ')}. read,write where nothing is said.`,
  },
  {
    name: 'role',
    value: 'ROLE',
    choices: Object.keys(ROLE_SCOPES),
    description: 'Scopes by what it is for: person (everything), ai (read, write), reader (read).',
  },
  {
    name: 'expires',
    value: 'TIME',
    description: 'How long it holds: 12h, 30d, 8w, or a date. Until revoked where nothing is said.',
  },
  { name: 'team', value: 'TEAM', description: 'It opens this team and nothing else.' },
  {
    name: 'agent',
    value: 'NAME',
    description: 'What is written with it bears this agent label, whatever the client says.',
  },
];

/** What the flags say about a new token, but for whose it is. */
export function readTokenFlags(args: Arguments, now: number): Omit<NewTokenInput, 'name' | 'user'> {
  const scopes = readScopes(args);
  const [expires, team, agent] = [args.text('expires'), args.text('team'), args.text('agent')];
  return {
    ...(scopes === undefined ? {} : { scopes }),
    ...(expires === undefined ? {} : { expiresAt: readExpiry(expires, now) }),
    ...(team === undefined ? {} : { team }),
    ...(agent === undefined ? {} : { agent }),
  };
}

function readScopes(args: Arguments): readonly Scope[] | undefined {
  const [role, given] = [args.text('role'), args.list('scopes')];
  if (role !== undefined && given !== undefined)
    throw new UsageError('--role and --scopes say the same thing in two ways.', 'Give one of them.');
  if (role !== undefined) return ROLE_SCOPES[role];
  return given?.map((name) => {
    const scope = SCOPES.find((known) => known === name);
    if (scope === undefined)
      throw new UsageError(`There is no scope "${name}".`, `The scopes are ${SCOPES.join(', ')}.`);
    return scope;
  });
}

export function readExpiry(text: string, now: number): number {
  const [, count, unit] = /^(\d{1,6})([mhdw])$/.exec(text.trim()) ?? [];
  if (count !== undefined && Number(count) > 0) return now + Number(count) * UNITS[unit!]!;
  const date = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (date > now) return date;
  throw new UsageError(`--expires is "${text}", but must be a time to come, such as 12h, 30d, 8w or 2030-01-31.`);
}
