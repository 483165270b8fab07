import { EngineError } from '../../model/errors.ts';
import { newRecordId, type RecordId, type Sequence, type SpaceId } from '../../model/ids.ts';
import type { SegmentId } from '../../model/segment.ts';
import type { EnginePorts, EngineSettings } from '../engine.ts';
import { readSegment } from './index/read-segment.ts';
import { DamagedSegment } from './index/segment-format.ts';
import { openBody } from './index/segment-part.ts';
import type { IndexContext, SpaceIndex } from './index/space-index.ts';
import { flush, forgetRecords, isFlushDue, mergeSegments, type Tended } from './index/tend-index.ts';
import { createIndexCache, type IndexCache } from './index-cache.ts';
import { makeSearchSet, type SearchSet } from './search-set.ts';
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
/** A merge that loses this often to other processes is left to them. */
const MAX_ATTEMPTS = 8;

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
  return {
    async search(spaces, use) {
      const indexes = await Promise.all([...new Set(spaces)].map((space) => cache.fresh(space)));
      return use(makeSearchSet(indexes, context));
    },
    upkeep: (space) => cache.exclusively(space, () => withLease(context, { space, holder }, () => tend(context, cache, space))),
    rebuild: (space) =>
      cache.exclusively(space, async () => {
        const index = await cache.reload(space, { fromScratch: true });
        await repeat(cache, space, { first: index, work: (fresh) => flush(context, fresh) });
      }),
    forget: (space, ids) => cache.exclusively(space, () => forgetEverywhere(context, cache, { space, ids })),
    compare: (space) => compareWithStore(context, cache, space),
    describe: () => cache.describe(),
    close: () => cache.close(),
  };
}

async function tend(context: IndexContext, cache: IndexCache, space: SpaceId): Promise<{ flushed: number; merged: number }> {
  const index = await cache.adopt(space);
  await forgetEverywhere(context, cache, { space, ids: [...index.purged] });
  const flushed = await repeat(cache, space, {
    first: await cache.fresh(space),
    work: (fresh) => (isFlushDue(fresh, context.flushPassages) ? flush(context, fresh) : 'nothing'),
  });
  const merged = await repeat(cache, space, { first: await cache.fresh(space), work: (fresh) => mergeSegments(context, fresh) });
  const { purged } = await cache.fresh(space);
  await forgetEverywhere(context, cache, { space, ids: [...purged] });
  return { flushed, merged };
}

interface Work {
  first: SpaceIndex;
  work(index: SpaceIndex): Tended | Promise<Tended>;
}

/** Goes on while there is something to do, with a fresh index where another process was faster. Returns how often it was done. */
async function repeat(cache: IndexCache, space: SpaceId, { first, work }: Work): Promise<number> {
  let index = first;
  let done = 0;
  for (let lost = 0; lost < MAX_ATTEMPTS; ) {
    const tended = await work(index);
    if (tended === 'nothing') return done;
    if (tended === 'done') done++;
    else {
      lost++;
      index = await cache.reload(space, { fromScratch: false });
    }
  }
  return done;
}

async function forgetEverywhere(context: IndexContext, cache: IndexCache, { space, ids }: { space: SpaceId; ids: readonly RecordId[] }): Promise<void> {
  if (ids.length === 0) return;
  const first = await cache.adopt(space);
  await repeat(cache, space, { first, work: (index) => forgetRecords(context, index, ids) });
  const index = await cache.fresh(space);
  if (index.parts.some((part) => part.segment !== null && ids.some((id) => part.find(id) !== -1))) {
    throw new EngineError('busy', 'The words of purged records are still in the index because other processes keep rewriting it.', {
      hint: 'The next round of upkeep removes them.',
    });
  }
  for (const id of ids) index.purged.delete(id);
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
