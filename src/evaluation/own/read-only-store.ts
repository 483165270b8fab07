import type { Records, Store } from '../../engine/ports.ts';
import { EngineError } from '../../model/errors.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';

const PAGE = 10_000;

/** The same store for a caller that only looks: what would write is refused, reads are not counted. */
export function readOnlyStore(store: Store): Store {
  return {
    ...store,
    commit: () => Promise.reject(new EngineError('storage_read_only', 'An evaluation writes nothing.')),
    replaceSegments: async () => false,
    dropVectors: async () => 0,
    recordReads: async () => undefined,
    takeLease: async () => false,
  };
}

export async function listAllIds(store: Records, space: SpaceId): Promise<RecordId[]> {
  const ids: RecordId[] = [];
  for (;;) {
    const page = await store.listIds(space, { after: ids.at(-1) ?? null, limit: PAGE });
    ids.push(...page);
    if (page.length < PAGE) return ids;
  }
}
