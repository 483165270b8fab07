import { EngineError } from './errors.ts';
import type { Instant, SpaceId } from './ids.ts';

/**
 * What a machine knows of a record, sealed by it: whoever keeps it can read none of it. Uploads of one record share a slot; which record that is,
 * the slot does not tell.
 */
export interface SealedUpload {
  slot: string;
  /** Its own name. */
  upload: string;
  /** Of the record; 0 where nothing but a purge is said. */
  generation: number;
  /** The last generation that was purged; 0: none. What is kept of those goes. */
  buried: number;
  /** The key that it is sealed with, and the machine that did so. */
  keyId: string;
  member: string;
  /** Equal ones say the same of a record. */
  tag: string;
  body: Uint8Array;
}

export interface KeptUpload extends SealedUpload {
  /** Counted up in the space; never given twice. */
  seq: number;
}

/** An upload without its body. */
export type UploadFacts = Omit<KeptUpload, 'body' | 'generation' | 'member'> & { userId: string };

/** Who has the key of a sealed space. Each revision names the one before it; only the members understand it. */
export interface KeptKeyring {
  revision: number;
  keyId: string;
  text: string;
}

export interface SealedCounts {
  uploads: number;
  slots: number;
  bytes: number;
  /** Uploads by the key that they are sealed with. */
  keys: Readonly<Record<string, number>>;
}

export interface UploadTaking {
  /** Uploads of the same slot up to this number are taken in by those that come, and go. */
  upTo: number;
  /** Must be that of the last keyring. */
  keyId: string;
  link: string;
  userId: string;
  at: Instant;
}

/** Where sealed spaces are kept. They are no records: nothing of them stands in the feed, and a space that has one keyring takes no records. */
export interface SealedStore {
  /** Returns those after this revision, in order. */
  readKeyrings(space: SpaceId, after: number): Promise<KeptKeyring[]>;
  /** Adds a keyring. `outrun`: its revision is not the next one. `occupied`: the first one cannot come where there are records. */
  putKeyring(space: SpaceId, keyring: KeptKeyring, at: Instant): Promise<'kept' | 'outrun' | 'occupied'>;
  /** Takes uploads in, all or none. `keeps`: earlier ones that were not taken in, whatever their number. May be repeated. */
  put(
    space: SpaceId,
    uploads: readonly (SealedUpload & { keeps: readonly string[] })[],
    taking: UploadTaking,
  ): Promise<'kept' | 'other_key'>;
  /** Returns those after a number, in order, without those of a link; at most so many, or so many bytes. `last`: the number up to which was looked. */
  list(
    space: SpaceId,
    page: { after: number; without: string | null; limit: number; bytes: number },
  ): Promise<{ uploads: KeptUpload[]; last: number; isLast: boolean }>;
  /** Returns those that are there still, by their names. */
  read(space: SpaceId, names: readonly string[]): Promise<KeptUpload[]>;
  /** Removes uploads for good; returns how many were there. */
  drop(space: SpaceId, names: readonly string[]): Promise<number>;
  /** Lists uploads by slot, then number; whole slots. */
  listSlots(space: SpaceId, page: { after: string; limit: number }): Promise<UploadFacts[]>;
  /** Lists all uploads of these slots. */
  findSlots(space: SpaceId, slots: readonly string[]): Promise<UploadFacts[]>;
  /** Counts uploads, without looking at them. */
  countUploads(space: SpaceId): Promise<number>;
  /** Counts what the space keeps, by looking at all of it. */
  count(space: SpaceId): Promise<SealedCounts>;
}

/** One line of the digest of a sealed space, in the order of slots; both sides make it alike. */
export function describeSlot(slot: string, tags: ReadonlySet<string>): string {
  return `${slot} ${[...tags].sort().join(' ')}\n`;
}

/** Whoever wants to read or write records where there are none that could be read. */
export function sealedSpace(): EngineError {
  return new EngineError('space_sealed', 'This space is sealed: the server keeps what it cannot read.', {
    hint: 'Work on a machine that has the key, and exchange with `ltm sync memory`; see docs/sync.md.',
  });
}
