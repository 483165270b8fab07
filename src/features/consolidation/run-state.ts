import type { EngineParts } from '../../engine/engine-parts.ts';
import type { Clock, Records } from '../../engine/ports.ts';
import { retryConflicts } from '../../engine/records/change-record.ts';
import type { SpaceId } from '../../model/ids.ts';
import { putRunRecord } from './run-journal.ts';
import { type RunStateBody, stateId } from './run-kind.ts';

const ACTOR = 'job:consolidate';

/** What is paused, when each horizon ran last, and where it goes on. */
export async function readRunState(
  { store, clock }: { store: Records; clock: Clock },
  space: SpaceId,
): Promise<RunStateBody> {
  const [known] = await store.getRecords(space, [stateId()]);
  return known === undefined
    ? { what: 'state', since: clock.now(), paused: [], last: {}, cursors: {}, maintained: null }
    : (known.body as unknown as RunStateBody);
}

/** Reads it again where somebody else has just written it. */
export function changeRunState(
  parts: EngineParts,
  space: SpaceId,
  change: (state: RunStateBody) => RunStateBody,
): Promise<RunStateBody> {
  return retryConflicts(async () => {
    const [known] = await parts.store.getRecords(space, [stateId()]);
    const next = change(await readRunState(parts, space));
    const expect = known?.revision ?? 'new';
    const put = putRunRecord(parts, { id: stateId(), body: next, key: 'state', session: null, expect });
    const committed = await parts.store.commit(space, [put], ACTOR);
    return committed.outcome === 'committed' ? next : null;
  });
}
