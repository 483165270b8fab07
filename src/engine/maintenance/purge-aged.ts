import type { Instant, SpaceId } from '../../model/ids.ts';
import type { EngineParts } from '../engine-parts.ts';
import { purgeIds } from '../records/purge-records.ts';
import type { BelievedTime } from './believed-time.ts';

const DAY = 86_400_000;
const PAGE = 500;
/** A bounded piece a round: other spaces get their turn. */
const MOST_PAGES = 4;
const ACTOR = 'job:purge';

interface Aged {
  purged: number;
  /** False: there are more. */
  complete: boolean;
  /** When to look again; null where nothing of such a kind is there. */
  nextAt: Instant | null;
}

/** Removes for good what is older than its kind is kept, as far as the clock is believed: what grows by itself has to have an end. */
export async function purgeAged(parts: EngineParts, space: SpaceId, { dueBy }: BelievedTime): Promise<Aged> {
  const aged: Aged = { purged: 0, complete: true, nextAt: null };
  for (const name of parts.kinds.names) {
    const days = parts.kinds.need(name).keptDays?.(parts.settings) ?? 0;
    if (days === 0) continue;
    const first = { limit: 1, total: false };
    const { items } = await parts.store.listRecords(space, { kinds: [name] }, first, () => {});
    if (items.length === 0) continue;
    aged.nextAt = parts.clock.now() + DAY;
    if (dueBy === null) continue;
    const { purged, complete } = await purgeBefore(parts, space, { kinds: [name], before: dueBy - days * DAY });
    aged.purged += purged;
    aged.complete &&= complete;
  }
  return aged;
}

async function purgeBefore(
  parts: EngineParts,
  space: SpaceId,
  due: { kinds: readonly string[]; before: Instant },
): Promise<{ purged: number; complete: boolean }> {
  let purged = 0;
  for (let page = 0; page < MOST_PAGES; page++) {
    const filter = { ...due, includeSuperseded: true };
    const { items } = await parts.store.listRecords(space, filter, { limit: PAGE, total: false }, () => {});
    if (items.length > 0) {
      const ids = items.map(({ id }) => id);
      purged += (await purgeIds(parts, { space, ids, actor: ACTOR })).length;
    }
    if (items.length < PAGE) return { purged, complete: true };
  }
  return { purged, complete: false };
}
