import type { Caller } from '../../model/caller.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { RecordKind } from '../../model/record.ts';
import { authorize } from '../authorize.ts';
import type { EngineParts } from '../engine-parts.ts';
import { commitInBatches } from './change-record.ts';
import { groupBySpace, locateAll } from './find-records.ts';
import { actorOf } from './origin.ts';

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
  { store, indexes }: EngineParts,
  { space, ids, actor }: { space: SpaceId; ids: readonly RecordId[]; actor: string },
): Promise<RecordId[]> {
  const changes = ids.map((id) => ({ op: 'purge', id }) as const);
  const purged = (await commitInBatches(store, { space, actor, changes })).map(({ id }) => id);
  if (purged.length > 0) await indexes.forget(space, purged);
  return purged;
}
