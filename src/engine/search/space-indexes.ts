import { newRecordId, type RecordId, type Sequence, type SpaceId } from '../../model/ids.ts';
import type { SegmentId } from '../../model/segment.ts';
import type { EnginePorts, EngineSettings } from '../engine.ts';
import { readSegment } from './index/read-segment.ts';
import { DamagedSegment } from './index/segment-format.ts';
import { openBody } from './index/segment-part.ts';
import type { IndexContext } from './index/space-index.ts';
import { createIndexCache, type IndexCache } from './index-cache.ts';
import { makeSearchSet, type SearchSet } from './search-set.ts';
import { forgetEverywhere, isWorthLoading, lacksVectors, rebuildSpace, tendSpace } from './tend-space.ts';
import { tokenize } from './text/tokenize.ts';

/** The indexes of all spaces, kept within the memory budget. */
export interface SpaceIndexes {
  /** Brings the spaces to their heads and calls `use` at once: nothing can change between the two. */
  search<T>(spaces: readonly SpaceId[], use: (set: SearchSet) => T | Promise<T>): Promise<T>;
  /** One round of background work: flush, merge, rewrite what a purge left behind. Does nothing while another process is at it. */
  upkeep(space: SpaceId): Promise<{ flushed: number; merged: number }>;
  /** Makes the index anew from the records and stores it. */
  rebuild(space: SpaceId): Promise<void>;
  /** Rewrites every segment that holds words of these purged records. */
  forget(space: SpaceId, ids: readonly RecordId[]): Promise<void>;
  /** The index against the store, for doctor. */
  compare(space: SpaceId): Promise<IndexComparison>;
  describe(): IndexFacts;
  close(): Promise<void>;
}

export interface IndexComparison {
  indexedRecords: number;
  storedRecords: number;
  indexedPassages: number;
  storedPassages: number;
  segments: number;
  damaged: SegmentId[];
  head: Sequence;
}

export interface IndexFacts {
  spaces: number;
  passages: number;
  bytes: number;
  heads: Record<SpaceId, Sequence>;
}

const LEASE_MS = 120_000;

export function createSpaceIndexes(ports: EnginePorts, settings: Pick<EngineSettings, 'indexBudgetBytes' | 'flushPassages'>): SpaceIndexes {
  const { store, clock, log } = ports;
  const context: IndexContext = {
    store,
    clock,
    log,
    tokenize,
    embedder: ports.embedder?.id ?? null,
    budgetBytes: settings.indexBudgetBytes,
    flushPassages: settings.flushPassages,
    async readBody(space, id) {
      const [segment] = await store.readSegments(space, [id]);
      return segment === undefined ? null : openBody(segment);
    },
  };
  const cache = createIndexCache(context);
  const holder = newRecordId(clock.now());
  /** Spaces made anew for their vectors once: those it could not help are not tried for ever. */
  const refilled = new Set<SpaceId>();
  return {
    async search(spaces, use) {
      const indexes = await Promise.all([...new Set(spaces)].map((space) => cache.fresh(space)));
      return use(makeSearchSet(indexes, context));
    },
    async upkeep(space) {
      const wasLoaded = cache.isLoaded(space);
      if (!wasLoaded && !(await isWorthLoading(context, space))) return { flushed: 0, merged: 0 };
      const tending = { context, cache, space };
      return cache.exclusively(space, () =>
        withLease(context, { space, holder }, async () => {
          if (!refilled.has(space) && (await lacksVectors(tending))) {
            refilled.add(space);
            await rebuildSpace(tending);
          }
          const tended = await tendSpace(tending);
          if (!wasLoaded) cache.drop(space);
          return tended;
        }),
      );
    },
    rebuild: (space) => cache.exclusively(space, () => rebuildSpace({ context, cache, space })),
    forget: (space, ids) => cache.exclusively(space, () => forgetEverywhere({ context, cache, space }, ids)),
    compare: (space) => compareWithStore(context, cache, space),
    describe: () => cache.describe(),
    close: () => cache.close(),
  };
}

async function withLease(
  context: IndexContext,
  { space, holder }: { space: SpaceId; holder: string },
  work: () => Promise<{ flushed: number; merged: number }>,
) {
  const { store, clock } = context;
  const name = `index ${space}`;
  const now = clock.now();
  if (!(await store.takeLease(name, holder, now + LEASE_MS, now))) return { flushed: 0, merged: 0 };
  try {
    return await work();
  } finally {
    await store.releaseLease(name, holder);
  }
}

async function compareWithStore(context: IndexContext, cache: IndexCache, space: SpaceId): Promise<IndexComparison> {
  const damaged: SegmentId[] = [];
  const listed = await context.store.listSegments(space);
  for (const id of listed) {
    for (const segment of await context.store.readSegments(space, [id])) if (!isSound(segment.bytes)) damaged.push(id);
  }
  for (;;) {
    const index = await cache.fresh(space);
    const { head } = index;
    const indexedRecords = index.parts.reduce((sum, part) => sum + part.liveRecords, 0);
    const indexedPassages = index.parts.reduce((sum, part) => sum + part.liveDocs, 0);
    const facts = await context.store.inspect(space);
    if (facts.head !== head) continue; // something was written between the two counts
    return { indexedRecords, storedRecords: facts.records, indexedPassages, storedPassages: facts.passages, segments: listed.length, damaged, head };
  }
}

function isSound(bytes: Uint8Array): boolean {
  try {
    readSegment(bytes);
    return true;
  } catch (error) {
    if (error instanceof DamagedSegment) return false;
    throw error;
  }
}
