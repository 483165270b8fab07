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
const RECORD_ID = /^[0-9a-hjkmnp-tv-z]{20}$/;

export function newRecordId(now: Instant): RecordId {
  return timeInBase32(now) + bytesInBase32(randomBytes(10));
}

/** A ULID: 10 characters of time, 16 random ones. */
export function newPacketId(now: Instant): string {
  return (timeInBase32(now) + bytesInBase32(randomBytes(16))).toUpperCase();
}

/** Crockford's: without the letters that are read as others. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

function timeInBase32(now: Instant): string {
  let time = now;
  let text = '';
  for (let i = 0; i < 10; i++) {
    text = ALPHABET[time % 32] + text;
    time = Math.floor(time / 32);
  }
  return text;
}

/** A character for five bits of each byte. */
export function bytesInBase32(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => ALPHABET[byte & 31]).join('');
}

export function newReplicaId(): ReplicaId {
  return randomBytes(8).toString('hex');
}

export function isRecordId(text: string): text is RecordId {
  return RECORD_ID.test(text);
}
