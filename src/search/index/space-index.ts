import type { FeedOp } from '../../model/change.ts';
import { passOver } from '../../model/damage.ts';
import type { RecordId, Sequence, SpaceId } from '../../model/ids.ts';
import type { EmbedderId, IndexEntry } from '../../model/passage.ts';
import type { SegmentId } from '../../model/segment.ts';
import type { EmbedderChoice } from '../embedder-choice.ts';
import type { Clock, IndexStore, KindCodes, Log } from '../ports.ts';
import { createPacer, type Pace } from './pacer.ts';
import { type Body, kill, type Part } from './part.ts';
import { type PreparedEntry, prepareInTurns, type Tokenize } from './prepare-entry.ts';
import type { RecentWrites } from './recent-writes.ts';
import { createTail, type Tail } from './tail.ts';

/** What keeping an index takes. */
export interface IndexContext {
  store: IndexStore;
  clock: Clock;
  log: Log;
  tokenize: Tokenize;
  kinds: KindCodes;
  /** Whose vectors the index of a space is to hold. */
  embedders: EmbedderChoice;
  /** What this process wrote a moment ago; null: all is read from the store. */
  recent: RecentWrites | null;
  budgetBytes: number;
  flushPassages: number;
  /** For one command: of a segment only that is read which is used. */
  isBrief: boolean;
  /** Words and vectors of a segment that is in memory without them, for a search: of what the store can give in pieces only that is read which is used. Null when it is no longer in the store. */
  readBody(space: SpaceId, segment: SegmentId): Promise<Body | null>;
  /** The same for whoever needs all of it. */
  readWholeBody(space: SpaceId, segment: SegmentId): Promise<Body | null>;
}

/** One space's index as of feed number `head`. A record is alive in at most one part. */
export interface SpaceIndex {
  readonly space: SpaceId;
  /** Whose vectors it holds; null: whichever it meets first. */
  readonly embedder: EmbedderId | null;
  head: Sequence;
  /** Up to where the segments among the parts cover the feed. */
  covered: Sequence;
  parts: Part[];
  /** The one of the parts that grows. */
  tail: Tail;
  /** Segments in the store that are damaged or useless; the next flush takes their place. */
  discarded: SegmentId[];
  /** Records purged since the index was loaded: their words must leave every segment. */
  purged: Set<RecordId>;
  /** Records that are damaged, and so not in the index. */
  damaged: Set<RecordId>;
  /** Records some of whose vectors are damaged: meaning does not find them. */
  lacksVectors: Set<RecordId>;
  /** How many live records the index lacks by the store's own count. */
  lost: number;
  /** The space is larger than the budget: words and vectors are read from the store while they are needed. */
  lean: boolean;
}

const FEED_PAGE = 1000;
const ENTRY_PAGE = 200;
/** A record of more passages is put in in turns. */
const LONG_DOCS = 100;

const TOUCHES_INDEX: Record<FeedOp, boolean> = {
  created: true,
  updated: true,
  deleted: true,
  restored: true,
  purged: true,
  embedded: true,
  related: false,
  unrelated: false,
};

export function createSpaceIndex({ kinds }: IndexContext, space: SpaceId, embedder: EmbedderId | null): SpaceIndex {
  const tail = createTail(embedder, kinds.codeOf);
  return {
    space,
    embedder,
    head: 0,
    covered: 0,
    parts: [tail],
    tail,
    discarded: [],
    purged: new Set(),
    damaged: new Set(),
    lacksVectors: new Set(),
    lost: 0,
    lean: false,
  };
}

/** Brings the index to the feed's head; false when the feed does not reach back far enough or is damaged, and the index must be made anew. */
export async function catchUp(context: IndexContext, index: SpaceIndex): Promise<boolean> {
  const target = await context.store.head(index.space);
  if (target === index.head) return true;
  if (target < index.head) return false;
  const written = context.recent?.take(index.space, index.head, target) ?? null;
  if (written !== null) {
    await putIn(context, index, written);
    index.head = target;
    return true;
  }
  const ids = new Set<RecordId>();
  const purged: RecordId[] = [];
  let reached = index.head;
  while (reached < target) {
    // What is left out leaves a gap.
    const page = await context.store.changesAfter(index.space, reached, FEED_PAGE, passOver);
    if (page.length === 0) return false;
    for (const { seq, op, id } of page) {
      if (seq !== reached + 1) return false;
      if (TOUCHES_INDEX[op]) ids.add(id);
      if (op === 'purged') purged.push(id);
      reached = seq;
    }
  }
  await readInto(context, index, [...ids]);
  for (const id of purged) index.purged.add(id);
  index.head = reached;
  return true;
}

