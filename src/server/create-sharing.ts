import type { AuthStore } from '../auth/ports.ts';
import type { Sharing } from '../engine/ports.ts';
import { EngineError } from '../model/errors.ts';

/** What the engine may know of teams and public addresses. */
export function createSharing(store: Pick<AuthStore, 'findTeam' | 'findLink' | 'changeIdentity'>): Sharing {
  return {
    findTeam: (by) => store.findTeam(by),
    findLink: (sha256) => store.findLink(sha256),
    async addLink(link, actor) {
      const result = await store.changeIdentity([{ op: 'add_link', link }], actor);
      if (result.outcome === 'conflict' && result.conflict.reason !== 'exists')
        throw new EngineError('conflict', 'The packet went away while it was published.', {
          hint: 'Look with `ltm ls` whether it is there.',
        });
    },
    async removeLink(sha256, actor) {
      await store.changeIdentity([{ op: 'remove_link', sha256 }], actor);
    },
  };
}
