import type { Records } from '../../engine/ports.ts';
import type { MadeSearchable } from '../../engine/records/make-searchable.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { RecordContent } from '../../model/record.ts';
import type { SessionEvent } from '../../model/session-event.ts';
import { type Observation, toObservation } from './observation.ts';
import { observationKind } from './observation-kind.ts';

/** Observations of a session that say what an event is about: what failed may be mended many steps later. */
export const EARLIER = 60;

/** An observation that is about to be written; its number is given with the commit. */
export interface NewObservation {
  id: RecordId;
  event: SessionEvent;
  content: RecordContent;
  made: MadeSearchable;
}

/** The latest of a session, oldest first. */
export async function readEarlier(
  { store }: { store: Records },
  space: SpaceId,
  session: string,
  limit = EARLIER,
): Promise<Observation[]> {
  const filter = { kinds: [observationKind.name], session };
  const { items } = await store.listRecords(space, filter, { limit, total: false }, () => {});
  return items.map(toObservation).sort((a, b) => a.number - b.number);
}