/** Fills an empty index from the records themselves. */
export async function fillFromStore(context: IndexContext, index: SpaceIndex): Promise<void> {
  index.head = await context.store.head(index.space);
  let last: RecordId | null = null;
  for (;;) {
    const ids: RecordId[] = await context.store.listIds(index.space, { after: last, limit: ENTRY_PAGE });
    if (ids.length === 0) return;
    await readInto(context, index, ids);
    last = ids.at(-1)!;
  }
}

/** Reads these records and puts them in the place of what the index holds of them. */
async function readInto(context: IndexContext, index: SpaceIndex, ids: readonly RecordId[]): Promise<void> {
  const pace = createPacer();
  for (let start = 0; start < ids.length; start += ENTRY_PAGE) {
    const entries = await context.store.readIndexEntries(index.space, ids.slice(start, start + ENTRY_PAGE));
    await applyAll(context, index, { ready: await prepareAll(context, index, { entries, pace }), pace });
  }
}

/** The same for entries that are at hand. */
async function putIn(context: IndexContext, index: SpaceIndex, entries: readonly IndexEntry[]): Promise<void> {
  const pace = createPacer();
  await applyAll(context, index, { ready: await prepareAll(context, index, { entries, pace }), pace });
}

interface Ready {
  id: RecordId;
  prepared: PreparedEntry | null;
}

async function prepareAll(
  context: IndexContext,
  index: SpaceIndex,
  { entries, pace }: { entries: readonly IndexEntry[]; pace: Pace },
): Promise<Ready[]> {
  const ready: Ready[] = [];
  for (const entry of entries) {
    if (entry.damaged === 'record') index.damaged.add(entry.id);
    else index.damaged.delete(entry.id);
    if (entry.lacksVectors === true) index.lacksVectors.add(entry.id);
    else index.lacksVectors.delete(entry.id);
    const { tokenize } = context;
    const prepared = await prepareInTurns(entry, { tokenize, embedder: index.embedder, pace });
    ready.push({ id: entry.id, prepared });
    await pace();
  }
  return ready;
}

/** Compares with what the store has counted, where both are of one moment. */
export async function countLost(context: IndexContext, index: SpaceIndex): Promise<void> {
  const expected = await context.store.expectedRows(index.space);
  if (expected === null || expected.head !== index.head) return;
  const live = index.parts.reduce((sum, part) => sum + part.liveRecords, 0);
  index.lost = Math.abs(expected.live - live - index.damaged.size);
  if (index.lost > 0) context.log.warn('records_lost', { space: index.space, records: index.lost });
}

/** In turns: nobody searches an index while it is brought up to date. */
async function applyAll(
  context: IndexContext,
  index: SpaceIndex,
  { ready, pace }: { ready: readonly Ready[]; pace: Pace },
): Promise<void> {
  for (const { id, prepared } of ready) {
    if (prepared !== null && prepared.docs.length > LONG_DOCS) await applyLong(context, index, { prepared, pace });
    else apply(index, id, prepared);
    await pace();
  }
}

/** A tail of its own, which nobody knows until it is done. */
async function applyLong(
  { kinds }: IndexContext,
  index: SpaceIndex,
  { prepared, pace }: { prepared: PreparedEntry; pace: Pace },
): Promise<void> {
  const tail = createTail(index.embedder, kinds.codeOf);
  await tail.addInTurns(prepared, pace);
  index.tail = tail;
  apply(index, prepared.record.id, null);
  index.parts.push(tail);
}

function apply(index: SpaceIndex, id: RecordId, prepared: PreparedEntry | null): void {
  for (const part of index.parts) {
    const record = part.find(id);
    if (record !== -1) kill(part, record);
  }
  index.tail.touched.add(id);
  if (prepared !== null) index.tail.add(prepared);
}
