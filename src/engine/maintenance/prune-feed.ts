import type { SpaceId } from '../../model/ids.ts';
import { readCoveredTo } from '../../search/index/segment-id.ts';
import type { Clock, Feed, Segments } from '../ports.ts';

/** The newest changes are kept for readers who come back, whoever they are: a day of a busy team. */
const KEPT_ROWS = 2_000;

/**
 * Forgets changes that nobody will read again: those that every segment of the index covers, but for the newest and those that a reader who is known has not
 * read. Whoever comes back later than that is told so, and starts over from the records.
 */
export async function pruneFeed(
  { store, clock, settings }: { store: Feed & Segments; clock: Clock; settings: { keptChanges?: number } },
  space: SpaceId,
): Promise<void> {
  const head = await store.head(space);
  const kept = settings.keptChanges ?? KEPT_ROWS;
  if (head <= kept) return;
  const covered = (await store.listSegments(space)).map(readCoveredTo);
  if (covered.length === 0 || covered.includes(Number.NaN)) return;
  await store.pruneFeed(space, { upTo: Math.min(head - kept, Math.max(...covered)), now: clock.now() });
}
