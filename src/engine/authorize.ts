import type { Caller, Scope } from '../model/caller.ts';
import { EngineError } from '../model/errors.ts';
import type { SpaceId } from '../model/ids.ts';

const MEANING: Record<Scope, string> = {
  read: 'read memories',
  write: 'change memories',
  admin: 'purge, repair or import',
};

/**
 * May this caller do this here? The only place that asks.
 * A space that is not the caller's and one that does not exist look the same.
 */
export function authorize(caller: Caller, action: Scope, space: SpaceId): void {
  if (!caller.spaces.includes(space)) throw new EngineError('not_found', 'There is no such space.');
  if (caller.scopes.has(action)) return;
  throw new EngineError('forbidden', `This credential may not ${MEANING[action]}.`, {
    hint: `Use a token that has the scope "${action}".`,
    details: { scope: action },
  });
}
