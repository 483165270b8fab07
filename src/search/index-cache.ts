import type { SpaceId } from '../model/ids.ts';
import { giveWay } from '../model/turn.ts';
import { type LoadOptions, loadSpaceIndex } from './index/load-space-index.ts';

import { catchUp, type IndexContext, type SpaceIndex } from './index/space-index.ts';
import { flushSize } from './index/tend-index.ts';
import type { IndexFacts } from './space-indexes.ts';

/** Keeps the indexes of spaces in memory, the most recently used ones within the budget. */
export interface IndexCache {
  /** The index as of the feed's head at some moment after this call. */
  fresh(space: SpaceId): Promise<SpaceIndex>;
  /** The same, with the segments that are in the store now. */
  adopt(space: SpaceId): Promise<SpaceIndex>;
  reload(space: SpaceId, options: Pick<LoadOptions, 'fromScratch'>): Promise<SpaceIndex>;
  /** Runs background work on a space, one after the other. */
  exclusively<T>(space: SpaceId, work: () => Promise<T>): Promise<T>;
  /** The index as it was last brought up to date; null while that is going on, and where it is not loaded. */
  settled(space: SpaceId): SpaceIndex | null;
  isLoaded(space: SpaceId): boolean;
  /** Those in memory, as they were last brought up to date. */
  list(): SpaceIndex[];
  /** Lets the index go; whoever needs it loads it again. */
  drop(space: SpaceId): void;
  describe(): IndexFacts;
  close(): Promise<void>;
}

interface Slot {
  index: SpaceIndex | null;
  /** The refresh under way, and the one that will start after it: whoever asks now may share only that. */
  running: Promise<unknown>;
  waiting: Promise<SpaceIndex> | null;
  refreshing: boolean;
  want: 'catch up' | 'reload' | 'rebuild';
  work: Promise<unknown>;
  /** Passages in memory only at which the store is asked for segments of other processes. */
  adoptAt: number;
}

export function createIndexCache(context: IndexContext): IndexCache {
  /** In order of use, the least recent first. */
  const slots = new Map<SpaceId, Slot>();
  const fresh = (space: SpaceId): Promise<SpaceIndex> =>
    shareRefresh(slotOf(slots, space, context), () => refresh(context, slots, space));
  const reload = (space: SpaceId, { fromScratch }: Pick<LoadOptions, 'fromScratch'>) => {
    slotOf(slots, space, context).want = fromScratch ? 'rebuild' : 'reload';
    return fresh(space);
  };
  return {
    fresh,
    reload,
    async adopt(space) {
      const index = await fresh(space);
      return (await hasOtherSegments(context, index)) ? reload(space, { fromScratch: false }) : index;
    },
    exclusively(space, work) {
      const slot = slotOf(slots, space, context);
      const result = slot.work.then(work);
      slot.work = result.then(ignoreResult, ignoreResult);
      return result;
    },
    settled(space) {
      const slot = slots.get(space);
      return slot === undefined || slot.refreshing || slot.waiting !== null ? null : slot.index;
    },
    isLoaded: (space) => (slots.get(space)?.index ?? null) !== null,
    list: () => listLoaded(slots),
    drop(space) {
      const slot = slots.get(space);
      if (slot !== undefined) slot.index = null;
    },
    describe: () => describeSlots(slots),
    async close() {
      await Promise.all([...slots.values()].flatMap((slot) => [slot.work, slot.running]));
      slots.clear();
    },
  };
}

/** Moves the space to the most recently used. */
function slotOf(slots: Map<SpaceId, Slot>, space: SpaceId, context: IndexContext): Slot {
  const done = Promise.resolve();
  const slot = slots.get(space) ?? {
    index: null,
    running: done,
    waiting: null,
    refreshing: false,
    want: 'catch up',
    work: done,
    adoptAt: flushSize(context, 0),
  };
  slots.delete(space);
  slots.set(space, slot);
  return slot;
}

