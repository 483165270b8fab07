import { randomBytes } from 'node:crypto';
import { canonicalJson } from '../../../model/canonical-json.ts';
import { EngineError } from '../../../model/errors.ts';
import type { Instant } from '../../../model/ids.ts';
import type { KeptKeyring } from '../../../model/sealed.ts';
import { sha256Of } from '../../../model/sha256.ts';
import {
  derive,
  type Identity,
  isSignedBy,
  KEY_BYTES,
  makeIdentity,
  seal,
  signText,
  unseal,
  unwrap,
  wrapFor,
} from './seal.ts';

/** Under which name the recovery words stand among the machines. */
export const WORDS = 'words';

export interface Member {
  id: string;
  /** What people call the machine. */
  name: string;
  boxKey: string;
  signKey: string;
  at: Instant;
}

/** Who has the key of a space, as everybody can read it; each revision is signed by a member of the one before it. */
export interface Keyring {
  format: 1;
  vault: string;
  revision: number;
  /** Counted up with each new key. */
  epoch: number;
  keyId: string;
  /** The hash of the revision before; empty in the first. */
  before: string;
  members: readonly Member[];
  /** The key, wrapped for each member. */
  wraps: Readonly<Record<string, string>>;
  /** Sealed with the key: what slots are computed with, and earlier keys, as long as something is sealed with them. */
  secrets: string;
  /** By members; new recovery words sign as well, so that whoever has them knows where to begin. */
  signatures: Readonly<Record<string, string>>;
}

/** The keys of a space, opened. */
export interface OpenVault {
  keyring: Keyring;
  key: Buffer;
  slotKey: Buffer;
  /** Earlier ones that uploads may still be sealed with, by their ids. */
  earlier: ReadonlyMap<string, Buffer>;
}

/** One who may sign, and be given keys: a machine, or whoever has the words. */
export interface Signer {
  id: string;
  identity: Identity;
}

function keyIdOf(key: Uint8Array): string {
  return derive(key, 'key id', { bytes: 8 }).toString('hex');
}

export function newMemberId(): string {
  return randomBytes(8).toString('hex');
}

export function memberOf({ id, identity }: Signer, name: string, at: Instant): Member {
  return { id, name, boxKey: identity.boxKey, signKey: identity.signKey, at };
}

export function wordsSigner(secret: Uint8Array): Signer {
  return { id: WORDS, identity: makeIdentity(secret) };
}

interface Draft {
  vault: string;
  revision: number;
  epoch: number;
  before: string;
  members: readonly Member[];
  key: Buffer;
  slotKey: Buffer;
  earlier: ReadonlyMap<string, Buffer>;
  signers: readonly Signer[];
}

function write({ key, slotKey, earlier, signers, ...draft }: Draft): Keyring {
  const { vault, revision, epoch, members } = draft;
  const about = describe(draft);
  const inside = {
    slotKey: slotKey.toString('base64'),
    earlier: [...earlier.values()].map((one) => one.toString('base64')),
  };
  const unsigned = {
    format: 1 as const,
    vault,
    revision,
    epoch,
    keyId: keyIdOf(key),
    before: draft.before,
    members,
    wraps: Object.fromEntries(members.map(({ id, boxKey }) => [id, wrapFor(boxKey, key, `${about} ${id}`)])),
    secrets: seal(key, Buffer.from(JSON.stringify(inside)), about).toString('base64'),
  };
  const text = canonicalJson(unsigned);
  const signatures = signers.map(({ id, identity }) => [id, signText(identity, text).toString('base64')]);
  return { ...unsigned, signatures: Object.fromEntries(signatures) };
}

function describe({ vault, revision, epoch }: Pick<Keyring, 'vault' | 'revision' | 'epoch'>): string {
  return `ltm keyring ${vault} ${revision} ${epoch}`;
}

export function beginVault(machine: Signer, name: string, words: Signer, at: Instant): Keyring {
  return write({
    vault: randomBytes(16).toString('hex'),
    revision: 1,
    epoch: 1,
    before: '',
    members: [memberOf(words, 'recovery words', at), memberOf(machine, name, at)],
    key: randomBytes(KEY_BYTES),
    slotKey: randomBytes(KEY_BYTES),
    earlier: new Map(),
    signers: [words, machine],
  });
}

interface Change {
  by: Signer;
  /** Comes in, or takes the place of one of its id. */
  add?: Member;
  remove?: readonly string[];
  /** A new key; what was sealed before is read with the earlier ones. */
  isNewKey?: boolean;
  /** Nothing is sealed with earlier keys any more. */
  forgetsEarlier?: boolean;
  /** Take the place of those before. */
  words?: Signer;
  at: Instant;
}

