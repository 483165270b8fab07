import type { RecordId, Sequence, SpaceId } from '../model/ids.ts';
import type { SegmentId } from '../model/segment.ts';
import { createPacer } from './index/pacer.ts';
import type { Part } from './index/part.ts';
import { readSegment } from './index/read-segment.ts';
import { DamagedSegment } from './index/segment-format.ts';
import type { Counts, Segments } from './ports.ts';

export interface IndexComparison {
  indexedRecords: number;
  storedRecords: number;
  indexedPassages: number;
  storedPassages: number;
  segments: number;
  damaged: SegmentId[];
  /** Records that cannot be in the index because they are damaged. */
  damagedRecords: number;
  head: Sequence;
}

/** Something may be written between counting the index and counting the store: then both are counted again, so often at most. */
const MAX_COUNTS = 20;

interface Compared {
  store: Segments & Counts;
  space: SpaceId;
  /** The index of the space, up to date. */
  fresh(): Promise<{ head: Sequence; parts: readonly Part[]; damaged: ReadonlySet<RecordId> }>;
}

export async function compareWithStore({ store, space, fresh }: Compared): Promise<IndexComparison> {
  const damaged: SegmentId[] = [];
  const listed = await store.listSegments(space);
  for (const id of listed) {
    const [segment] = await store.readSegments(space, [id]);
    // One that is listed and cannot be read lacks a part, unless another process has just swapped it out.
    const isThere = segment !== undefined || (await store.listSegments(space)).includes(id);
    if (isThere && (segment === undefined || !(await isSound(segment.bytes)))) damaged.push(id);
  }
  for (let attempt = 1; ; attempt++) {
    const index = await fresh();
    const { head } = index;
    const indexedRecords = index.parts.reduce((sum, part) => sum + part.liveRecords, 0);
    const indexedPassages = index.parts.reduce((sum, part) => sum + part.liveDocs, 0);
    const facts = await store.inspect(space);
    if (facts.head !== head && attempt < MAX_COUNTS) continue;
    return {
      indexedRecords,
      storedRecords: facts.records,
      indexedPassages,
      storedPassages: facts.passages,
      segments: listed.length,
      damaged,
      damagedRecords: index.damaged.size,
      head,
    };
  }
}

async function isSound(bytes: Uint8Array): Promise<boolean> {
  try {
    await readSegment(bytes, createPacer());
    return true;
  } catch (error) {
    if (error instanceof DamagedSegment) return false;
    throw error;
  }
}
