import { randomBytes } from 'node:crypto';

export type SpaceId = string;
/** 20 characters of Crockford's base 32: 10 of the time in milliseconds, 10 random, so that ids sort by age. */
export type RecordId = string;
/** Position in one space's change feed; starts at 1, 0 means "before the first change". */
export type Sequence = number;
/** One database, among those that may one day exchange what they hold; 16 hexadecimal digits. */
export type ReplicaId = string;
/** A write, by who made it and a number that this replica never gives twice in a space: `replica:number`. */
export type Dot = string;
/** Milliseconds since 1970, UTC. */
export type Instant = number;

export const RECORD_ID_LENGTH = 20;
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const RECORD_ID = /^[0-9a-hjkmnp-tv-z]{20}$/;

export function newRecordId(now: Instant): RecordId {
  let time = now;
  let head = '';
  for (let i = 0; i < 10; i++) {
    head = ALPHABET[time % 32] + head;
    time = Math.floor(time / 32);
  }
  let tail = '';
  for (const byte of randomBytes(10)) tail += ALPHABET[byte & 31];
  return head + tail;
}

export function newReplicaId(): ReplicaId {
  return randomBytes(8).toString('hex');
}

export function isRecordId(text: string): text is RecordId {
  return RECORD_ID.test(text);
}
