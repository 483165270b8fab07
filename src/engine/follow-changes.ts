import { randomUUID } from 'node:crypto';
import type { Caller } from '../model/caller.ts';
import type { FeedEntry } from '../model/change.ts';
import { passOver } from '../model/damage.ts';
import { EngineError } from '../model/errors.ts';
import type { Instant, Sequence, SpaceId } from '../model/ids.ts';
import type { StoredRecord } from '../model/record.ts';
import { authorize } from './authorize.ts';
import type { Clock, Feed, Records } from './ports.ts';
import { spacesOf } from './records/find-records.ts';
import { watchFeeds } from './watch-feeds.ts';

/** How far somebody has read each space's feed. */
export type Positions = ReadonlyMap<SpaceId, Sequence>;

export interface FollowedChange {
  space: SpaceId;
  entry: FeedEntry;
  /** As it is now; null where it is purged, or the change is not about a record. */
  record: StoredRecord | null;
}

export interface FollowOptions {
  /** Where to go on; absent, and for spaces that are not in it: from now on. Spaces that are not the caller's are never looked at. */
  after?: Positions;
  signal: AbortSignal;
}

export interface FollowedPage {
  changes: readonly FollowedChange[];
  /** After these changes. */
  positions: Positions;
  /**
   * Spaces whose feed ends before the given position, so that it is another database's, or one that was put back; or that is no longer kept as far
   * back. They are followed from now on; what the reader knows of them may be wrong, and is read anew.
   */
  reset: readonly SpaceId[];
}

const PAGE = 100;

/**
 * Everything that is written in the caller's spaces, whichever process wrote it, in the order of each space's feed. Reads on only as fast as it is asked, so a slow reader
 * costs no memory. The first page is empty and tells where it begins. Ends when the signal says so.
 */
export async function* followChanges(
  { store, clock }: { store: Records & Feed; clock: Clock },
  caller: Caller,
  { after, signal }: FollowOptions,
): AsyncGenerator<FollowedPage> {
  const spaces = spacesOf(caller);
  for (const space of spaces) authorize(caller, 'read', space);
  const waking = createWaking(signal);
  const place = createPlace(store, clock);
  const changed = new Set(spaces);
  const following = watchFeeds<FollowedChange[]>(store, spaces, (space) => {
    changed.add(space);
    waking.wake();
  });
  try {
    const { positions, reset } = await startingPositions(store, spaces, after);
    yield { changes: [], positions: new Map(positions), reset };
    while (!signal.aborted) {
      const [space] = changed;
      if (space === undefined) {
        await waking.sleep();
        continue;
      }
      changed.delete(space);
      const from = positions.get(space) ?? 0;
      const changes = await following.share(space, from, () => readChanges(store, space, from));
      if (changes.length === 0) continue;
      if (changes[0]!.entry.seq > from + 1 && from < (await store.prunedTo(space))) {
        positions.set(space, await store.head(space));
        yield { changes: [], positions: new Map(positions), reset: [space] };
        continue;
      }
      if (changes.length === PAGE) {
        changed.add(space);
        await place.keep(space, changes.at(-1)!.entry.seq);
      }
      positions.set(space, changes.at(-1)!.entry.seq);
      yield { changes, positions: new Map(positions), reset: [] };
    }
  } finally {
    following.end();
    waking.end();
  }
}

async function startingPositions(
  store: Feed,
  spaces: readonly SpaceId[],
  after: Positions | undefined,
): Promise<{ positions: Map<SpaceId, Sequence>; reset: SpaceId[] }> {
  const positions = new Map<SpaceId, Sequence>();
  const reset: SpaceId[] = [];
  for (const space of spaces) {
    const head = await store.head(space);
    const given = after?.get(space);
    const isKept = given === undefined || (given <= head && (given >= head || given >= (await store.prunedTo(space))));
    if (!isKept) reset.push(space);
    positions.set(space, isKept ? (given ?? head) : head);
  }
  return { positions, reset };
}

/** How long a place is kept for a reader that says nothing more, and how often it is noted. */
const PLACE_MS = 600_000;
const NOTE_MS = 60_000;

/** Only readers that are behind are noted: the others read what is kept for everybody. */
function createPlace(store: Feed, clock: Clock): { keep(space: SpaceId, seq: Sequence): Promise<void> } {
  const reader = randomUUID();
  const noted = new Map<SpaceId, Instant>();
  return {
    async keep(space, seq) {
      const now = clock.now();
      if (now - (noted.get(space) ?? -Infinity) < NOTE_MS) return;
      noted.set(space, now);
      // Where it cannot be noted, the reader may have to start over.
      await store.keepPlace(space, reader, { seq, until: now + PLACE_MS }).catch(() => {});
    },
  };
}

async function readChanges(store: Records & Feed, space: SpaceId, after: Sequence): Promise<FollowedChange[]> {
  // Whoever follows must get past what is damaged: the one event, or the record of it, is missing.
  const entries = await store.changesAfter(space, after, PAGE, passOver);
  if (entries.length === 0) return [];
  const records = await store.getRecords(space, [...new Set(entries.map((entry) => entry.id))], passOver);
  const byId = new Map(records.map((record) => [record.id, record]));
  return entries.map((entry) => ({ space, entry, record: byId.get(entry.id) ?? null }));
}

/** A wake that comes before the sleep is not lost. */
function createWaking(signal: AbortSignal) {
  let bell = Promise.withResolvers<void>();
  const wake = (): void => bell.resolve();
  signal.addEventListener('abort', wake);
  return {
    wake,
    async sleep(): Promise<void> {
      await bell.promise;
      bell = Promise.withResolvers();
    },
    end: () => signal.removeEventListener('abort', wake),
  };
}

export interface ListChangesInput {
  after: Sequence;
  limit: number;
}

/** Who wrote what in the caller's space, in order: the audit log of its records. */
export async function listChanges(
  store: Feed,
  caller: Caller,
  { after, limit }: ListChangesInput,
): Promise<FeedEntry[]> {
  authorize(caller, 'admin', caller.space);
  const pruned = after === 0 ? 0 : await store.prunedTo(caller.space);
  if (after < pruned)
    throw new EngineError('invalid_cursor', `Changes up to number ${pruned} are no longer kept.`, {
      hint: 'Read the records anew (`ltm export`), and go on from the last change.',
      details: { after, pruned, head: await store.head(caller.space) },
    });
  return store.changesAfter(caller.space, after, limit);
}
