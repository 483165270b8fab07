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
