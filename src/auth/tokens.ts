import { randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Clock, Log } from '../engine/ports.ts';
import { EngineError } from '../model/errors.ts';
import type { AccessToken } from '../model/identity.ts';
import type { Instant } from '../model/ids.ts';
import { sha256Of } from '../model/sha256.ts';
import type { CredentialSource } from './authenticate.ts';
import type { Tokens } from './ports.ts';

/** Known to secret scanners by these four letters, and by the check character at the end that rules out look-alikes. */
const PREFIX = 'ltmk';
const FORM = /^ltmk[0-9A-Za-z]{44}$/;
/** Tokens made before the form above; they stay valid. */
const EARLIER_FORM = /^ltm_pat_[A-Za-z0-9_-]{43}[0-9a-z]{7}$/;
const EARLIER_CHECK_LENGTH = 7;
/** Tokens that were taken over from a server that makes them without a prefix. */
const FOREIGN_FORM = /^[0-9A-Za-z]{48}$/;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62^43 is just above 2^256. */
const RANDOM_CHARS = 43;

export interface NewToken
  extends Pick<AccessToken, 'name' | 'userId' | 'scopes'>,
    Partial<Pick<AccessToken, 'expiresAt' | 'teamId' | 'agent' | 'workspace'>> {
  now: Instant;
}

/** `value` is shown to its owner once and kept nowhere; `token` is what the store keeps. */
export function createToken(wanted: NewToken): { value: string; token: AccessToken } {
  const body = PREFIX + toBase62(randomBytes(32));
  const value = body + checkCharacter(body);
  return { value, token: describeToken(value, wanted) };
}

/** The stored form of a token whose text is known already. */
export function describeToken(value: string, wanted: NewToken): AccessToken {
  return {
    id: `tok_${randomBytes(9).toString('hex')}`,
    sha256: hashToken(value),
    userId: wanted.userId,
    name: wanted.name,
    scopes: wanted.scopes,
    teamId: wanted.teamId ?? null,
    agent: wanted.agent ?? null,
    workspace: wanted.workspace ?? null,
    createdAt: wanted.now,
    lastUsedAt: null,
    revokedAt: null,
    expiresAt: wanted.expiresAt ?? null,
  };
}

/** A fast hash is right here: 256 random bits cannot be guessed, however fast one tries; user codes live for minutes, and guesses are counted. */
export function hashToken(value: string): string {
  return sha256Of(value);
}

export function hasTokenForm(value: string): boolean {
  if (FORM.test(value)) return value.endsWith(checkCharacter(value.slice(0, -1)));
  return EARLIER_FORM.test(value) && value.endsWith(earlierCheck(value.slice(0, -EARLIER_CHECK_LENGTH)));
}

/** False for text that no store need be asked about. */
export function couldBeToken(value: string): boolean {
  return hasTokenForm(value) || (FOREIGN_FORM.test(value) && !value.startsWith(PREFIX));
}

export function isActive(token: AccessToken, now: Instant): boolean {
  return token.revokedAt === null && (token.expiresAt === null || token.expiresAt > now);
}

/** Takes the same time wherever the first difference is. */
export function isSameHash(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a, 'hex'), Buffer.from(b, 'hex')];
  return left.length === right.length && left.length > 0 && timingSafeEqual(left, right);
}

function toBase62(bytes: Buffer): string {
  let number = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (let i = 0; i < RANDOM_CHARS; i++) {
    text += ALPHABET[Number(number % 62n)];
    number /= 62n;
  }
  return text;
}

function checkCharacter(text: string): string {
  return ALPHABET[crc32(text) % 62]!;
}

function earlierCheck(text: string): string {
  return crc32(text).toString(36).padStart(EARLIER_CHECK_LENGTH, '0');
}

const TOUCH_EVERY_MS = 60_000;

export interface PersonalTokenPorts {
  identity: Tokens;
  clock: Clock;
  log: Log;
}

/** Tokens that people made for their machines and agents. Asked of the store each time, so that a revoked one stops at once. */
export function createPersonalTokens(ports: PersonalTokenPorts): CredentialSource {
  return {
    async find(value) {
      if (!couldBeToken(value)) return null;
      const sha256 = hashToken(value);
      const token = await ports.identity.findToken(sha256);
      if (token === null || !isSameHash(token.sha256, sha256)) return null;
      if (token.revokedAt !== null) return 'revoked';
      if (!isActive(token, ports.clock.now())) return 'expired';
      await noteUse(ports, token);
      const { id, userId, scopes, teamId, agent, workspace } = token;
      return { kind: 'personal', id, userId, scopes, teamId, agent, workspace, clientId: null };
    },
  };
}

/** Reads must go on when nothing can be written any more, so a failed note is logged and the request goes on. */
async function noteUse({ identity, clock, log }: PersonalTokenPorts, token: AccessToken): Promise<void> {
  const now = clock.now();
  if (token.lastUsedAt !== null && now - token.lastUsedAt < TOUCH_EVERY_MS) return;
  try {
    await identity.touchToken(token.id, now);
  } catch (error) {
    log.warn('token_use_not_noted', { token: token.id, code: error instanceof EngineError ? error.code : 'internal' });
  }
}
