import { RECORD_ID_LENGTH, type SpaceId } from '../../model/ids.ts';
import type { SegmentId } from '../../model/segment.ts';
import { compareIds, seekId } from './columns.ts';
import { openLazily } from './lazy-segment.ts';
import { kill, type Part } from './part.ts';
import { DamagedSegment } from './segment-format.ts';
import { openSegment } from './segment-part.ts';
import {
  catchUp,
  countLost,
  createSpaceIndex,
  fillFromStore,
  type IndexContext,
  type SpaceIndex,
} from './space-index.ts';

export interface LoadOptions {
  /** Segments already in memory are taken from here. */
  known: SpaceIndex | null;
  /** Trust no segment: read every record again. */
  fromScratch: boolean;
}

/** An index fresh to the feed's head: segments first, then what the feed says since. Damaged segments are made good from the store. */
export async function loadSpaceIndex(context: IndexContext, space: SpaceId, options: LoadOptions): Promise<SpaceIndex> {
  const index = await load(context, space, options);
  await countLost(context, index);
  return index;
}

async function load(context: IndexContext, space: SpaceId, { known, fromScratch }: LoadOptions): Promise<SpaceIndex> {
  await context.embedders.decide(space);
  const embedder = context.embedders.idOf(space);
  const index = createSpaceIndex(context, space, embedder);
  const listed = await context.store.listSegments(space);
  if (fromScratch || listed.length === 0) return fillAndCatchUp(context, index, listed);
  const { parts, damaged, lean } = await openSegments(context, space, { ids: listed, known, lean: false });
  const trusted = coverFeed(parts);
  index.lean = lean;
  index.parts = [...trusted, index.tail];
  index.covered = trusted.at(-1)?.segment?.to ?? 0;
  index.head = index.covered;
  index.discarded = [...damaged, ...parts.filter((part) => !trusted.includes(part)).map((part) => part.segment!.id)];
  hideReplaced(trusted);
  if (trusted.length > 0 && (await catchUp(context, index))) return index;
  context.log.warn('index_rebuilt', { space, segments: listed.length, damaged: damaged.length });
  return fillAndCatchUp(context, createSpaceIndex(context, space, embedder), listed);
}

async function fillAndCatchUp(
  context: IndexContext,
  index: SpaceIndex,
  listed: readonly SegmentId[],
): Promise<SpaceIndex> {
  index.discarded = [...listed];
  await fillFromStore(context, index);
  await catchUp(context, index);
  return index;
}

interface Wanted {
  ids: readonly SegmentId[];
  known: SpaceIndex | null;
  lean: boolean;
}

async function openSegments(context: IndexContext, space: SpaceId, { ids, known, lean }: Wanted): Promise<Opened> {
  const opened: Opened = { parts: [], damaged: [], lean };
  let bytes = 0;
  for (const id of ids) {
    const kept = known?.parts.find((part) => part.segment?.id === id && (part.body === null) === lean);
    const part = kept === undefined ? await openStored(context, space, { id, lean }) : revive(kept);
    if (part === 'damaged') opened.damaged.push(id);
    else if (part !== null) {
      opened.parts.push(part);
      bytes += part.segment!.bytes;
    }
    if (!lean && !context.isBrief && bytes > context.budgetBytes)
      return openSegments(context, space, { ids, known, lean: true });
  }
  return opened;
}

interface Opened {
  parts: Part[];
  damaged: SegmentId[];
  lean: boolean;
}

/** null when another process has swapped the segment out meanwhile: the feed covers what it held. */
async function openStored(
  context: IndexContext,
  space: SpaceId,
  { id, lean }: { id: SegmentId; lean: boolean },
): Promise<Part | 'damaged' | null> {
  try {
    const pieces = context.isBrief ? ((await context.store.openSegment?.(space, id)) ?? null) : null;
    const part = pieces === null ? null : openLazily(pieces);
    if (part !== null) return part;
    const [segment] = await context.store.readSegments(space, [id]);
    return segment === undefined ? null : await openSegment(segment, lean);
  } catch (error) {
    if (!(error instanceof DamagedSegment)) throw error;
    context.log.warn('segment_damaged', { space, segment: id, reason: error.message });
    return 'damaged';
  }
}

/** The same segment with nothing dead. */
function revive(part: Part): Part {
  const { columns } = part;
  let liveLength = 0;
  for (let doc = 0; doc < columns.docCount; doc++) liveLength += columns.docLength[doc]!;
  const overlay = { deadRecords: new Uint8Array(columns.recordCount), deadDocs: new Uint8Array(columns.docCount) };
  return { ...part, ...overlay, liveRecords: columns.recordCount, liveDocs: columns.docCount, liveLength };
}

/** The longest run of segments that covers the feed from its beginning. */
function coverFeed(parts: readonly Part[]): Part[] {
  const ordered = parts.toSorted((a, b) => a.segment!.from - b.segment!.from || a.segment!.to - b.segment!.to);
  const trusted: Part[] = [];
  let covered = 0;
  for (const part of ordered) {
    if (part.segment!.from > covered) break;
    trusted.push(part);
    covered = Math.max(covered, part.segment!.to);
  }
  return trusted.sort((a, b) => a.segment!.to - b.segment!.to);
}

/** Whatever a later segment holds or deleted is dead in the earlier ones. */
function hideReplaced(parts: readonly Part[]): void {
  for (const [i, later] of parts.entries()) {
    for (const earlier of parts.slice(0, i)) {
      killListed(earlier, later.columns.ids);
      killListed(earlier, later.segment!.deletedIds);
    }
  }
}

function killListed(part: Part, listed: Uint8Array): void {
  const { ids, recordCount } = part.columns;
  const count = listed.length / RECORD_ID_LENGTH;
  // Ids grow with time: most of what is new lies behind everything older.
  if (recordCount === 0 || count === 0 || compareIds(listed, 0, ids, recordCount - 1) > 0) return;
  let from = 0;
  for (let i = 0; i < count && from < recordCount; i++) {
    const { index, found } = seekId(ids, from, listed, i);
    if (found) kill(part, index);
    from = index;
  }
}
