import type { Caller } from '../../model/caller.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { RecordKind } from '../../model/record.ts';
import { authorize } from '../authorize.ts';
import type { EngineParts } from '../engine-parts.ts';
import { groupBySpace, locateAll } from './locate.ts';
import { actorOf } from './origin.ts';

const BATCH = 500;

export interface PurgeRecordsInput {
  /** Absent: of any kind. */
  kind?: RecordKind;
  refs: readonly string[];
}

/** Removes records for good, deleted or not: rows, versions, relations, and their words in the index. A content hash means every record of that text. */
export async function purgeRecords(
  parts: EngineParts,
  caller: Caller,
  { refs, ...named }: PurgeRecordsInput & { anyKindById?: boolean },
): Promise<{ purged: RecordId[] }> {
  authorize(caller, 'admin', caller.space);
  const records = await Promise.all(
    refs.map((ref) => locateAll(parts, caller, { ...named, ref, action: 'admin', deleted: 'include' })),
  );
  const purged: RecordId[] = [];
  for (const [space, found] of groupBySpace(records.flat())) {
    const ids = [...new Set(found.map((record) => record.id))];
    purged.push(...(await purgeIds(parts, { space, ids, actor: actorOf(caller) })));
  }
  return { purged };
}

/** Those that were still there. */
export async function purgeIds(
  parts: EngineParts,
  work: { space: SpaceId; ids: readonly RecordId[]; actor: string },
): Promise<RecordId[]> {
  const purged: RecordId[] = [];
  let rest = [...work.ids];
  while (rest.length > 0) {
    const batch = rest.slice(0, BATCH);
    const committed = await parts.store.commit(
      work.space,
      batch.map((id) => ({ op: 'purge', id })),
      work.actor,
    );
    if (committed.outcome === 'conflict') {
      const { index } = committed.conflict; // purged by another process meanwhile
      rest = rest.filter((_id, i) => i !== index);
      continue;
    }
    purged.push(...batch);
    rest = rest.slice(batch.length);
  }
  if (purged.length > 0) await parts.indexes.forget(work.space, purged);
  return purged;
}
