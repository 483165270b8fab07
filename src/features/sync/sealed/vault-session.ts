import { randomBytes } from 'node:crypto';
import { EngineError } from '../../../model/errors.ts';
import type { Instant } from '../../../model/ids.ts';
import type { KeptKeyring } from '../../../model/sealed.ts';
import type { Client } from '../../../verbs/client.ts';
import type { KeyFolder, VaultFile } from './key-file.ts';
import {
  beginVault,
  changeVault,
  followKeyrings,
  type Keyring,
  memberOf,
  newMemberId,
  type OpenVault,
  openVault,
  readKeyring,
  type Signer,
  tampered,
  toKept,
  WORDS,
  wordsSigner,
} from './keyring.ts';
import { fromWords, newWordSecret, toWords } from './recovery-words.ts';
import { KEY_BYTES, makeIdentity } from './seal.ts';

/** A sealed space, as this machine reaches it. */
export interface SealedSpace {
  far: Pick<Client, 'readKeyrings' | 'keepKeyring'>;
  folder: KeyFolder;
  url: string;
  team: string | null;
  now: () => Instant;
}

/** With the keys of a space at hand. */
export interface VaultSession {
  signer: Signer;
  vault: OpenVault;
  /** What each machine signed with that ever was on the list. */
  past: ReadonlyMap<string, string>;
  /** The server had an older list of keys than this machine, and was given it again. */
  wasBehind: boolean;
}

function signerOf({ member, secret }: VaultFile): Signer {
  return { id: member, identity: makeIdentity(Buffer.from(secret, 'base64')) };
}

function newFile({ url, team }: SealedSpace, name: string): VaultFile {
  const secret = randomBytes(KEY_BYTES).toString('base64');
  return { url, team, member: newMemberId(), name, secret, keyrings: [] };
}

/** Seals a space at its start. The words are shown to the person and kept nowhere. */
export async function beginSealed(
  space: SealedSpace,
  name: string,
): Promise<{ session: VaultSession; words: string[] }> {
  const { far, folder, url, team, now } = space;
  const secret = newWordSecret();
  const file = newFile(space, name);
  const keyring = beginVault(signerOf(file), name, wordsSigner(secret), now());
  // First here: a program that ends in between still has the key, and the next exchange gives the server its list.
  folder.write({ ...file, keyrings: [toKept(keyring)] });
  try {
    await far.keepKeyring(toKept(keyring));
  } catch (error) {
    if (error instanceof EngineError && error.code === 'conflict') folder.remove(url, team);
    throw error;
  }
  return { session: await needSession(space), words: toWords(secret) };
}

const TRIES = 5;

/** A machine that comes along with the recovery words. */
export async function joinSealed(space: SealedSpace, text: string, name: string): Promise<VaultSession> {
  const { far, folder, now } = space;
  const words = wordsSigner(fromWords(text));
  const file = newFile(space, name);
  for (let tries = 1; ; tries++) {
    const { keyrings } = await far.readKeyrings({});
    const believed = followKeyrings(keyrings, { words });
    const vault = openVault(believed.at(-1)!, words);
    if (vault === null)
      throw new EngineError('forbidden', 'These recovery words have been replaced by others.', {
        hint: 'Take the words that were shown when they were changed last.',
        details: { reason: 'words' },
      });
    const next = changeVault(vault, { by: words, add: memberOf(signerOf(file), name, now()), at: now() });
    try {
      await far.keepKeyring(toKept(next));
    } catch (error) {
      if (tries < TRIES && isOutrun(error)) continue;
      throw error;
    }
    folder.write({ ...file, keyrings: [...believed, next].map(toKept) });
    return needSession(space);
  }
}

function isOutrun(error: unknown): boolean {
  return error instanceof EngineError && error.code === 'conflict' && error.details.reason === 'keyring';
}

async function needSession(space: SealedSpace): Promise<VaultSession> {
  const session = await resumeSealed(space);
  if (session === null) throw new EngineError('internal', 'The keys of this space were not kept.');
  return session;
}

