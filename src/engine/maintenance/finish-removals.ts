import { OWNER_SPACE } from '../../model/caller.ts';
import { passOver } from '../../model/damage.ts';
import { EngineError } from '../../model/errors.ts';
import type { Removal } from '../../model/identity.ts';
import type { Instant, RecordId, SpaceId } from '../../model/ids.ts';
import type { SpaceIndexes } from '../../search/space-indexes.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { Commits, Housekeeping, Records, Sharing } from '../ports.ts';
import { commitInBatches } from '../records/change-record.ts';
import { readPages } from '../records/find-records.ts';
import { purgeIds } from '../records/purge-records.ts';
import { AHEAD_MS, keepMsOf } from './believed-time.ts';

const PAGE = 500;
/** A request that was under way when its person was removed may still write; so long it is looked for. */
const LATE_WRITES_MS = 60_000;

export interface RemovalRound {
  /** The time by which it is reckoned what is not kept any longer; null: not now. */
  dueBy: Instant | null;
  /** Spaces in which something has been written lately. */
  changed: ReadonlySet<SpaceId>;
}

const AT_ONCE: RemovalRound = { dueBy: null, changed: new Set() };

/**
 * What a removal has left to do: all that is in a team's space is deleted, and the space goes when what is deleted is not kept any longer; what
 * a person has stored is purged, where that was asked for. Begun again it goes on, whoever began it. Returns how many records went for good.
 */
export async function finishRemovals(parts: EngineParts, round: RemovalRound = AT_ONCE): Promise<number> {
  const { sharing } = parts;
  let purged = 0;
  for (const removal of (await sharing?.listRemovals()) ?? []) {
    const work = removal.what === 'team' ? finishTeam : finishPerson;
    purged += await work(parts, sharing!, { removal, round });
  }
  return purged;
}

const PROBLEM = 'removals';

/** For background work, which has other things to do: where it fails, the health says so, and the next round tries again. */
export async function tryToFinishRemovals(parts: EngineParts, round: RemovalRound): Promise<number> {
  const { tally, log } = parts;
  try {
    const purged = await finishRemovals(parts, round);
    tally.problems.delete(PROBLEM);
    return purged;
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const message = 'What a removed team or person has left could not be removed yet.';
    tally.problems.set(PROBLEM, { space: OWNER_SPACE, message, cause: error.message });
    log.warn('removals_unfinished', { code: error.code, message: error.message });
    return 0;
  }
}

interface Work {
  removal: Removal;
  round: RemovalRound;
}

async function finishTeam(parts: EngineParts, sharing: Sharing, { removal, round }: Work): Promise<number> {
  const { dueBy, changed } = round;
  const { id, emptiedAt } = removal;
  if (emptiedAt === null || changed.has(id)) await emptySpace(parts, removal);
  const isAhead = emptiedAt !== null && dueBy !== null && emptiedAt > dueBy + AHEAD_MS;
  if (emptiedAt === null || isAhead) {
    await sharing.markRemoval(id, 'emptied', isAhead ? dueBy : await parts.time.timeOfDeletion());
    return 0;
  }
  if (dueBy === null || emptiedAt >= dueBy - keepMsOf(parts)) return 0;
  const purged = await dropSpace(parts, id, 'job:purge');
  await sharing.markRemoval(id, 'done', parts.clock.now());
  return purged;
}

async function finishPerson(parts: EngineParts, sharing: Sharing, { removal }: Work): Promise<number> {
  const { id, removedBy: actor, purgeAskedAt } = removal;
  let purged = await dropSpace(parts, id, actor);
  for (const [space, ids] of await findInTeams(parts, id))
    purged += (await purgeIds(parts, { space, ids, actor })).length;
  if (Math.abs(parts.clock.now() - (purgeAskedAt ?? 0)) > LATE_WRITES_MS)
    await sharing.markRemoval(id, 'done', parts.clock.now());
  return purged;
}

/** Deletes whatever is live, of every kind; it is purged like all that is deleted. What is damaged cannot be deleted and goes at once. */
async function emptySpace(parts: EngineParts, { id: space, removedBy: actor }: Removal): Promise<void> {
  const { store, time } = parts;
  for (;;) {
    const ids = await store.listIds(space, { after: null, limit: PAGE });
    if (ids.length === 0) return;
    const at = await time.timeOfDeletion();
    try {
      await commitInBatches(store, { space, actor, changes: ids.map((id) => ({ op: 'delete', id, at }) as const) });
    } catch (error) {
      const damaged = error instanceof EngineError && error.code === 'storage_damaged' ? error.details.id : undefined;
      if (typeof damaged !== 'string' || !ids.includes(damaged)) throw error;
      await purgeIds(parts, { space, ids: [damaged], actor });
    }
  }
}

/** The index is not rewritten for what is purged: all of it goes. */
async function dropSpace(
  { store, indexes }: { store: Records & Commits & Housekeeping; indexes: SpaceIndexes },
  space: SpaceId,
  actor: string,
): Promise<number> {
  let purged = 0;
  for (;;) {
    const ids = await store.listIds(space, { after: null, limit: PAGE, of: 'all' });
    if (ids.length === 0) break;
    const changes = ids.map((id) => ({ op: 'purge', id }) as const);
    purged += (await commitInBatches(store, { space, actor, changes })).length;
  }
  await store.dropSpace(space);
  await indexes.discard(space);
  return purged;
}

/** What this person has stored in teams, by what was recorded then. Of what is damaged nothing tells who stored it: it stays the team's. */
async function findInTeams(
  { store, sharing }: { store: Records; sharing?: Sharing },
  userId: string,
): Promise<Map<SpaceId, RecordId[]>> {
  const found = new Map<SpaceId, RecordId[]>();
  const filter = { deleted: 'include', includeSuperseded: true } as const;
  for (const space of (await sharing?.listTeamIds()) ?? []) {
    const ids: RecordId[] = [];
    for await (const { items } of readPages(store, space, { filter, limit: PAGE, note: passOver }))
      for (const { id, source } of items) if (source.userId === userId) ids.push(id);
    if (ids.length > 0) found.set(space, ids);
  }
  return found;
}

export interface StoredBy {
  /** In their own space. */
  own: number;
  inTeams: number;
}

/** How much a purge of all that this person has stored would take. */
export async function countStoredBy(parts: EngineParts, userId: string): Promise<StoredBy> {
  const { records, deleted } = await parts.store.inspect(userId);
  const inTeams = [...(await findInTeams(parts, userId)).values()].reduce((sum, ids) => sum + ids.length, 0);
  return { own: records + deleted, inTeams };
}
