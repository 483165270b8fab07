import type { Instant, RecordId, SpaceId } from '../../model/ids.ts';
import type { EngineParts } from '../engine-parts.ts';
import { purgeIds } from '../records/purge-records.ts';
import { readPages } from '../records/read-pages.ts';

const DAY = 86_400_000;
const PAGE = 500;
/** More than this share of a space at once looks like a clock that jumped, not like time that passed. */
const MAX_SHARE = 0.05;
const ALWAYS_ALLOWED = 20;

export interface Purged {
  purged: number;
  /** When the next one is past its time; null where nothing is deleted. */
  nextAt: Instant | null;
}

/** Removes for good what was deleted longer ago than the operator keeps it. */
export async function purgeExpired(parts: EngineParts, work: { space: SpaceId; confirmed: boolean }): Promise<Purged> {
  const { space, confirmed } = work;
  const problem = `purge:${space}`;
  const keepMs = parts.settings.keepDeletedDays * DAY;
  const { expired, oldestKept } = await listExpired(parts, space, parts.clock.now() - keepMs);
  const nextAt = oldestKept === null ? null : oldestKept + keepMs + 1;
  if (expired.length === 0) {
    parts.tally.problems.delete(problem);
    return { purged: 0, nextAt };
  }
  const { records, deleted } = await parts.store.inspect(space);
  if (!confirmed && expired.length > ALWAYS_ALLOWED && expired.length > MAX_SHARE * (records + deleted)) {
    parts.tally.problems.set(
      problem,
      `${expired.length} deleted memories are past their time; so many at once are only purged when a person confirms it.`,
    );
    parts.log.warn('purge_needs_confirmation', { expired: expired.length });
    return { purged: 0, nextAt: parts.clock.now() };
  }
  parts.tally.problems.delete(problem);
  return { purged: (await purgeIds(parts, { space, ids: expired, actor: 'job:purge' })).length, nextAt };
}

async function listExpired(
  { store }: EngineParts,
  space: SpaceId,
  before: Instant,
): Promise<{ expired: RecordId[]; oldestKept: Instant | null }> {
  const expired: RecordId[] = [];
  let oldestKept: Instant | null = null;
  const filter = { deleted: 'only', includeSuperseded: true } as const;
  for await (const { items } of readPages(store, space, { filter, limit: PAGE })) {
    for (const { id, deletedAt } of items) {
      if (deletedAt === null) continue;
      if (deletedAt < before) expired.push(id);
      else oldestKept = Math.min(deletedAt, oldestKept ?? deletedAt);
    }
  }
  return { expired, oldestKept };
}
