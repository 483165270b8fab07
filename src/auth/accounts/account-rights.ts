import { type Action, authorize, isOperator as isOperatingCaller } from '../../engine/authorize.ts';
import type { Clock, Log } from '../../engine/ports.ts';
import type { Caller, Scope } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { IdentityChange, IdentityConflict, Membership, Team, UserId } from '../../model/identity.ts';
import { type Accounts, type Asker, OPERATOR } from '../accounts.ts';
import type { PasswordHasher } from '../password-hash.ts';
import type { AuthStore, IdentityChanges } from '../ports.ts';
import type { LoginLimit } from '../token-buckets.ts';

/** What the verbs of Accounts work with. */
export interface AccountPorts {
  identity: AuthStore;
  clock: Clock;
  log: Log;
  passwords: PasswordHasher;
  logins: LoginLimit;
}

/** Each verb of Accounts, made when it is known what it works with. */
export type AccountVerbs = { [Name in keyof Accounts]: (ports: AccountPorts) => Accounts[Name] };

// Beside `authorize`, not in its table: what concerns people hangs on the person and the credential, whichever space a call is about.

/** As the audit log names them. */
function actorOf(asker: Asker): string {
  return asker === OPERATOR ? OPERATOR : asker.userId;
}

/** Whoever runs the server: at its machine, or from afar. */
export function isOperator(asker: Asker): boolean {
  return asker === OPERATOR || isOperatingCaller(asker);
}

export function demandOperator(asker: Asker, what: string): void {
  if (isOperator(asker)) return;
  throw new EngineError('forbidden', `Only the operator of the server may ${what}.`, {
    hint: 'Run `ltm` on the server machine, or use the owner’s token.',
  });
}

export function demandScope(asker: Asker, scope: Scope): void {
  if (asker === OPERATOR || (asker.scopes.has(scope) && asker.powers === undefined)) return;
  throw new EngineError('forbidden', 'This credential may not change accounts.', {
    hint: `Use a token that has the scope "${scope}".`,
    details: { scope },
  });
}

/** For what concerns the person and not one team: a credential that opens a team alone is not enough. */
export function demandPerson(asker: Caller, what: string): void {
  if (ownsItself(asker)) return;
  throw new EngineError('forbidden', `A token bound to a team may not ${what}.`, {
    hint: 'Use a token of your own that is not bound to a team.',
  });
}

/**
 * Tokens outlive what made them, so a program that a person let in for a while, or a line in a file, cannot make or revoke them,
 * unless the person gave it the scope admin.
 */
export function demandTokenRights(asker: Asker): void {
  if (asker === OPERATOR) return;
  demandScope(asker, 'write');
  if (asker.credential === undefined || asker.credential.kind === 'personal' || asker.scopes.has('admin')) return;
  throw new EngineError('forbidden', 'This credential may not create or revoke tokens.', {
    hint: 'Use a personal token, or sign in with the scope "admin".',
  });
}

export function ownsItself({ roles, userId }: { roles: Caller['roles']; userId: UserId }): boolean {
  return roles.get(userId) === 'owner';
}

/** All of it, or the conflict for the caller to explain. */
export async function tryChanges(
  identity: IdentityChanges,
  asker: Asker,
  changes: readonly IdentityChange[],
): Promise<IdentityConflict | null> {
  const result = await identity.changeIdentity(changes, actorOf(asker));
  return result.outcome === 'changed' ? null : result.conflict;
}

/** For changes whose conditions have just been checked: a conflict means that somebody else was faster. */
export async function applyChanges(
  identity: IdentityChanges,
  asker: Asker,
  changes: readonly IdentityChange[],
): Promise<void> {
  const conflict = await tryChanges(identity, asker, changes);
  if (conflict === null) return;
  if (conflict.reason === 'removed')
    throw new EngineError('not_found', 'This person was removed.', { hint: '`ltm users ls` lists people.' });
  throw new EngineError('conflict', 'It has changed in the meantime.', {
    hint: 'Check the current state, then try again.',
    details: { reason: conflict.reason },
  });
}

/** The team, if the asker is in it and may do this there. A team of others and one that does not exist look the same. */
export async function needTeam(
  { identity }: Pick<AccountPorts, 'identity'>,
  asker: Caller,
  { name, action }: { name: string; action: Action },
): Promise<Membership & { team: Team }> {
  const memberships = await identity.listMemberships(asker.userId);
  const found = memberships.find(({ team }) => team.name === name) ?? memberships.find(({ teamId }) => teamId === name);
  if (found === undefined || !isOpenTo(asker, found.teamId))
    throw new EngineError('not_found', 'team not found', { hint: '`ltm teams ls` shows the teams you are in.' });
  const roles = new Map([[found.teamId, found.role]]);
  authorize({ ...asker, space: found.teamId, spaces: [found.teamId], roles }, action, found.teamId);
  return found;
}

/** A credential bound to one team opens no other. */
export function isOpenTo(asker: Caller, teamId: string): boolean {
  return ownsItself(asker) || asker.roles.has(teamId);
}
