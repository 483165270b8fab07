import type { RecentWrites } from '../../search/index/recent-writes.ts';
import type { Store } from '../ports.ts';

/** The store, listened to: what this process commits, its indexes need not read again. */
export function noteCommits(store: Store, recent: RecentWrites): Store {
  return {
    ...store,
    async commit(space, changes, actor) {
      const committed = await store.commit(space, changes, actor);
      if (committed.outcome === 'committed') recent.note(space, changes, committed.head);
      return committed;
    },
  };
}
