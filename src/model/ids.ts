import { randomBytes } from 'node:crypto';
import { sha256 } from './sha256.ts';

export type SpaceId = string;
/**
 * 20 characters of Crockford's base 32: 10 of the time in milliseconds, 10 random; those that one process makes sort in the order in which they were made. Of the
 * random ones only digits are used: models read three of them as one token, and letters mixed with digits almost one by one.
 */
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
const TIME_LENGTH = 10;
const RECORD_ID = /^[0-9a-hjkmnp-tv-z]{20}$/;

/** The last id of this process: the next of the same millisecond is one more, because the order of ids stands for the order of speech. */
let last = { time: '', tail: '' };

export function newRecordId(now: Instant): RecordId {
  const time = timeInBase32(now);
  const tail = time === last.time ? nextTail(last.tail) : randomTail();
  last = { time, tail };
  return time + tail;
}

/** The same for the same name, whoever asks and when; with a time, it sorts as others of that time do. */
export function derivedRecordId(name: string, at?: Instant): RecordId {
  const digits = bytesInBase32(sha256(name).subarray(0, RECORD_ID_LENGTH));
  return at === undefined || at < 0 ? digits : timeInBase32(at) + digits.slice(TIME_LENGTH);
}

/**
 * In the lower half of what ten digits can say, so that billions can follow within the millisecond. An id is no secret: it must differ from those that other
 * processes make in the same millisecond, and `Math.random` starts from the system's randomness in each of them.
 */
function randomTail(): string {
  return String(Math.floor(Math.random() * (TAILS / 2))).padStart(TAIL_LENGTH, '0');
}

const TAIL_LENGTH = 10;
const TAILS = 10 ** TAIL_LENGTH;

function nextTail(tail: string): string {
  return String((Number(tail) + 1) % TAILS).padStart(TAIL_LENGTH, '0');
}

/** A ULID: 10 characters of time, 16 random ones. */
export function newPacketId(now: Instant): string {
  return (timeInBase32(now) + bytesInBase32(randomBytes(16))).toUpperCase();
}

/** When a packet's id was made. */
export function timeOfPacketId(id: string): Instant {
  const digits = [...id.slice(0, TIME_LENGTH).toLowerCase()].map((character) => ALPHABET.indexOf(character));
  return digits.reduce((time, digit) => time * 32 + digit, 0);
}

/** Crockford's: without the letters that are read as others. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

function timeInBase32(now: Instant): string {
  let time = now;
  let text = '';
  for (let i = 0; i < TIME_LENGTH; i++) {
    text = ALPHABET[time % 32] + text;
    time = Math.floor(time / 32);
  }
  return text;
}

/** A character for five bits of each byte. */
function bytesInBase32(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => ALPHABET[byte & 31]).join('');
}

export function newReplicaId(): ReplicaId {
  return randomBytes(8).toString('hex');
}

/** Fewer say nothing but the hour, and may be a word that was meant as a key. */
const ID_BEGINNING = /^[0-9a-hjkmnp-tv-z]{8,19}$/;

export function isIdBeginning(text: string): boolean {
  return ID_BEGINNING.test(text);
}

const PACKET_ID_BEGINNING = /^[0-9a-hjkmnp-tv-z]{8,25}$/i;

/** Of a ULID, which is what packets are called where nobody says otherwise. */
export function isPacketIdBeginning(text: string): boolean {
  return PACKET_ID_BEGINNING.test(text);
}

export function isRecordId(text: string): text is RecordId {
  return RECORD_ID.test(text);
}
