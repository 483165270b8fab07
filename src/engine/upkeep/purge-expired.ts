import type { Instant, RecordId, SpaceId } from '../../model/ids.ts';
import type { Page } from '../../model/page.ts';
import type { StoredRecord } from '../../model/record.ts';
import type { EngineParts } from '../engine-parts.ts';
import { purgeRecords } from '../memories/purge-memories.ts';

const DAY = 86_400_000;
const PAGE = 500;
/** More than this share of a space at once looks like a clock that jumped, not like time that passed. */
const MAX_SHARE = 0.05;
const ALWAYS_ALLOWED = 20;

/** Removes for good what was deleted longer ago than the operator keeps it. Returns how many. */
export async function purgeExpired(parts: EngineParts, work: { space: SpaceId; confirmed: boolean }): Promise<number> {
  const { space, confirmed } = work;
  const problem = `purge:${space}`;
  const expired = await listExpired(parts, space, parts.clock.now() - parts.settings.keepDeletedDays * DAY);
  if (expired.length === 0) {
    parts.tally.problems.delete(problem);
    return 0;
  }
  const { records, deleted } = await parts.store.inspect(space);
  if (!confirmed && expired.length > ALWAYS_ALLOWED && expired.length > MAX_SHARE * (records + deleted)) {
    parts.tally.problems.set(problem, `${expired.length} deleted memories are past their time; so many at once are only purged when a person confirms it.`);
    parts.log.warn('purge_needs_confirmation', { expired: expired.length });
    return 0;
  }
  parts.tally.problems.delete(problem);
  return (await purgeRecords(parts, { space, ids: expired, actor: 'job:purge' })).length;
}

async function listExpired({ store }: EngineParts, space: SpaceId, before: Instant): Promise<RecordId[]> {
  const expired: RecordId[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<StoredRecord> = await store.listRecords(space, { deleted: 'only', includeSuperseded: true }, { limit: PAGE, cursor });
    for (const { id, deletedAt } of page.items) if (deletedAt !== null && deletedAt < before) expired.push(id);
    cursor = page.cursor;
  } while (cursor !== null);
  return expired;
}
