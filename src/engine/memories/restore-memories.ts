import type { Caller } from '../../model/caller.ts';
import type { Change, CommitConflict } from '../../model/change.ts';
import { EngineError } from '../../model/errors.ts';
import type { RecordId } from '../../model/ids.ts';
import type { Memory } from '../../model/memory.ts';
import type { StoredRecord } from '../../model/record.ts';
import { toMemory } from '../../model/to-memory.ts';
import { authorize } from '../authorize.ts';
import type { EngineParts } from '../engine-parts.ts';
import { groupBySpace, locateAll } from './locate.ts';
import { actorOf } from './stamp.ts';

/** Brings deleted memories back as they were, all or none. One that is not deleted is given back as it is. */
export async function restoreMemories(
  parts: EngineParts,
  caller: Caller,
  refs: readonly string[],
): Promise<{ restored: Memory[]; missing: string[] }> {
  authorize(caller, 'write', caller.space);
  const found = new Map<string, StoredRecord>();
  const missing: string[] = [];
  for (const ref of refs) {
    const [deleted] = await locateAll(parts, caller, { ref, action: 'write', deleted: 'only' });
    const [record] =
      deleted === undefined ? await locateAll(parts, caller, { ref, action: 'write', deleted: 'exclude' }) : [deleted];
    if (record === undefined) missing.push(ref);
    else found.set(record.id, record);
  }
  const restored: Memory[] = [];
  for (const [space, records] of groupBySpace([...found.values()])) {
    const deleted = records.filter((record) => record.deletedAt !== null);
    const changes = deleted.map(({ id }): Change => ({ op: 'restore', id, at: parts.clock.now() }));
    const committed = changes.length === 0 ? null : await parts.store.commit(space, changes, actorOf(caller));
    if (committed?.outcome === 'conflict') throw refuse(committed.conflict, deleted[committed.conflict.index]!.id);
    const ids = records.map((record) => record.id);
    restored.push(...(await parts.store.getRecords(space, ids)).map(toMemory));
  }
  return { restored, missing };
}

function refuse(conflict: CommitConflict, id: RecordId): EngineError {
  const other = 'id' in conflict ? conflict.id : '';
  const why: Partial<Record<CommitConflict['reason'], string>> = {
    key_taken: 'Its key belongs to another memory by now.',
    duplicate: 'The same text is stored in another memory by now.',
  };
  return new EngineError(
    'conflict',
    `The memory was not restored. ${why[conflict.reason] ?? 'It changed in the meantime.'}`,
    {
      hint: 'Use the other memory, or delete it first.',
      details: { id, other, reason: conflict.reason },
    },
  );
}
