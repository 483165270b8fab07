import type { Instant, SpaceId } from './ids.ts';
import { sha256Of } from './sha256.ts';

/** A piece of a transcript, kept once in a space however many transcripts hold it. */
export interface ChunkFacts {
  /** Of its bytes, hexadecimal: its name. */
  sha256: string;
  /** Before it was compressed. */
  bytes: number;
  /** Line ends in it. */
  lines: number;
  /** Of a pointer: the piece that is kept in place of one that held secrets. */
  alias: string | null;
  /** It has been looked through for secrets, and has none. */
  clean: boolean;
}

export interface Chunk extends ChunkFacts {
  /** Compressed with Zstandard; empty in a pointer. */
  packed: Uint8Array;
}

/** The name of the pointer from a piece that held secrets to what is kept of it: the piece itself may be kept as well, where secrets are not replaced. */
export function pointerName(sha256: string): string {
  return sha256Of(`without secrets: ${sha256}`);
}

/** The name of the pointer from a piece that a scrub has removed to what took its place: it counts wherever the piece is sent again, secrets replaced or not. */
export function scrubbedName(sha256: string): string {
  return sha256Of(`scrubbed: ${sha256}`);
}

/** Where pieces of transcripts are kept. They are named by what they hold, so that none is ever changed. */
export interface ChunkStore {
  /** Keeps pieces. Those that are there already count as stored at this time, as clean once one of them is, and are sound again. */
  put(space: SpaceId, chunks: readonly Chunk[], at: Instant): Promise<void>;
  /** Returns those of the names that are there; they count as stored at `at`, where one is given, so that nobody clears them away meanwhile. */
  find(space: SpaceId, names: readonly string[], at?: Instant): Promise<ChunkFacts[]>;
  /** Returns pieces in the order asked for; throws storage_damaged for one that is missing or not what was written. */
  read(space: SpaceId, names: readonly string[]): Promise<Chunk[]>;
  /** Lists by name those after this one, with when they were stored. */
  list(space: SpaceId, after: string, limit: number): Promise<{ sha256: string; storedAt: Instant }[]>;
  /** Removes these pieces, whoever still holds them. */
  drop(space: SpaceId, names: readonly string[]): Promise<void>;
}
