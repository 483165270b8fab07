import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError } from '../model/errors.ts';
import { writePrivateFile } from '../settings/private-file.ts';
import type { Environment } from '../settings/settings.ts';
import { clientFolder } from '../settings/user-folders.ts';

/** What lets this machine into one server. */
export interface HostCredential {
  token: string;
  /** Those of a sign-in with a code; a token that was pasted has none. */
  refreshToken?: string;
  /** Milliseconds since 1970. */
  expiresAt?: number;
  clientId?: string;
  /** For what sessions bring by themselves, where that is to have a token of its own. */
  syncToken?: string;
  /** The name under which the server knows this machine. */
  machine?: string;
}

const LOCK_STALE_MS = 30_000;
const LOCK_STEP_MS = 50;
const LOCK_WAIT_MS = 40_000;

export function credentialsPath(env: Environment): string {
  return join(clientFolder(env), 'credentials');
}

/** null: not signed in there. A file that holds one bare token, as older programs wrote it, belongs to the configured host and to no other. */
export function findCredential(env: Environment, host: string, configuredHost: string | null): HostCredential | null {
  const { hosts, bare } = readFile(env);
  return hosts[host] ?? (bare !== null && host === configuredHost ? { token: bare } : null);
}

export function listHosts(env: Environment): string[] {
  return Object.keys(readFile(env).hosts).sort();
}

/** A bare token of an older program is kept under the host it was for. */
export async function saveCredential(
  env: Environment,
  host: string,
  credential: HostCredential,
  bareHost: string | null = null,
): Promise<void> {
  await withLock(env, async () => {
    const { hosts, bare } = readFile(env);
    const kept = bare !== null && bareHost !== null ? { [bareHost]: { token: bare }, ...hosts } : hosts;
    write(env, { ...kept, [host]: credential });
  });
}

/** False when there was none. */
export async function removeCredential(
  env: Environment,
  host: string,
  configuredHost: string | null,
): Promise<boolean> {
  return withLock(env, async () => {
    const { hosts, bare } = readFile(env);
    const { [host]: removed, ...rest } = hosts;
    const isBare = bare !== null && host === configuredHost;
    if (isBare) rmSync(credentialsPath(env));
    else if (removed !== undefined) write(env, rest);
    return isBare || removed !== undefined;
  });
}

/** Of many programs that find a credential out of date, one renews it and the others take what it got: a refresh token used twice would sign all of them out. */
export async function renewCredential(
  env: Environment,
  {
    host,
    outdated,
    renew,
  }: { host: string; outdated: HostCredential; renew: (current: HostCredential) => Promise<HostCredential> },
): Promise<HostCredential> {
  return withLock(env, async () => {
    const current = readFile(env).hosts[host];
    if (current !== undefined && current.token !== outdated.token) return current;
    const { syncToken, machine } = current ?? outdated;
    const renewed = { syncToken, machine, ...(await renew(current ?? outdated)) };
    write(env, { ...readFile(env).hosts, [host]: renewed });
    return renewed;
  });
}

function readFile(env: Environment): { hosts: Record<string, HostCredential>; bare: string | null } {
  const path = credentialsPath(env);
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return { hosts: {}, bare: null };
    const hint = 'Check its permissions.';
    throw new EngineError('unauthorized', `The file ${path} cannot be read.`, { cause, hint });
  }
  if (text === '')
    throw new EngineError('unauthorized', `The file ${path} is empty.`, {
      hint: 'Sign in again with `ltm auth HOST`.',
    });
  if (!text.startsWith('{')) return { hosts: {}, bare: text.split(/\s/)[0] ?? null };
  try {
    const { hosts } = JSON.parse(text) as { hosts?: Record<string, HostCredential> };
    return { hosts: hosts ?? {}, bare: null };
  } catch (cause) {
    const hint = 'Remove it and sign in again with `ltm auth HOST`.';
    throw new EngineError('unauthorized', `The file ${path} is damaged.`, { cause, hint });
  }
}

function write(env: Environment, hosts: Record<string, HostCredential>): void {
  writePrivateFile(credentialsPath(env), `${JSON.stringify({ hosts }, null, 2)}\n`);
}

async function withLock<T>(env: Environment, work: () => Promise<T>): Promise<T> {
  const path = `${credentialsPath(env)}.lock`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const giveUpAt = Date.now() + LOCK_WAIT_MS;
  while (!takeLock(path)) {
    if (Date.now() > giveUpAt)
      throw new EngineError('busy', 'Another program is updating the sign-ins.', {
        hint: `If no program is doing so, remove ${path}.`,
      });
    await sleep(LOCK_STEP_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

/** A lock that its program left behind when it was killed is taken over. */
function takeLock(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx', 0o600));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const made = statSync(path, { throwIfNoEntry: false });
  if (made !== undefined && Date.now() - made.mtimeMs > LOCK_STALE_MS) rmSync(path, { force: true });
  return false;
}
