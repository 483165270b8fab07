import type { Change } from '../../model/change.ts';
import { EngineError } from '../../model/errors.ts';
import type { SpaceId } from '../../model/ids.ts';
import type { Store } from '../ports.ts';

/** Small enough that other writers get their turn in between. */
const BATCH = 500;

/** Deletes or purges; what another process was faster with is passed over. Returns the changes that were made. */
export async function commitInBatches<C extends Change>(
  store: Store,
  { space, actor, changes }: { space: SpaceId; actor: string; changes: readonly C[] },
): Promise<C[]> {
  const made: C[] = [];
  let rest = changes;
  while (rest.length > 0) {
    const batch = rest.slice(0, BATCH);
    const committed = await store.commit(space, batch, actor);
    if (committed.outcome === 'committed') {
      made.push(...batch);
      rest = rest.slice(batch.length);
    } else if (committed.conflict.reason === 'missing') {
      const { index } = committed.conflict;
      rest = rest.filter((_change, i) => i !== index);
    } else
      throw new EngineError('conflict', 'A record was changed in the meantime.', {
        hint: 'Read it again and decide anew.',
        details: { ...committed.conflict },
      });
  }
  return made;
}