function shareRefresh(slot: Slot, start: () => Promise<SpaceIndex>): Promise<SpaceIndex> {
  slot.waiting ??= slot.running.then(() => {
    slot.waiting = null;
    slot.refreshing = true;
    const run = start().finally(() => {
      slot.refreshing = false;
    });
    slot.running = run.then(ignoreResult, ignoreResult);
    return run;
  });
  return slot.waiting;
}

async function refresh(context: IndexContext, slots: Map<SpaceId, Slot>, space: SpaceId): Promise<SpaceIndex> {
  const slot = slotOf(slots, space, context);
  const want = slot.want;
  slot.want = 'catch up';
  const index = await bringUpToDate(context, space, { slot, want });
  slot.index = index;
  evict(slots, context.budgetBytes, space);
  return index;
}

/** A failure reaches the one who asked; whoever comes next starts anew. */
function ignoreResult(): void {}

async function bringUpToDate(
  context: IndexContext,
  space: SpaceId,
  { slot, want }: { slot: Slot; want: Slot['want'] },
): Promise<SpaceIndex> {
  const { index } = slot;
  if (index === null || want !== 'catch up') {
    const loaded = await loadSpaceIndex(context, space, { known: index, fromScratch: want === 'rebuild' });
    // The first search over it takes a stretch of its own. A command has nobody to give way to.
    if (!context.isBrief) await giveWay();
    return loaded;
  }
  if (index.embedder !== context.embedders.idOf(space))
    return loadSpaceIndex(context, space, { known: index, fromScratch: false });
  if (!(await catchUp(context, index))) return loadSpaceIndex(context, space, { known: index, fromScratch: false });
  const inMemory = index.parts.reduce((sum, part) => sum + (part.segment === null ? part.columns.docCount : 0), 0);
  if (inMemory < slot.adoptAt) return index;
  const step = flushSize(
    context,
    index.parts.reduce((sum, part) => sum + part.columns.docCount, -inMemory),
  );
  slot.adoptAt = inMemory + step;
  if (!(await hasOtherSegments(context, index))) return index;
  slot.adoptAt = step;
  return loadSpaceIndex(context, space, { known: index, fromScratch: false });
}

async function hasOtherSegments({ store }: IndexContext, index: SpaceIndex): Promise<boolean> {
  const listed = await store.listSegments(index.space);
  const own = new Set([
    ...index.parts.flatMap((part) => (part.segment === null ? [] : [part.segment.id])),
    ...index.discarded,
  ]);
  return listed.length !== own.size || listed.some((id) => !own.has(id));
}

function sizeOf(index: SpaceIndex | null): number {
  return index === null ? 0 : index.parts.reduce((sum, part) => sum + part.bytes, 0);
}

function evict(slots: Map<SpaceId, Slot>, budgetBytes: number, inUse: SpaceId): void {
  let total = [...slots.values()].reduce((sum, slot) => sum + sizeOf(slot.index), 0);
  for (const [space, slot] of slots) {
    if (total <= budgetBytes) return;
    if (space === inUse || slot.index === null) continue;
    total -= sizeOf(slot.index);
    slot.index = null;
  }
}

function listLoaded(slots: ReadonlyMap<SpaceId, Slot>): SpaceIndex[] {
  return [...slots.values()].flatMap(({ index }) => (index === null ? [] : [index]));
}

function describeSlots(slots: ReadonlyMap<SpaceId, Slot>): IndexFacts {
  const loaded = listLoaded(slots);
  return {
    spaces: loaded.length,
    passages: loaded.reduce((sum, index) => sum + index.parts.reduce((docs, part) => docs + part.liveDocs, 0), 0),
    bytes: loaded.reduce((sum, index) => sum + sizeOf(index), 0),
    heads: Object.fromEntries(loaded.map(({ space, head }) => [space, head])),
  };
}
