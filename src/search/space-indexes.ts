import { type Instant, newRecordId, type RecordId, type Sequence, type SpaceId } from '../model/ids.ts';
import { compareWithStore, type IndexComparison } from './compare-with-store.ts';
import { createEmbedderChoice, type EmbedderChoice } from './embedder-choice.ts';
import type { IndexFilter } from './filter-mask.ts';
import { findCandidates } from './find-candidates.ts';
import { openLazily } from './index/lazy-segment.ts';
import { rememberBodies } from './index/recent-bodies.ts';
import type { RecentWrites } from './index/recent-writes.ts';
import { DamagedSegment } from './index/segment-format.ts';
import { SegmentGone } from './index/segment-gone.ts';
import { openBody } from './index/segment-part.ts';
import type { IndexContext, SpaceIndex } from './index/space-index.ts';
import { isFlushDue, type Occasion } from './index/tend-index.ts';
import { createIndexCache } from './index-cache.ts';
import { isQuickToLoad, listPassing, type Passing } from './list-passing.ts';
import { type FoundPlaces, listPlaces, type PlacesWanted } from './list-places.ts';
import type { Embedder, IndexPorts, IndexSettings } from './ports.ts';
import { createScratch, type Scratch } from './scratch.ts';
import { makeSearchSet, type SearchSet } from './search-set.ts';

import {
  createSoonTending,
  forgetEverywhere,
  isWorthLoading,
  lacksRuns,
  lacksVectors,
  rebuildSpace,
  type Tending,
  tendSpace,
} from './tend-space.ts';
import { tokenize } from './text/tokenize.ts';
import type { CutNeedle } from './text/word-runs.ts';

/** The indexes of all spaces, kept within the memory budget. */
export interface SpaceIndexes {
  /** Brings the spaces to their heads and calls `use` at once: nothing can change between the two. */
  search<T>(spaces: readonly SpaceId[], use: (set: SearchSet) => T | Promise<T>): Promise<T>;
  /** The same for a search that has brought them to their heads a moment ago: the store is not asked again. */
  searchOn<T>(spaces: readonly SpaceId[], use: (set: SearchSet) => T | Promise<T>): Promise<T>;
  /** What comes first in a listing; null where the index is not in memory, or does not have everything. */
  places(space: SpaceId, wanted: PlacesWanted): Promise<FoundPlaces | null>;
  /** What comes first of the records whose contents may hold a text that consists of such pieces; null where the index does not have everything, or would take long to load. */
  candidates(space: SpaceId, wanted: PlacesWanted & { needle: CutNeedle }): Promise<FoundPlaces | null>;
  /** What passes a filter, for comparing a listing with; null where the database guards itself, or the index would take long to load. */
  passing(space: SpaceId, filter: IndexFilter, now: Instant): Promise<Passing | null>;
  /** For `use`, as long as it does not wait. */
  readonly scratch: Scratch;
  /** Whose vectors searches of this space use. */
  embedderOf(space: SpaceId): Promise<Embedder | null>;
  /** One round of background work: flush, merge, rewrite what a purge left behind. Does nothing while another process is at it. */
  upkeep(space: SpaceId): Promise<IndexUpkeep>;
  /** Makes the index anew from the records and stores it. */
  rebuild(space: SpaceId): Promise<void>;
  /** Rewrites every segment that holds words of these purged records. */
  forget(space: SpaceId, ids: readonly RecordId[]): Promise<void>;
  /** Lets the index of a space go that is no more. */
  discard(space: SpaceId): Promise<void>;
  /** The index against the store, for doctor. */
  compare(space: SpaceId): Promise<IndexComparison>;
  describe(): IndexFacts;
  /** Stores first what other processes would have to read again. */
  close(): Promise<void>;
}

export interface IndexUpkeep {
  flushed: number;
  merged: number;
  /** Another process is at it: look again whether it came to an end. */
  postponed?: true;
}

export interface IndexFacts {
  spaces: number;
  passages: number;
  bytes: number;
  heads: Record<SpaceId, Sequence>;
}

const LEASE_MS = 120_000;
/** Other processes rewrite segments while this one reads them, but not all the time. */
const MAX_ATTEMPTS = 3;

