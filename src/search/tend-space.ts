import { EngineError } from '../model/errors.ts';
import type { RecordId, SpaceId } from '../model/ids.ts';
import { readCoveredTo } from './index/segment-id.ts';
import type { IndexContext, SpaceIndex } from './index/space-index.ts';
import {
  findHoldingDead,
  flush,
  flushSize,
  forgetRecords,
  isFlushDue,
  mergeSegments,
  type Occasion,
  type Tended,
} from './index/tend-index.ts';
import type { IndexCache } from './index-cache.ts';
import type { Log } from './ports.ts';

/** Work that loses this often to other processes is left to them. */
const MAX_ATTEMPTS = 8;
const FEED_PAGE = 1000;

/** What background work on one space needs. */
export interface Tending {
  context: IndexContext;
  cache: IndexCache;
  space: SpaceId;
}

/** One round of background work. Purged words leave first: no segment may cover the feed past a purge while another still holds its words. */
export async function tendSpace(
  tending: Tending,
  occasion: Occasion = 'upkeep',
): Promise<{ flushed: number; merged: number }> {
  const { context, cache, space } = tending;
  const index = await cache.adopt(space);
  await forgetEverywhere(tending, [...index.purged]);
  const flushed = await repeat(tending, (fresh) =>
    isFlushDue(context, fresh, occasion) ? flush(context, fresh) : 'nothing',
  );
  const merged = await repeat(tending, (fresh) => mergeSegments(context, fresh));
  const { purged } = await cache.fresh(space);
  await forgetEverywhere(tending, [...purged]);
  return { flushed, merged };
}

/** Makes the index anew from the records and stores it. */
export async function rebuildSpace(tending: Tending): Promise<void> {
  const { context, cache, space } = tending;
  await cache.reload(space, { fromScratch: true });
  await repeat(tending, (index) => flush(context, index));
}

/** Rewrites every segment that holds any of these records. On a full disk they all go instead: the index is made from the records again. */
export async function forgetEverywhere(tending: Tending, ids: readonly RecordId[]): Promise<void> {
  if (ids.length === 0) return;
  try {
    await rewriteWithout(tending, ids);
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'storage_full') throw error;
    await dropSegments(tending);
  }
}

async function dropSegments({ context: { store, log }, cache, space }: Tending): Promise<void> {
  for (let tries = 0; tries < MAX_ATTEMPTS; tries++) {
    if (!(await store.replaceSegments(space, await store.listSegments(space), []))) continue;
    log.warn('index_dropped', { space, why: 'storage_full' });
    return cache.drop(space);
  }
  throw stillIndexed();
}

async function rewriteWithout(tending: Tending, ids: readonly RecordId[]): Promise<void> {
  const { context, cache, space } = tending;
  await cache.adopt(space);
  await repeat(tending, (index) => forgetRecords(context, index, ids));
  const index = await cache.fresh(space);
  if ((await findHoldingDead(index, ids)) !== null) throw stillIndexed();
  for (const id of ids) index.purged.delete(id);
}

function stillIndexed(): EngineError {
  return new EngineError(
    'busy',
    'The words of purged records are still in the index because other processes keep rewriting it.',
    { hint: 'The next round of upkeep removes them.' },
  );
}

/**
 * Whether upkeep has reason to load an index that is not in memory: much has happened since its last segment, or something was purged.
 * Costs two small reads, so that a process which never searches a space does not hold it either.
 */
export async function isWorthLoading(context: IndexContext, space: SpaceId): Promise<boolean> {
  const { store } = context;
  const segments = await store.listSegments(space);
  const covered = segments.map(readCoveredTo);
  const to = Math.max(0, ...covered);
  const head = await store.head(space);
  if (covered.includes(Number.NaN) || head - to >= flushSize(context, to)) return true;
  for (let seq = to; seq < head && segments.length > 0; ) {
    const page = await store.changesAfter(space, seq, FEED_PAGE);
    if (page.length === 0) return true;
    if (page.some((entry) => entry.op === 'purged')) return true;
    seq = page.at(-1)!.seq;
  }
  return false;
}

/** Segments that an earlier release wrote do not tell what contents consist of. */
export async function lacksRuns({ cache, space }: Tending): Promise<boolean> {
  const index = await cache.fresh(space);
  return index.parts.some(({ body }) => body !== null && body.runs === null);
}

/** Vectors of the engine's embedder that the store has and the index lacks, because its segments were made for another embedder. */
export async function lacksVectors({ context, cache, space }: Tending): Promise<boolean> {
  const index = await cache.fresh(space);
  const { embedder } = index;
  if (embedder === null || index.lean) return false;
  const docs = index.parts.reduce((sum, part) => sum + part.liveDocs, 0);
  const held = index.parts.reduce((sum, part) => sum + countVectors(part, embedder), 0);
  if (held === docs) return false;
  const { vectors } = await context.store.inspect(space);
  return (vectors.find((each) => each.embedder === embedder)?.passages ?? 0) > held;
}

function countVectors({ body, deadDocs, columns }: SpaceIndex['parts'][number], embedder: string): number {
  const vectors = body?.vectors;
  if (vectors?.embedder !== embedder) return 0;
  let held = 0;
  for (let doc = 0; doc < columns.docCount; doc++) if (deadDocs[doc] === 0 && vectors.scales[doc]! > 0) held++;
  return held;
}

/** Goes on while there is something to do, with a fresh index where another process was faster. Returns how often it was done. */
async function repeat(
  { cache, space }: Tending,
  work: (index: SpaceIndex) => Tended | Promise<Tended>,
): Promise<number> {
  let index = await cache.fresh(space);
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

/** Long enough that a burst of writes does not pay for a segment in between two of them. */
const SOON_MS = 300;

export interface SoonTending {
  /** Work on this space is due: it is done in a moment, beside the searches. */
  due(space: SpaceId): void;
  stop(): void;
}

/** Never holds up whoever noticed the work, nor the end of the process. Where it fails, it is left to upkeep, which tells. */
export function createSoonTending(tend: (space: SpaceId) => Promise<unknown>, log: Log): SoonTending {
  const waiting = new Map<SpaceId, NodeJS.Timeout>();
  const leftToUpkeep = new Set<SpaceId>();
  let isStopped = false;
  const run = async (space: SpaceId): Promise<void> => {
    try {
      await tend(space);
    } catch (error) {
      leftToUpkeep.add(space);
      log.warn('index_not_stored', { space, message: error instanceof Error ? error.message : String(error) });
    } finally {
      waiting.delete(space);
    }
  };
  return {
    due(space) {
      if (isStopped || waiting.has(space) || leftToUpkeep.has(space)) return;
      waiting.set(space, setTimeout(() => void run(space), SOON_MS).unref());
    },
    stop() {
      isStopped = true;
      for (const timer of waiting.values()) clearTimeout(timer);
    },
  };
}
