import type { EngineParts } from '../../engine/engine-parts.ts';
import { retryConflicts } from '../../engine/records/change-record.ts';
import { deleteRecords } from '../../engine/records/delete-records.ts';
import { actorOf } from '../../engine/records/origin.ts';
import { findReadOut } from '../../engine/rejections/find-read-out.ts';
import type { Caller } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { RecordId } from '../../model/ids.ts';
import { memoryKind } from '../memories/memory-kind.ts';
import { observationKind, sessionRecordId } from './observation-kind.ts';
import { planSessionAnew } from './plan-sessions.ts';
import { sessionKind } from './session-kind.ts';

export interface ForgetInput {
  /** Numbers or ids of observations. */
  refs?: readonly string[];
  /** Instead: everything of this session. */
  session?: string;
  /** With session: also the memories that were harvested from it, or that its prompts asked to be remembered. */
  derived?: boolean;
}

export interface Forgotten {
  forgotten: number;
  missing: string[];
  /** Memories that were read out of the session and stay, the first hundred; none where they were to go too. */
  derived: RecordId[];
  derivedCount: number;
}

const MAX_SHOWN = 100;

/** They can be restored for a while, as everything that is deleted. */
export async function forgetObservations(
  parts: EngineParts,
  caller: Caller,
  { refs, session, derived: withDerived = false }: ForgetInput,
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
    return { forgotten: count, missing, derived: [], derivedCount: 0 };
  }
  const filter = { session };
  const happened = await deleteRecords(parts, caller, { kind: observationKind.name, filter });
  const digest = await deleteRecords(parts, caller, { kind: sessionKind.name, filter });
  const readOut = { session: session!, deleted: 'exclude' } as const;
  const derived = (await findReadOut(parts.store, caller.space, readOut)).map(({ id }) => id);
  const taken = withDerived ? await deleteNamed(parts, caller, derived) : 0;
  const staying = withDerived ? [] : derived;
  const forgotten = happened.count + digest.count + taken;
  const missing = forgotten + derived.length === 0 ? [session!] : [];
  return { forgotten, missing, derived: staying.slice(0, MAX_SHOWN), derivedCount: staying.length };
}

async function deleteNamed(parts: EngineParts, caller: Caller, ids: readonly RecordId[]): Promise<number> {
  let count = 0;
  for (let i = 0; i < ids.length; i += MAX_SHOWN) {
    const refs = ids.slice(i, i + MAX_SHOWN);
    count += (await deleteRecords(parts, caller, { kind: memoryKind.name, refs })).count;
  }
  return count;
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