/** `recent` listens to the store of these ports. */
export function createSpaceIndexes(
  ports: IndexPorts,
  settings: IndexSettings,
  recent: RecentWrites | null = null,
): SpaceIndexes {
  const embedders = createEmbedderChoice(ports, settings.indexBudgetBytes);
  const context = { ...makeContext(ports, settings, embedders), recent };
  const cache = createIndexCache(context);
  let holder: string | null = null;
  /** Spaces made anew for what their segments lack once: those it could not help are not tried for ever. */
  const refilled = new Set<SpaceId>();
  const tend = (space: SpaceId, occasion: Occasion) => {
    const tending = { context, cache, space };
    holder ??= newRecordId(ports.clock.now());
    const name = holder;
    return cache.exclusively(space, () => withLease(tending, name, () => refillAndTend(tending, refilled, occasion)));
  };
  const soon = createSoonTending(async (space) => {
    const { flushed } = await tend(space, 'searched');
    // What is written next takes the place of changes that segments cover: a long burst of writes leaves no room unused.
    if (flushed > 0) await ports.afterFlush?.(space);
  }, ports.log);
  const noticeDue = (indexes: readonly SpaceIndex[]): void => {
    for (const index of indexes) if (isFlushDue(context, index, 'searched')) soon.due(index.space);
  };
  return {
    scratch: createScratch(),
    search: (spaces, use) =>
      repeatWhenGone({ context, cache }, spaces, async () => {
        const indexes = await Promise.all([...new Set(spaces)].map((space) => cache.fresh(space)));
        noticeDue(indexes);
        return use(makeSearchSet(indexes, context));
      }),
    searchOn: (spaces, use) =>
      repeatWhenGone({ context, cache }, spaces, async () => {
        const settled = [...new Set(spaces)].map((space) => cache.settled(space) ?? cache.fresh(space));
        return use(makeSearchSet(await Promise.all(settled), context));
      }),
    async places(space, wanted) {
      if (!cache.isLoaded(space)) return null;
      const index = await cache.fresh(space);
      return index.damaged.size > 0 || index.lost > 0 ? null : listPlaces(index.parts, wanted);
    },
    async candidates(space, { needle, ...wanted }) {
      if (!cache.isLoaded(space) && !(await isQuickToLoad(ports.store, space))) return null;
      const index = await cache.fresh(space);
      if (index.lean || index.damaged.size > 0 || index.lost > 0) return null;
      return listPlaces(index.parts, { ...wanted, among: (part) => findCandidates(part, needle) });
    },
    async passing(space, filter, now) {
      if (ports.store.guardsItsPages === true) return null;
      if (!cache.isLoaded(space) && !(await isQuickToLoad(ports.store, space))) return null;
      return listPassing(await cache.fresh(space), filter, now);
    },
    async embedderOf(space) {
      // The choice is made when an index is loaded, and made again by upkeep.
      if (ports.previousEmbedder && !cache.isLoaded(space)) await embedders.decide(space);
      return embedders.of(space);
    },
    async upkeep(space) {
      const wasLoaded = cache.isLoaded(space);
      if (!wasLoaded && !(await isWorthLoading(context, space))) return NOTHING_DONE;
      const report = await tend(space, 'upkeep');
      if (!wasLoaded) cache.drop(space);
      return report;
    },
    rebuild: (space) => cache.exclusively(space, () => rebuildSpace({ context, cache, space })),
    forget: (space, ids) => cache.exclusively(space, () => forgetEverywhere({ context, cache, space }, ids)),
    discard: (space) => cache.exclusively(space, async () => cache.drop(space)),
    compare: (space) => compareWithStore({ store: ports.store, space, fresh: () => cache.fresh(space) }),
    describe: () => cache.describe(),
    async close() {
      soon.stop();
      for (const index of cache.list()) {
        if (!isFlushDue(context, index, 'closing')) continue;
        await tend(index.space, 'closing').catch((error: unknown) => reportUnstored(context, index.space, error));
      }
      await cache.close();
    },
  };
}

/** Loads the indexes again where a segment that was about to be read is there no more, or was damaged meanwhile. */
async function repeatWhenGone<T>(
  { context, cache }: Pick<Tending, 'context' | 'cache'>,
  spaces: readonly SpaceId[],
  work: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isDamaged = error instanceof DamagedSegment;
      if (!(error instanceof SegmentGone || isDamaged) || attempt === MAX_ATTEMPTS) throw error;
      // Read whole, a damaged one is found out before it is used.
      if (isDamaged) context.isBrief = false;
      for (const space of spaces) cache.drop(space);
    }
  }
}

const NOTHING_DONE: IndexUpkeep = { flushed: 0, merged: 0 };

function makeContext(
  { store, clock, log, kinds }: IndexPorts,
  { indexBudgetBytes, flushPassages, isBrief }: IndexSettings,
  embedders: EmbedderChoice,
): Omit<IndexContext, 'recent'> {
  const readWholeBody: IndexContext['readWholeBody'] = async (space, id) => {
    const [segment] = await store.readSegments(space, [id]);
    return segment === undefined ? null : openBody(segment);
  };
  return {
    store,
    clock,
    log,
    tokenize,
    kinds,
    embedders,
    budgetBytes: indexBudgetBytes,
    flushPassages,
    isBrief: isBrief === true,
    readBody: rememberBodies(async (space, id) => {
      const pieces = (await store.openSegment?.(space, id)) ?? null;
      return (pieces === null ? null : openLazily(pieces)?.body) ?? readWholeBody(space, id);
    }),
    readWholeBody,
  };
}

async function refillAndTend(tending: Tending, refilled: Set<SpaceId>, occasion: Occasion): Promise<IndexUpkeep> {
  if (await tending.context.embedders.decide(tending.space)) refilled.delete(tending.space);
  if (!refilled.has(tending.space) && ((await lacksRuns(tending)) || (await lacksVectors(tending)))) {
    refilled.add(tending.space);
    await rebuildSpace(tending);
  }
  return tendSpace(tending, occasion);
}

/** A database that cannot be written to, or is full, can still be searched: whoever comes next reads the records again. */
function reportUnstored({ log }: IndexContext, space: SpaceId, error: unknown): void {
  log.warn('index_not_stored', { space, message: error instanceof Error ? error.message : String(error) });
}

async function withLease(
  { context, space }: Tending,
  holder: string,
  work: () => Promise<IndexUpkeep>,
): Promise<IndexUpkeep> {
  const { store, clock } = context;
  const name = `index ${space}`;
  const now = clock.now();
  if (!(await store.takeLease(name, holder, now + LEASE_MS, now))) return { ...NOTHING_DONE, postponed: true };
  try {
    return await work();
  } finally {
    await store.releaseLease(name, holder);
  }
}
