import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Scope } from '../model/caller.ts';
import type { Instant } from '../model/ids.ts';
import type { AccessToken } from './ports.ts';

/** Known to secret scanners by its beginning, and by the checksum at its end that rules out look-alikes. */
const FORM = /^ltm_pat_[A-Za-z0-9_-]{43}[0-9a-z]{7}$/;
const CHECKSUM_LENGTH = 7;

export interface NewToken {
  name: string;
  userId: string;
  scopes: readonly Scope[];
  now: Instant;
  expiresAt?: Instant | null;
}

/** `value` is shown to its owner once and kept nowhere; `token` is what the store keeps. */
export function createToken(wanted: NewToken): { value: string; token: AccessToken } {
  const body = `ltm_pat_${randomBytes(32).toString('base64url')}`;
  const value = body + checksum(body);
  return { value, token: describeToken(value, wanted) };
}

/** The stored form of a token whose text is known already. */
export function describeToken(value: string, wanted: NewToken): AccessToken {
  return {
    id: `tok_${randomBytes(9).toString('base64url')}`,
    sha256: hashToken(value),
    userId: wanted.userId,
    name: wanted.name,
    scopes: wanted.scopes,
    createdAt: wanted.now,
    lastUsedAt: null,
    revokedAt: null,
    expiresAt: wanted.expiresAt ?? null,
  };
}

/** A fast hash is right here: 256 random bits cannot be guessed, however fast one tries. */
export function hashToken(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}

export function hasTokenForm(value: string): boolean {
  return FORM.test(value) && value.endsWith(checksum(value.slice(0, -CHECKSUM_LENGTH)));
}

export function isActive(token: AccessToken, now: Instant): boolean {
  return token.revokedAt === null && (token.expiresAt === null || token.expiresAt > now);
}

/** Takes the same time wherever the first difference is. */
export function isSameHash(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a, 'hex'), Buffer.from(b, 'hex')];
  return left.length === right.length && left.length > 0 && timingSafeEqual(left, right);
}

function checksum(text: string): string {
  return crc32(text).toString(36).padStart(CHECKSUM_LENGTH, '0');
}