/** With what this machine has kept, and what has changed since; null where it has kept nothing. */
export async function resumeSealed(space: SealedSpace): Promise<VaultSession | null> {
  const { far, folder, url, team } = space;
  const file = folder.read(url, team);
  const last = file?.keyrings.at(-1);
  if (file === null || last === undefined) return null;
  const { keyrings: there } = await far.readKeyrings({});
  const missing = compareKnown(file.keyrings, there);
  for (const keyring of missing) await far.keepKeyring(keyring);
  const newer = there.filter(({ revision }) => revision > last.revision);
  const followed = followKeyrings(newer, readKeyring(last));
  const keyrings = [...file.keyrings, ...followed.map(toKept)];
  if (followed.length > 0) folder.write({ ...file, keyrings });
  const all = keyrings.map(readKeyring);
  const signer = signerOf(file);
  const vault = openVault(all.at(-1)!, signer);
  if (vault === null) throw takenOff(all.at(-1)!);
  return { signer, vault, past: signKeysOf(all), wasBehind: missing.length > 0 };
}

/** Those that the server does not have any more; it may have lost some, and never have others in their place. */
function compareKnown(known: readonly KeptKeyring[], there: readonly KeptKeyring[]): KeptKeyring[] {
  const byRevision = new Map(there.map((one) => [one.revision, one.text]));
  for (const { revision, text } of known)
    if (byRevision.has(revision) && byRevision.get(revision) !== text)
      throw tampered('The server shows another list of keys than the one that this machine knows.');
  const newest = Math.max(0, ...byRevision.keys());
  const missing = known.filter(({ revision }) => !byRevision.has(revision));
  if (missing.some(({ revision }) => revision < newest))
    throw tampered('The server leaves out a part of the list of keys.');
  return missing;
}

function signKeysOf(keyrings: readonly Keyring[]): Map<string, string> {
  return new Map(keyrings.flatMap(({ members }) => members.map(({ id, signKey }) => [id, signKey] as const)));
}

function takenOff({ epoch }: Keyring): EngineError {
  return new EngineError('forbidden', 'This machine was taken off the list of those that have the key.', {
    hint: 'What it has stays here. With the recovery words it can join again: `ltm sync memory --words FILE`.',
    details: { reason: 'taken_off', epoch },
  });
}

export interface Rotation {
  /** Names or ids of machines that are not to have the new key. */
  revoke: readonly string[];
  newWords: boolean;
}

/** A new key for all machines but those that are taken off. What is sealed with the earlier one is sealed anew by the exchanges that follow. */
export async function rotateSealed(
  space: SealedSpace,
  { revoke, newWords }: Rotation,
): Promise<{ session: VaultSession; words: string[] | null; revoked: string[] }> {
  const secret = newWords ? newWordSecret() : null;
  for (let tries = 1; ; tries++) {
    const { signer, vault } = await needSession(space);
    const remove = revoke.map((name) => findMember(vault.keyring, name, signer));
    const change = {
      by: signer,
      remove: remove.map(({ id }) => id),
      isNewKey: true,
      at: space.now(),
      ...(secret !== null && { words: wordsSigner(secret) }),
    };
    try {
      await space.far.keepKeyring(toKept(changeVault(vault, change)));
    } catch (error) {
      if (tries < TRIES && isOutrun(error)) continue;
      throw error;
    }
    const session = await needSession(space);
    return { session, words: secret === null ? null : toWords(secret), revoked: remove.map(({ name }) => name) };
  }
}

function findMember({ members }: Keyring, name: string, { id: own }: Signer): { id: string; name: string } {
  const machines = members.filter(({ id }) => id !== WORDS);
  const found = machines.filter((one) => one.id === name || one.name === name);
  const [first] = found;
  if (first === undefined || found.length > 1)
    throw new EngineError(
      'not_found',
      first === undefined ? `No machine of this space is called ${name}.` : `Several machines are called ${name}.`,
      { hint: `They are ${machines.map((one) => `${one.name} (${one.id})`).join(', ')}.`, details: { name } },
    );
  if (first.id === own)
    throw new EngineError('invalid_input', 'This is the machine that you are working on.', {
      hint: 'Take it off from another machine.',
      details: { name },
    });
  return first;
}

/** Nothing is sealed with earlier keys any more: from now on nobody takes in what is. */
export async function forgetEarlier(space: SealedSpace, { signer, vault }: VaultSession): Promise<void> {
  try {
    const next = changeVault(vault, { by: signer, forgetsEarlier: true, at: space.now() });
    await space.far.keepKeyring(toKept(next));
  } catch (error) {
    // Another machine does it, or has changed the keys: the next exchange looks again.
    if (!isOutrun(error)) throw error;
  }
  await resumeSealed(space);
}
