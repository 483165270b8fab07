import { type Caller, OWNER_USER, type Scope } from '../model/caller.ts';
import { EngineError } from '../model/errors.ts';
import type { Role } from '../model/identity.ts';
import type { SpaceId } from '../model/ids.ts';

const EVERYBODY: readonly Role[] = ['reader', 'member', 'admin', 'owner'];
const WRITERS: readonly Role[] = ['member', 'admin', 'owner'];
const ADMINS: readonly Role[] = ['admin', 'owner'];
const OWNERS: readonly Role[] = ['owner'];

interface Rule {
  scope: Scope;
  roles: readonly Role[];
  meaning: string;
}

/** Everything that can be asked for, and what it takes: a scope of the credential and a role in the space. */
const RULES = {
  read: { scope: 'read', roles: EVERYBODY, meaning: 'read memories' },
  write: { scope: 'write', roles: WRITERS, meaning: 'change memories' },
  admin: { scope: 'admin', roles: ADMINS, meaning: 'purge, repair or import' },
  raise_trust: { scope: 'write', roles: ADMINS, meaning: 'say that something is to be trusted more' },
  curate: { scope: 'write', roles: ADMINS, meaning: 'change what other members handed in' },
  lift: { scope: 'write', roles: WRITERS, meaning: 'lift a rejection' },
  invite: { scope: 'write', roles: WRITERS, meaning: 'invite people' },
  manage_members: { scope: 'write', roles: ADMINS, meaning: 'change who is in the team' },
  register: { scope: 'write', roles: WRITERS, meaning: 'register workspaces' },
  tend: { scope: 'write', roles: WRITERS, meaning: 'change a workspace' },
  upload: { scope: 'write', roles: WRITERS, meaning: 'upload notes and transcripts' },
  manage_team: { scope: 'write', roles: OWNERS, meaning: 'delete the team or hand it over' },
} satisfies Record<string, Rule>;

export type Action = keyof typeof RULES;

export function scopeOf(action: Action): Scope {
  return RULES[action].scope;
}

/**
 * May this caller do this here? The only place that asks.
 * A space that is not the caller's and one that does not exist look the same.
 */
export function authorize(caller: Caller, action: Action, space: SpaceId): void {
  const role = caller.roles.get(space);
  if (role === undefined || !caller.spaces.includes(space))
    throw new EngineError('not_found', 'There is no such space.');
  const rule: Rule = RULES[action];
  if (caller.powers !== undefined && !caller.powers.has(action))
    throw new EngineError('forbidden', `Not permitted for this token: it may not ${rule.meaning}.`, {
      details: { action },
    });
  if (!caller.scopes.has(rule.scope)) {
    throw new EngineError('forbidden', `This credential may not ${rule.meaning}.`, {
      hint: `Use a token that has the scope "${rule.scope}".`,
      details: { scope: rule.scope },
    });
  }
  if (rule.roles.includes(role)) return;
  throw new EngineError('forbidden', `As ${role} of this team you may not ${rule.meaning}.`, {
    hint: `Ask the team's owner for the role ${rule.roles[0]}.`,
    details: { role, needed: rule.roles[0] ?? null },
  });
}

/**
 * Whether a person asks and not a program: some acts are theirs alone. A person is whoever runs a command at the machine of the database, and whoever
 * comes with a credential that is their own; what a person gave to an agent does not make it one.
 */
export function isPerson({ door, isPerson: isOwnCredential }: Pick<Caller, 'door' | 'isPerson'>): boolean {
  return door === 'cli' || isOwnCredential === true;
}

const BY_PERSON: Partial<Record<Action, string>> = {
  raise_trust: 'ltm edit REF --trust user',
  lift: 'ltm rejected lift ID',
};

export function authorizePerson(caller: Caller, action: Action, space: SpaceId): void {
  authorize(caller, action, space);
  if (isPerson(caller)) return;
  throw new EngineError('forbidden', `Only a person may ${RULES[action].meaning}.`, {
    hint: `A person does it with \`${BY_PERSON[action] ?? 'ltm'}\`.`,
  });
}

/** Whoever runs the server: at its machine, or from afar with an admin token of the owner's that is not bound to a team. */
export function isOperator({ userId, scopes, roles }: Pick<Caller, 'userId' | 'scopes' | 'roles'>): boolean {
  return userId === OWNER_USER && scopes.has('admin') && roles.get(userId) === 'owner';
}

/** The same question where the answer decides between two ways, and no is no failure. */
export function isAllowed(caller: Caller, action: Action, space: SpaceId): boolean {
  const rule: Rule = RULES[action];
  const role = caller.roles.get(space);
  return (
    caller.powers?.has(action) !== false &&
    role !== undefined &&
    caller.spaces.includes(space) &&
    caller.scopes.has(rule.scope) &&
    rule.roles.includes(role)
  );
}
