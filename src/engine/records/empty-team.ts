import type { Caller } from '../../model/caller.ts';
import { authorize } from '../authorize.ts';
import type { EngineParts } from '../engine-parts.ts';
import { actorOf } from './origin.ts';

const BATCH = 500;

/** Deletes whatever is in the caller's space, of every kind, when its team is given up; it is purged like all that is deleted. Returns how much. */
export async function emptyTeam({ store, clock }: EngineParts, caller: Caller): Promise<number> {
  const { space } = caller;
  authorize(caller, 'manage_team', space);
  let count = 0;
  for (;;) {
    const { items } = await store.listRecords(space, { includeSuperseded: true }, { limit: BATCH });
    if (items.length === 0) return count;
    const at = clock.now();
    const committed = await store.commit(
      space,
      items.map(({ id }) => ({ op: 'delete', id, at })),
      actorOf(caller),
    );
    if (committed.outcome === 'committed') count += items.length;
  }
}
