import { EngineError } from '../../model/errors.ts';
import type { IdentityChange, IdentityConflict } from '../../model/identity.ts';
import type { Asker } from '../accounts.ts';
import type { IdentityStore } from '../ports.ts';
import { actorOf } from './account-rights.ts';

/** All of it, or the conflict for the caller to explain. */
export async function tryChanges(
  identity: IdentityStore,
  asker: Asker,
  changes: readonly IdentityChange[],
): Promise<IdentityConflict | null> {
  const result = await identity.changeIdentity(changes, actorOf(asker));
  return result.outcome === 'changed' ? null : result.conflict;
}

/** For changes whose conditions have just been checked: a conflict means that somebody else was faster. */
export async function applyChanges(
  identity: IdentityStore,
  asker: Asker,
  changes: readonly IdentityChange[],
): Promise<void> {
  const conflict = await tryChanges(identity, asker, changes);
  if (conflict === null) return;
  throw new EngineError('conflict', 'It has changed meanwhile.', {
    hint: 'Look again, then try once more.',
    details: { reason: conflict.reason },
  });
}
