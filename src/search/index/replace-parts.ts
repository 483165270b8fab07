import type { RecordId } from '../../model/ids.ts';
import type { Segment, SegmentId } from '../../model/segment.ts';
import { idAt } from './columns.ts';
import { type MergeSource, mergeParts } from './merge-parts.ts';
import { createPacer } from './pacer.ts';
import { kill, type Part } from './part.ts';
import { newSegmentId } from './segment-id.ts';
import { openSegment } from './segment-part.ts';
import type { IndexContext, SpaceIndex } from './space-index.ts';
import { writeSegment } from './write-segment.ts';

export interface Replacement {
  /** Parts of the index that one new segment takes the place of. */
  parts: readonly Part[];
  from: number;
  to: number;
  deletedIds: readonly RecordId[];
  /** Segments of the store that leave with the swap. */
  leaving: readonly SegmentId[];
  /** Records that must not be in the new segment, dead or alive. */
  without?: ReadonlySet<RecordId>;
}

/**
 * Makes one segment of several parts and swaps it in, first in the store, then here. Until the store's swap nothing has changed, and after it nothing is missing,
 * whether or not this process lives to see it. False: another process was faster, and the index must be loaded again.
 */
export async function replaceParts(
  context: IndexContext,
  index: SpaceIndex,
  replacement: Replacement,
): Promise<boolean> {
  const { parts, from, to, deletedIds, leaving, without } = replacement;
  const before = parts.map((part) => part.deadRecords.slice(0, part.columns.recordCount));
  const sources: MergeSource[] = [];
  for (const [i, part] of parts.entries()) {
    const body = part.body ?? (await context.readWholeBody(index.space, part.segment!.id));
    if (body === null) return false;
    // The columns of a tail move while it grows; what a merge reads must not.
    sources.push({ columns: { ...part.columns }, body, dead: await leaveOut(part, before[i]!, without) });
  }
  const contents = await mergeParts({ from, to, sources, deletedIds, embedder: index.embedder });
  const { embedder, sections } = contents;
  const bytes = await writeSegment(contents, createPacer());
  const segment: Segment = {
    id: newSegmentId(context.clock.now(), to),
    from,
    to,
    passages: sections.docRecord.length,
    embedder,
    bytes,
  };
  if (!(await context.store.replaceSegments(index.space, leaving, [segment]))) return false;
  const next = await openSegment(segment, index.lean);
  for (const [i, part] of parts.entries()) passOnDeaths(part, before[i]!, next);
  if (!parts.every((part) => index.parts.includes(part))) return false;
  index.parts = [
    ...index.parts.filter((part) => part.segment !== null && !parts.includes(part)),
    next,
    ...index.parts.filter((part) => part.segment === null && !parts.includes(part)),
  ];
  return true;
}

async function leaveOut(part: Part, dead: Uint8Array, without: ReadonlySet<RecordId> = new Set()): Promise<Uint8Array> {
  const left = dead.slice();
  const pace = createPacer();
  let looked = 0;
  for (const id of without) {
    const record = part.find(id);
    if (record !== -1) left[record] = 1;
    if (looked++ % 500 === 0) await pace();
  }
  return left;
}

/** What died while the segment was being made is dead in it too. */
function passOnDeaths(part: Part, before: Uint8Array, next: Part): void {
  for (let record = 0; record < before.length; record++) {
    if (before[record] === 1 || part.deadRecords[record] !== 1) continue;
    const heir = next.find(idAt(part.columns, record));
    if (heir !== -1) kill(next, heir);
  }
}
