import { createHash, randomBytes } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Incoming } from '../../../model/plan-take.ts';
import type { KeptUpload, SealedUpload } from '../../../model/sealed.ts';
import { describeHolding } from '../describe-holding.ts';
import type { OpenVault, Signer } from './keyring.ts';
import { derive, isSignedBy, keyedHash, seal, signText, unseal } from './seal.ts';

const FORMAT = 1;
const SIGNATURE_BYTES = 64;
/** Lengths tell less where only some occur. */
const PAD_TO = 256;
const MAX_PLAIN_BYTES = 268_435_456;

/** Under which name the uploads of a record are kept: only whoever has the key of slots knows which record that is. */
export function slotOf({ slotKey }: OpenVault, id: string): string {
  return keyedHash(derive(slotKey, 'slot'), id, 16);
}

/** Another with another key: whoever was taken off the list cannot compare any more. */
export function tagOf({ key }: OpenVault, described: string): string {
  return keyedHash(derive(key, 'tag'), described, 16);
}

/** What is bound to the sealed text: the server cannot give it out as another record's, another space's or another machine's. */
function describeUpload(vault: string, upload: Omit<SealedUpload, 'body'>): string {
  const { slot, upload: name, member, generation, buried, tag, keyId } = upload;
  return JSON.stringify([FORMAT, vault, slot, name, member, generation, buried, tag, keyId]);
}

/** A line as replicas exchange it, sealed and signed. */
export function sealLine(vault: OpenVault, { id: member, identity }: Signer, line: string): SealedUpload {
  const { id, buried, state } = JSON.parse(line) as Incoming;
  const about = {
    slot: slotOf(vault, id),
    upload: randomBytes(16).toString('hex'),
    generation: state?.generation ?? 0,
    buried,
    member,
    keyId: vault.keyring.keyId,
    tag: tagOf(vault, describeHolding({ id, buried, state }) ?? ''),
  };
  const text = describeUpload(vault.keyring.vault, about);
  const sealed = seal(vault.key, pad(deflateRawSync(line)), text);
  return { ...about, body: Buffer.concat([sealed, signText(identity, toSign(text, sealed))]) };
}

function toSign(about: string, sealed: Uint8Array): Buffer {
  return createHash('sha256').update(about).update('\n').update(sealed).digest();
}

/** With its length first. */
function pad(bytes: Uint8Array): Buffer {
  const padded = Buffer.alloc(Math.ceil((bytes.length + 4) / PAD_TO) * PAD_TO);
  padded.writeUInt32BE(bytes.length);
  padded.set(bytes, 4);
  return padded;
}

export type Opened = { line: string; id: string } | { why: string };

/** What was sealed, or what is wrong with it. `past`: what machines signed with that may have been taken off the list since. */
export function openUpload(vault: OpenVault, upload: KeptUpload, past: ReadonlyMap<string, string>): Opened {
  const { keyring, key, earlier } = vault;
  const { keyId, member, body } = upload;
  const isCurrent = keyId === keyring.keyId;
  const own = isCurrent ? key : earlier.get(keyId);
  if (own === undefined) return { why: 'it is sealed with a key that this space does not use any more' };
  const signKey = isCurrent ? keyring.members.find(({ id }) => id === member)?.signKey : past.get(member);
  if (signKey === undefined) return { why: 'no machine of this space has sealed it' };
  const text = describeUpload(keyring.vault, upload);
  const bytes = Buffer.from(body);
  const sealed = bytes.subarray(0, Math.max(0, bytes.length - SIGNATURE_BYTES));
  if (!isSignedBy(signKey, toSign(text, sealed), bytes.subarray(sealed.length)))
    return { why: 'its signature does not fit: it was changed after it was sealed, or given out as another' };
  const padded = unseal(own, sealed, text);
  if (padded === null) return { why: 'its seal does not fit: it was changed after it was sealed' };
  try {
    const plain = padded.subarray(4, 4 + padded.readUInt32BE(0));
    const line = inflateRawSync(plain, { maxOutputLength: MAX_PLAIN_BYTES }).toString('utf8');
    const { id } = JSON.parse(line) as Incoming;
    if (slotOf(vault, id) !== upload.slot) return { why: 'it is of another record than its slot says' };
    return { line, id };
  } catch {
    return { why: 'what is sealed in it cannot be read' };
  }
}
