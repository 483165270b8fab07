import type { Caller } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { RecordId } from '../../model/ids.ts';
import type { EngineParts } from '../engine-parts.ts';
import { retryConflicts } from '../records/change-record.ts';
import { deleteRecords } from '../records/delete-records.ts';
import { actorOf } from '../records/origin.ts';
import { observationKind, sessionRecordId } from './observation-kind.ts';
import { planSessionAnew } from './plan-sessions.ts';
import { sessionKind } from './session-kind.ts';

export interface ForgetInput {
  /** Numbers or ids of observations. */
  refs?: readonly string[];
  /** Instead: everything of this session. */
  session?: string;
}

export interface Forgotten {
  forgotten: number;
  missing: string[];
}

/** They can be restored for a while, as everything that is deleted. */
export async function forgetObservations(
  parts: EngineParts,
  caller: Caller,
  { refs, session }: ForgetInput,
): Promise<Forgotten> {
  if ((refs === undefined) === (session === undefined))
    throw new EngineError('invalid_input', 'Name either observations (refs) or a session.', {
      details: { field: 'refs' },
    });
  if (refs !== undefined) {
    const named = { kind: observationKind.name, refs };
    const there = (await deleteRecords(parts, caller, { ...named, dryRun: true })).records;
    const { count, missing } = await deleteRecords(parts, caller, named);
    const sessions = new Set(there.map((record) => sessionRecordId(record.session ?? '')));
    for (const id of sessions) await tellAnew(parts, caller, id);
    return { forgotten: count, missing };
  }
  const filter = { session };
  const happened = await deleteRecords(parts, caller, { kind: observationKind.name, filter });
  const digest = await deleteRecords(parts, caller, { kind: sessionKind.name, filter });
  const forgotten = happened.count + digest.count;
  return { forgotten, missing: forgotten === 0 ? [session!] : [] };
}

async function tellAnew(parts: EngineParts, caller: Caller, id: RecordId): Promise<void> {
  await retryConflicts(async () => {
    const [known] = await parts.store.getRecords(caller.space, [id]);
    if (known === undefined || known.deletedAt !== null) return true;
    const change = await planSessionAnew(parts, caller, known);
    const committed = await parts.store.commit(caller.space, [change], actorOf(caller));
    return committed.outcome === 'committed' ? true : null;
  });
}
