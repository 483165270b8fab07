import type { Caller } from '../../model/caller.ts';
import type { Change, CommitConflict } from '../../model/change.ts';
import { EngineError } from '../../model/errors.ts';
import type { RecordKind, StoredRecord } from '../../model/record.ts';
import { authorize } from '../authorize.ts';
import type { EngineParts } from '../engine-parts.ts';
import { needShared } from './kind.ts';
import { groupBySpace, locateAll } from './locate.ts';
import { actorOf } from './origin.ts';

export interface RestoreRecordsInput {
  kind: RecordKind;
  refs: readonly string[];
}

/** Brings deleted records back as they were, all or none. One that is not deleted is given back as it is. */
export async function restoreRecords(
  parts: EngineParts,
  caller: Caller,
  { kind, refs }: RestoreRecordsInput,
): Promise<{ restored: StoredRecord[]; missing: string[] }> {
  authorize(caller, 'write', caller.space);
  needShared(parts.kinds, kind, 'restore');
  const found = new Map<string, StoredRecord>();
  const missing: string[] = [];
  for (const ref of refs) {
    const wanted = { kind, ref, action: 'write' } as const;
    const [deleted] = await locateAll(parts, caller, { ...wanted, deleted: 'only' });
    const record = deleted ?? (await locateAll(parts, caller, { ...wanted, deleted: 'exclude' }))[0];
    if (record === undefined) missing.push(ref);
    else found.set(record.id, record);
  }
  const restored: StoredRecord[] = [];
  for (const [space, records] of groupBySpace([...found.values()])) {
    const deleted = records.filter((record) => record.deletedAt !== null);
    const changes = deleted.map(({ id }): Change => ({ op: 'restore', id, at: parts.clock.now() }));
    const committed = changes.length === 0 ? null : await parts.store.commit(space, changes, actorOf(caller));
    if (committed?.outcome === 'conflict') throw refuse(committed.conflict, deleted[committed.conflict.index]!);
    const ids = records.map((record) => record.id);
    restored.push(...(await parts.store.getRecords(space, ids)));
  }
  return { restored, missing };
}

function refuse(conflict: CommitConflict, { id, kind }: StoredRecord): EngineError {
  const why: Partial<Record<CommitConflict['reason'], string>> = {
    key_taken: `Its key belongs to another ${kind} by now.`,
    duplicate: `The same text is stored in another ${kind} by now.`,
  };
  const { reason } = conflict;
  return new EngineError('conflict', `The ${kind} was not restored. ${why[reason] ?? 'It changed in the meantime.'}`, {
    hint: `Use the other ${kind}, or delete it first.`,
    details: { id, other: 'id' in conflict ? conflict.id : '', reason },
  });
}