export function changeVault({ keyring, key, slotKey, earlier }: OpenVault, change: Change): Keyring {
  const { by, add, remove = [], words, at } = change;
  const joining = [
    ...(add === undefined ? [] : [add]),
    ...(words === undefined ? [] : [memberOf(words, 'recovery words', at)]),
  ];
  const stays = keyring.members.filter(({ id }) => !remove.includes(id) && !joining.some((one) => one.id === id));
  const before = change.forgetsEarlier === true ? new Map<string, Buffer>() : earlier;
  const isNew = change.isNewKey === true;
  return write({
    vault: keyring.vault,
    revision: keyring.revision + 1,
    epoch: keyring.epoch + (isNew ? 1 : 0),
    before: hashOf(keyring),
    members: [...stays, ...joining],
    slotKey,
    key: isNew ? randomBytes(KEY_BYTES) : key,
    earlier: isNew ? new Map([...before, [keyring.keyId, key]]) : before,
    signers: words === undefined ? [by] : [by, words],
  });
}

function hashOf(keyring: Keyring): string {
  return sha256Of(formatKeyring(keyring));
}

function formatKeyring(keyring: Keyring): string {
  return canonicalJson(keyring);
}

export function toKept(keyring: Keyring): KeptKeyring {
  return { revision: keyring.revision, keyId: keyring.keyId, text: formatKeyring(keyring) };
}

export function tampered(message: string, cause?: unknown): EngineError {
  return new EngineError('conflict', message, {
    cause,
    hint: 'Do not go on before you know why: the server, or somebody on the way, may have changed it. Nothing was sent.',
    details: { reason: 'tampered' },
  });
}

export function readKeyring({ revision, keyId, text }: KeptKeyring): Keyring {
  try {
    const keyring = JSON.parse(text) as Keyring;
    if (keyring.format !== 1)
      throw new EngineError('invalid_input', 'The keys of this space are in the format of a later release.', {
        hint: 'Upgrade ltm on this machine.',
      });
    const isWhole = Array.isArray(keyring.members) && keyring.revision === revision && keyring.keyId === keyId;
    if (isWhole && formatKeyring(keyring) === text) return keyring;
  } catch (error) {
    if (error instanceof EngineError) throw error;
  }
  throw tampered(`Revision ${revision} of the list of keys is not one.`);
}

function isSigned(keyring: Keyring, members: readonly Member[]): boolean {
  const { signatures, ...unsigned } = keyring;
  const text = canonicalJson(unsigned);
  return members.some(({ id, signKey }) => {
    const signature = signatures?.[id];
    return signature !== undefined && isSignedBy(signKey, text, Buffer.from(signature, 'base64'));
  });
}

/**
 * The revisions that may be believed: from one that is, or that the words have signed, each next is signed by a member of the one before it.
 * Throws where one is not: then somebody without the key has written it.
 */
export function followKeyrings(kept: readonly KeptKeyring[], from: Keyring | { words: Signer }): Keyring[] {
  const keyrings = kept.map(readKeyring);
  const begin = 'words' in from ? keyrings.findLastIndex((one) => isAnchored(one, from.words)) : -1;
  if ('words' in from && begin === -1) throw foreignWords();
  // Those before are the ones that it names.
  for (let i = begin; i > 0; i--)
    if (keyrings[i]!.before !== hashOf(keyrings[i - 1]!))
      throw tampered(
        `Revision ${keyrings[i - 1]!.revision} of the list of keys is not the one that the next was made from.`,
      );
  const believed = 'words' in from ? keyrings.slice(0, begin + 1) : [from];
  for (const next of keyrings.slice(begin + 1)) {
    const last = believed.at(-1)!;
    const follows =
      next.vault === last.vault &&
      next.revision === last.revision + 1 &&
      next.before === hashOf(last) &&
      next.epoch >= last.epoch &&
      next.epoch <= last.epoch + 1;
    if (!follows || !isSigned(next, last.members))
      throw tampered(`Revision ${next.revision} of the list of keys was not made by a machine of this space.`);
    believed.push(next);
  }
  return 'words' in from ? believed : believed.slice(1);
}

function isAnchored(keyring: Keyring, words: Signer): boolean {
  const own = keyring.members.filter(({ id, signKey }) => id === WORDS && signKey === words.identity.signKey);
  return own.length > 0 && isSigned(keyring, own);
}

function foreignWords(): EngineError {
  return new EngineError('forbidden', 'These are not the recovery words of this space.', {
    hint: 'They may be those of another space, or have been changed since. Without the words, and without a machine that has the key, what is on the server is lost.',
    details: { reason: 'words' },
  });
}

/** Null: it has no part in this key. */
export function openVault(keyring: Keyring, { id, identity }: Signer): OpenVault | null {
  const wrap = keyring.wraps[id];
  const about = describe(keyring);
  const key = wrap === undefined ? null : unwrap(identity, wrap, `${about} ${id}`);
  if (key === null || keyIdOf(key) !== keyring.keyId) return null;
  const inside = unseal(key, Buffer.from(keyring.secrets, 'base64'), about);
  if (inside === null) return null;
  const { slotKey, earlier } = JSON.parse(inside.toString()) as { slotKey: string; earlier: string[] };
  const keys = earlier.map((one) => Buffer.from(one, 'base64'));
  return {
    keyring,
    key,
    slotKey: Buffer.from(slotKey, 'base64'),
    earlier: new Map(keys.map((one) => [keyIdOf(one), one])),
  };
}
