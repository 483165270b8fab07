import type { Caller } from '../../model/caller.ts';
import type { Change } from '../../model/change.ts';
import type { RecordId } from '../../model/ids.ts';
import type { RecordContent, RecordState, StoredRecord } from '../../model/record.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { Searchable } from './make-searchable.ts';
import { actorOf } from './origin.ts';
import { createChange, updateChange } from './record-changes.ts';

export interface RecordPut extends Searchable {
  id: RecordId;
  content: RecordContent;
  /** The record of this id as it was read; one that was deleted comes back. */
  known: StoredRecord | null;
  unlessDuplicate: boolean;
}

/** Writes a record into the caller's space; null when somebody else was faster. */
export async function putRecord(
  { store, clock }: EngineParts,
  caller: Caller,
  { id, content, known, ...options }: RecordPut,
): Promise<RecordState | null> {
  const changes: Change[] = [];
  if (known === null) changes.push(createChange(id, content, options));
  else if (known.deletedAt === null) changes.push(updateChange(known, content, options));
  else {
    changes.push({ op: 'restore', id, at: clock.now(), revision: known.revision });
    changes.push(updateChange({ ...known, revision: known.revision + 1 }, content, options));
  }
  const committed = await store.commit(caller.space, changes, actorOf(caller));
  if (committed.outcome === 'conflict') return null;
  return { ...content, space: caller.space, id, revision: committed.revisions[id]!, deletedAt: null };
}
