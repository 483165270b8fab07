import type { Door } from './caller.ts';
import type { Dot, Instant, RecordId, SpaceId } from './ids.ts';
import type { JsonObject } from './json.ts';
import { sha256 } from './sha256.ts';

/** The name of a kind. Which there are says the engine's table of kinds; import and filters check names against it. */
export type RecordKind = string;

/** From least to most believed. Whatever is made of several texts, or of an earlier one, has the lowest of theirs. */
export const TRUST_TIERS = ['untrusted', 'agent', 'user'] as const;
export type Trust = (typeof TRUST_TIERS)[number];
/** What segments of the index keep in place of a tier: fixed for good, wherever a new tier is put in the order. */
export const TRUST_CODES: Readonly<Record<Trust, number>> = { untrusted: 0, agent: 1, user: 2 };

/** By which way a text came in. */
interface Way {
  door: Door;
  userId: string;
  client?: string;
  host?: string;
  /** A person wanted it stored with what looks like a secret in it. */
  unredacted?: true;
}

/** Where a record came from, stamped by the server. */
export interface Source extends Way {
  /** Of what somebody brought in with a file: when that was. The record's own times are then the file's word. */
  at?: Instant;
  /** What the file says of where it came from, and when: shown, never believed. */
  claimed?: Way & { trust: Trust; createdAt: Instant };
}

/** What every kind of record has; `body` holds what only its kind has (a memory: its metadata). */
export interface RecordContent {
  kind: RecordKind;
  /** The caller's own name for it, unique among the live records of one kind and project. */
  key: string | null;
  type: string;
  title: string | null;
  content: string;
  /** SHA-256 of the trimmed, lower-cased content, hexadecimal. */
  contentHash: string;
  tags: readonly string[];
  project: string | null;
  /** The workspace it comes from: a machine, a tool and a project. */
  workspace: string | null;
  agent: string | null;
  session: string | null;
  conversation: string | null;
  /** Whose statement it is, as the caller says; shown, never believed. */
  author: string | null;
  source: Source;
  trust: Trust;
  /** 0 to 1; 0.5 where nobody has said anything. */
  quality: number;
  createdAt: Instant;
  updatedAt: Instant;
  validFrom: Instant | null;
  validUntil: Instant | null;
  supersededBy: RecordId | null;
  body: JsonObject;
}

export interface StoredRecord extends RecordContent {
  space: SpaceId;
  id: RecordId;
  /** 1 at first; one more with every change of the record. */
  revision: number;
  deletedAt: Instant | null;
  /** Which life of its id this is: 1 at first, one more after each purge. */
  generation: number;
  /** Of its last write, on whichever replica that was. */
  dot: Dot;
}

/** A record as whoever writes it knows it: what only replicas look at is the store's business. */
export type RecordState = Omit<StoredRecord, 'generation' | 'dot'>;

/** A record as it was before a change. */
export interface RecordVersion {
  record: StoredRecord;
  /** When it stopped being the current one, and why if the caller said so. */
  replacedAt: Instant;
  reason: string | null;
}

export function isLessTrusted(a: Trust, b: Trust): boolean {
  return TRUST_TIERS.indexOf(a) < TRUST_TIERS.indexOf(b);
}

export function lowestTrust(a: Trust, b: Trust): Trust {
  return isLessTrusted(a, b) ? a : b;
}

export function hashContent(content: string): string {
  return sha256(content.trim().toLowerCase()).toString('hex');
}
