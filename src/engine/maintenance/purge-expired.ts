import type { Caller } from '../../model/caller.ts';
import type { Instant, RecordId, SpaceId } from '../../model/ids.ts';
import { authorize, isAllowed } from '../authorize.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { Deletion, Records } from '../ports.ts';
import { commitInBatches } from '../records/change-record.ts';
import { spacesOf } from '../records/find-records.ts';
import { actorOf } from '../records/origin.ts';
import { purgeIds } from '../records/purge-records.ts';
import { AHEAD_MS, type BelievedTime, keepMsOf } from './believed-time.ts';
import { finishRemovals } from './finish-removals.ts';

const PAGE = 500;
const ACTOR = 'job:purge';

interface Purged {
  purged: number;
  /** When there will be something to do again; null where nothing is deleted. */
  nextAt: Instant | null;
}

/** Removes for good what was deleted longer ago than the operator keeps it, as far as the clock is believed. */
export async function purgeExpired(
  parts: EngineParts,
  space: SpaceId,
  { dueBy, doubted }: BelievedTime,
): Promise<Purged> {
  const before = dueBy === null ? null : dueBy - keepMsOf(parts);
  const purged = before === null ? 0 : await purgeDeletedBefore(parts, space, { before, actor: ACTOR });
  const [oldest] = await parts.store.listDeletions(space, { limit: 1 });
  if (oldest === undefined) return { purged, nextAt: null };
  if (doubted !== null || dueBy === null) return { purged, nextAt: doubted?.until ?? null };
  await redate(parts, space, dueBy);
  return { purged, nextAt: Math.min(oldest.deletedAt, dueBy) + keepMsOf(parts) + 1 };
}

async function purgeDeletedBefore(
  parts: EngineParts,
  space: SpaceId,
  { before, actor }: { before: Instant; actor: string },
): Promise<number> {
  const ids = await listDeleted(parts, space, { before });
  if (ids.length === 0) return 0;
  if ((await parts.store.listLinks(space)).length === 0) return (await purgeIds(parts, { space, ids, actor })).length;
  // Another replica may have restored it meanwhile, or changed it: it lets go of the text, and of nothing that others did.
  const changes = ids.map((id) => ({ op: 'expire', id }) as const);
  const gone = (await commitInBatches(parts.store, { space, actor, changes })).map(({ id }) => id);
  if (gone.length > 0) await parts.indexes.forget(space, gone);
  return gone.length;
}

export interface PurgeExpiredInput {
  /** For whoever runs the store: in every space, and the clock is believed from now on. Otherwise where the caller may purge. */
  everywhere?: boolean;
  dryRun?: boolean;
}

export interface PurgedExpired {
  count: number;
  /** Where the database may still hold the bytes. */
  remains: string[];
}

/** A person says that the clock is right: what is past its time by it goes now. */
export async function purgeExpiredNow(
  parts: EngineParts,
  caller: Caller,
  { everywhere = false, dryRun = false }: PurgeExpiredInput,
): Promise<PurgedExpired> {
  authorize(caller, 'admin', caller.space);
  const { store, clock, time } = parts;
  const spaces = everywhere
    ? await store.listSpaces()
    : spacesOf(caller).filter((space) => isAllowed(caller, 'admin', space));
  if (everywhere && !dryRun) await time.confirm();
  const before = clock.now() - keepMsOf(parts);
  let count = 0;
  for (const space of spaces)
    count += dryRun
      ? (await listDeleted(parts, space, { before })).length
      : await purgeDeletedBefore(parts, space, { before, actor: actorOf(caller) });
  if (everywhere && !dryRun) count += await finishRemovals(parts, { dueBy: clock.now(), changed: new Set() });
  return { count, remains: dryRun || count === 0 ? [] : await store.eraseTraces() };
}

/** What was deleted under a clock that ran ahead would stay until that time has come: it counts as deleted now. */
async function redate(parts: EngineParts, space: SpaceId, dueBy: Instant): Promise<void> {
  const ids = await listDeleted(parts, space, { after: { deletedAt: dueBy + AHEAD_MS, id: '' } });
  const changes = ids.map((id) => ({ op: 'delete', id, at: dueBy, redates: true }) as const);
  if (changes.length > 0) await commitInBatches(parts.store, { space, actor: ACTOR, changes });
}

async function listDeleted(
  { store }: { store: Records },
  space: SpaceId,
  { after, before }: { after?: Deletion; before?: Instant },
): Promise<RecordId[]> {
  const ids: RecordId[] = [];
  for (let last = after; ; ) {
    const page = await store.listDeletions(space, { after: last, before, limit: PAGE });
    ids.push(...page.map(({ id }) => id));
    last = page.at(-1);
    if (page.length < PAGE) return ids;
  }
}
