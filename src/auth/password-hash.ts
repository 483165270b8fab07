import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { EngineError } from '../model/errors.ts';

/** 32 MiB and a few tenths of a second each: two at a time keep a flood of logins from eating the machine. */
const USUAL_COST = { N: 2 ** 15, r: 8, p: 3 };
type Cost = typeof USUAL_COST;
const AT_ONCE = 2;
const MAX_WAITING = 64;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const FORM = /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([\w-]+)\$([\w-]+)$/;

const hashSlowly = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** `stored` null: nobody's password; takes the same time and is false. */
  verify(password: string, stored: string | null): Promise<boolean>;
}

export function createPasswordHasher(usual: Cost = USUAL_COST): PasswordHasher {
  const inTurn = createQueue();
  const derive = (password: string, salt: Buffer, cost: Cost): Promise<Buffer> =>
    inTurn(() => hashSlowly(password.normalize('NFC'), salt, HASH_BYTES, { ...cost, maxmem: 256 * cost.N * cost.r }));
  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      const key = await derive(password, salt, usual);
      return `scrypt$${usual.N}$${usual.r}$${usual.p}$${salt.toString('base64url')}$${key.toString('base64url')}`;
    },
    async verify(password, stored) {
      const nobodys = { cost: usual, salt: randomBytes(SALT_BYTES), key: randomBytes(HASH_BYTES) };
      const { cost, salt, key } = parseHash(stored) ?? nobodys;
      const derived = await derive(password, salt, cost);
      return timingSafeEqual(derived, key) && stored !== null;
    },
  };
}

function parseHash(stored: string | null): { cost: Cost; salt: Buffer; key: Buffer } | null {
  const parts = stored === null ? null : FORM.exec(stored);
  if (parts === null) return null;
  const [N, r, p] = parts.slice(1, 4).map(Number) as [number, number, number];
  const key = Buffer.from(parts[5]!, 'base64url');
  if (key.length !== HASH_BYTES) return null;
  return { cost: { N, r, p }, salt: Buffer.from(parts[4]!, 'base64url'), key };
}

function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= AT_ONCE) {
      if (waiting.length >= MAX_WAITING)
        throw new EngineError('busy', 'Too many people are signing in right now.', {
          hint: 'Try again in a few seconds.',
        });
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
