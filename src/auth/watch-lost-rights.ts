import type { IdentityChange } from '../model/identity.ts';
import type { IdentityStore } from './ports.ts';

/** Changes after which somebody may have fewer rights than before. */
const LOSSES: ReadonlySet<IdentityChange['op']> = new Set([
  'update_user',
  'remove_user',
  'set_password',
  'revoke_token',
  'remove_team',
  'transfer_team',
  'put_member',
  'remove_member',
  'remove_grant',
]);

/** The same store, which tells when this process has taken rights away; what other processes do is found by looking again. */
export function watchLostRights<S extends Pick<IdentityStore, 'changeIdentity'>>(store: S, onLoss: () => void): S {
  return {
    ...store,
    async changeIdentity(changes, actor) {
      const result = await store.changeIdentity(changes, actor);
      if (result.outcome === 'changed' && changes.some(({ op }) => LOSSES.has(op))) onLoss();
      return result;
    },
  } satisfies S;
}
