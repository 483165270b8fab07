import { randomBytes } from 'node:crypto';
import type { Instant } from './ids.ts';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A ULID: 10 characters of time, 16 random ones. */
export function newPacketId(now: Instant): string {
  let time = now;
  let head = '';
  for (let i = 0; i < 10; i++) {
    head = ALPHABET[time % 32] + head;
    time = Math.floor(time / 32);
  }
  return head + Array.from(randomBytes(16), (byte) => ALPHABET[byte & 31]).join('');
}
