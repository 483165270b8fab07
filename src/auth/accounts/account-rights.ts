import { type Caller, OWNER_USER, type Scope } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { UserId } from '../../model/identity.ts';
import { type Asker, OPERATOR } from '../accounts.ts';

// Beside `authorize`, not in its table: what concerns people hangs on the person and the credential, whichever space a call is about.

/** As the audit log names them. */
export function actorOf(asker: Asker): string {
  return asker === OPERATOR ? OPERATOR : asker.userId;
}

/** Whoever runs the server: at its machine, or from afar with an admin token of the owner's. */
export function isOperator(asker: Asker): boolean {
  return asker === OPERATOR || (asker.userId === OWNER_USER && asker.scopes.has('admin') && ownsItself(asker));
}

export function demandOperator(asker: Asker, what: string): void {
  if (isOperator(asker)) return;
  throw new EngineError('forbidden', `Only the operator of the server may ${what}.`, {
    hint: 'Run `ltm` on the machine of the server, or use the owner’s token.',
  });
}

export function demandScope(asker: Asker, scope: Scope): void {
  if (asker === OPERATOR || asker.scopes.has(scope)) return;
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
  throw new EngineError('forbidden', 'This credential may not make or revoke tokens.', {
    hint: 'Use a personal token, or sign in with the scope "admin".',
  });
}

export function ownsItself({ roles, userId }: { roles: Caller['roles']; userId: UserId }): boolean {
  return roles.get(userId) === 'owner';
}
