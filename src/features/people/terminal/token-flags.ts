import type { Flag } from '../../../cli/command.ts';
import type { Arguments } from '../../../cli/read-arguments.ts';
import { UsageError } from '../../../cli/report-error.ts';
import { SCOPES, type Scope } from '../../../model/caller.ts';
import { readExactTime } from '../../../model/read-exact-time.ts';
import type { InputOf } from '../../../verbs/verb.ts';
import type { ACCOUNT_VERBS } from '../verbs/account-verbs.ts';

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
    description: 'The person it belongs to, by id; added if new, refused if removed. Default: the owner.',
  },
  {
    name: 'email',
    value: 'EMAIL',
    description: 'The person it belongs to, by email; added if new, refused if removed.',
  },
  {
    name: 'scopes',
    value: 'SCOPE,…',
    many: true,
    description: `Its scopes: ${SCOPES.join(', ')}. Default: read,write.`,
  },
  {
    name: 'role',
    value: 'ROLE',
    choices: Object.keys(ROLE_SCOPES),
    description: 'A preset of scopes: person (everything), ai (read, write), reader (read).',
  },
  { name: 'expires', value: 'TIME', description: 'When it expires: 12h, 30d, 8w, or a date. Default: never.' },
  { name: 'team', value: 'TEAM', description: 'Restrict it to this team.' },
  {
    name: 'agent',
    value: 'NAME',
    description: 'Agent label of everything written with it, whatever the client sends.',
  },
  { name: 'workspace', value: 'ID', description: 'The only workspace it can change.' },
];

/** What the flags say about a new token, but for whose it is. */
export function readTokenFlags(
  args: Arguments,
  now: number,
): Omit<InputOf<(typeof ACCOUNT_VERBS)['createToken']>, 'name' | 'user'> {
  const scopes = readScopes(args);
  const [expires, team, agent, workspace] = ['expires', 'team', 'agent', 'workspace'].map((name) => args.text(name));
  return { scopes, expiresAt: expires === undefined ? undefined : readExpiry(expires, now), team, agent, workspace };
}

function readScopes(args: Arguments): readonly Scope[] | undefined {
  const [role, given] = [args.text('role'), args.list('scopes')];
  if (role !== undefined && given !== undefined)
    throw new UsageError('--role and --scopes cannot be combined.', 'Give one of them.');
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
  const date = readExactTime(text);
  if (date !== null && date > now) return date;
  throw new UsageError(`--expires is "${text}", but must be a time in the future, such as 12h, 30d, 8w or 2030-01-31.`);
}
