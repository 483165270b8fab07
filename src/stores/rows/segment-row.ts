import type { Sequence } from '../../model/ids.ts';
import type { EmbedderId } from '../../model/passage.ts';
import type { Segment, SegmentId } from '../../model/segment.ts';

export const SEGMENT_COLUMNS = 'id, from_seq, to_seq, passages, embedder, bytes';

export type SegmentRow = {
  id: SegmentId;
  from_seq: Sequence;
  to_seq: Sequence;
  passages: number;
  embedder: EmbedderId | null;
  bytes: number;
};

/** A segment is kept in pieces: none takes long to write, and nobody holds much more than one of them beside the whole. */
export const PART_BYTES = 2 * 1024 * 1024;

export function toSegment({ id, from_seq, to_seq, passages, embedder }: SegmentRow, bytes: Uint8Array): Segment {
  return { id, from: from_seq, to: to_seq, passages, embedder, bytes };
}
