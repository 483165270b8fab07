import { passOver } from '../../model/damage.ts';
import type { Instant, RecordId, SpaceId } from '../../model/ids.ts';
import type { RecordVersion, StoredRecord } from '../../model/record.ts';
import type { Deletion, Records } from '../ports.ts';

/** A record as it was; null where it was not there yet. Deleted then, it says so. */
export function stateAt(current: StoredRecord, versions: readonly RecordVersion[], at: Instant): StoredRecord | null {
  // The newest stand first: the last that was replaced later was the current one then.
  const state = versions.findLast(({ replacedAt }) => replacedAt > at)?.record ?? current;
  if (state.createdAt > at) return null;
  return state.deletedAt !== null && state.deletedAt > at ? { ...state, deletedAt: null } : state;
}

const PAGE = 1000;

/** Records of a space that are not what they were at a time, apart from those that are new since. */
export async function listChangedSince(store: Records, space: SpaceId, at: Instant): Promise<Set<RecordId>> {
  const changed = new Set<RecordId>();
  for (let after: RecordId | null = null; ; ) {
    const page: RecordId[] = await store.listReplaced(space, { since: at, after, limit: PAGE });
    for (const id of page) changed.add(id);
    if (page.length < PAGE) break;
    after = page.at(-1)!;
  }
  for (let after: Deletion | undefined = { deletedAt: at, id: '\uffff' }; ; ) {
    const page: Deletion[] = await store.listDeletions(space, { after, limit: PAGE });
    for (const { id } of page) changed.add(id);
    if (page.length < PAGE) return changed;
    after = page.at(-1)!;
  }
}

/** These records as they were; those that were not there are left out. */
export async function readStates(
  store: Records,
  space: SpaceId,
  { ids, at }: { ids: readonly RecordId[]; at: Instant },
): Promise<Map<RecordId, StoredRecord>> {
  const states = new Map<RecordId, StoredRecord>();
  for (let i = 0; i < ids.length; i += PAGE)
    for (const record of await store.getRecords(space, ids.slice(i, i + PAGE), passOver)) {
      const versions = record.revision === 1 ? [] : await store.listVersions(space, record.id, passOver);
      const state = stateAt(record, versions, at);
      if (state !== null) states.set(record.id, state);
    }
  return states;
}
