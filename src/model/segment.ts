import type { Sequence } from './ids.ts';
import type { EmbedderId } from './passage.ts';

export type SegmentId = string;

/** An immutable piece of a space's index, as the store keeps it. The bytes are the engine's business. */
export interface Segment {
  id: SegmentId;
  /** The changes it was made from: after `from`, up to and including `to`. Live segments of a space cover 0 … to without a gap. */
  from: Sequence;
  to: Sequence;
  passages: number;
  embedder: EmbedderId | null;
  bytes: Uint8Array;
}

/**
 * A store that can read a part of a segment at once keeps it in pieces of this size, each of which has its own sum. Of SQLite's pages of 4 kB such a piece fills
 * two and a bit of a third: half as much, and a whole segment takes three times as long; twice as much, and so do some hundred vectors out of many.
 */
export const SEGMENT_PIECE_BYTES = 8576;

/** A segment in the store, read piece by piece and without waiting. */
export interface SegmentPieces extends Omit<Segment, 'bytes'> {
  /** Of the whole. */
  length: number;
  /** In this order; null when another process has swapped the segment out meanwhile. */
  read(pieces: readonly number[]): Uint8Array[] | null;
}
