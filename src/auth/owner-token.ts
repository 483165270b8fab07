import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock, Log } from '../engine/ports.ts';
import { OWNER_USER, SCOPES } from '../model/caller.ts';
import { EngineError } from '../model/errors.ts';
import type { User } from '../model/identity.ts';
import { OPERATOR } from './accounts.ts';
import type { IdentityChanges, Tokens, Users } from './ports.ts';
import { createToken, describeToken, hashToken, hasTokenForm, isActive } from './tokens.ts';

const NAME = 'owner';

export interface OwnerTokenPorts {
  identity: IdentityChanges & Users & Tokens;
  clock: Clock;
  log: Log;
}

/**
 * Makes sure that the token in the file is one that the store knows. The file decides: whoever can write it can write the database beside it,
 * so a token in it that the store has not seen is taken in. A lost or unusable file is made anew, with a further token: a database that was moved
 * without its file has clients elsewhere, which stay signed in.
 * `created` is the new token, to be shown once; null when the file was there.
 */
export async function ensureOwnerToken(file: string, ports: OwnerTokenPorts): Promise<{ created: string | null }> {
  const present = readOwnerToken(file, ports.log);
  if (present !== null && (await adopt(present, ports))) return { created: null };
  if (existsSync(file)) rmSync(file);
  const { value } = createToken({ name: NAME, userId: OWNER_USER, scopes: SCOPES, now: ports.clock.now() });
  const written = writeOnce(file, value) ? value : readOwnerToken(file, ports.log);
  if (written === null || !(await adopt(written, ports))) {
    throw new EngineError('internal', `The owner's token in ${file} cannot be used.`, {
      hint: 'Remove the file and start again.',
    });
  }
  await tellOfOthers(written, ports);
  return { created: written === value ? value : null };
}

/** null when there is none, or what is there is no token. A file that others can read is closed to them. */
export function readOwnerToken(file: string, log: Log): string | null {
  let value: string;
  try {
    value = readFileSync(file, 'utf8').trim();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new EngineError('internal', `The owner's token in ${file} cannot be read.`, {
      cause,
      hint: 'Check the permissions of the file.',
    });
  }
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
    log.warn('owner_token_readable_by_others', { file, mended: 'mode set to 0600' });
    chmodSync(file, 0o600);
  }
  if (hasTokenForm(value)) return value;
  log.warn('owner_token_unusable', { file });
  return null;
}

/** False when the store knows the token as revoked or expired. */
async function adopt(value: string, ports: OwnerTokenPorts): Promise<boolean> {
  const { identity, clock, log } = ports;
  const known = await identity.findToken(hashToken(value));
  if (known !== null) return isActive(known, clock.now());
  await ensureOwnerUser(ports);
  const token = describeToken(value, { name: NAME, userId: OWNER_USER, scopes: SCOPES, now: clock.now() });
  const { outcome } = await identity.changeIdentity([{ op: 'add_token', token }], OPERATOR);
  // A conflict: another server that starts at the same moment has just added it.
  if (outcome === 'changed') log.info('owner_token_added');
  return true;
}

/** The person who runs the server. */
export async function ensureOwnerUser({ identity, clock }: Omit<OwnerTokenPorts, 'log'>): Promise<User> {
  const known = await identity.findUser({ id: OWNER_USER });
  if (known !== null) return known;
  const user: User = { id: OWNER_USER, name: OWNER_USER, email: null, createdAt: clock.now(), suspendedAt: null };
  const { outcome } = await identity.changeIdentity([{ op: 'add_user', user }], OPERATOR);
  return outcome === 'changed' ? user : ((await identity.findUser({ id: OWNER_USER })) ?? user);
}

/** Whoever has lost a token to somebody else wants to know that it still works. */
async function tellOfOthers(value: string, { identity, clock, log }: OwnerTokenPorts): Promise<void> {
  const now = clock.now();
  const sha256 = hashToken(value);
  for (const token of await identity.listTokens(OWNER_USER)) {
    if (token.name !== NAME || token.sha256 === sha256 || !isActive(token, now)) continue;
    log.warn('earlier_owner_token_works', { id: token.id, hint: `\`ltm tokens revoke ${token.id}\` ends it.` });
  }
}

/** False when the file is there already. It appears with its whole content or not at all. */
function writeOnce(file: string, value: string): boolean {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(draft, `${value}\n`, { mode: 0o600, flag: 'wx', flush: true });
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}
