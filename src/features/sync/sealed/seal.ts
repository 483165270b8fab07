import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
  sign,
  verify,
} from 'node:crypto';

const SALT_BYTES = 32;
const TAG_BYTES = 16;
export const KEY_BYTES = 32;
const IV_BYTES = 12;
const PUBLIC_BYTES = 32;

export function derive(
  key: Uint8Array,
  what: string,
  { salt, bytes = KEY_BYTES }: { salt?: Uint8Array; bytes?: number } = {},
): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt ?? '', `ltm ${what}`, bytes));
}

export function keyedHash(key: Uint8Array, text: string, bytes: number): string {
  return createHmac('sha256', key).update(text).digest().subarray(0, bytes).toString('base64url');
}

/**
 * AES-256-GCM with a key and a nonce of its own for each text, both derived with a random salt: no nonce can ever meet a key twice. `about` is not
 * hidden, and cannot be changed without being noticed.
 */
export function seal(key: Uint8Array, plain: Uint8Array, about: string): Buffer {
  const salt = randomBytes(SALT_BYTES);
  const derived = derive(key, 'seal', { salt, bytes: KEY_BYTES + IV_BYTES });
  const cipher = createCipheriv('aes-256-gcm', derived.subarray(0, KEY_BYTES), derived.subarray(KEY_BYTES));
  cipher.setAAD(Buffer.from(about));
  return Buffer.concat([salt, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Null where anything of it is not what was sealed. */
export function unseal(key: Uint8Array, sealed: Uint8Array, about: string): Buffer | null {
  if (sealed.length < SALT_BYTES + TAG_BYTES) return null;
  const salt = sealed.subarray(0, SALT_BYTES);
  const derived = derive(key, 'seal', { salt, bytes: KEY_BYTES + IV_BYTES });
  const options = { authTagLength: TAG_BYTES };
  const [secret, nonce] = [derived.subarray(0, KEY_BYTES), derived.subarray(KEY_BYTES)];
  const cipher = createDecipheriv('aes-256-gcm', secret, nonce, options);
  cipher.setAAD(Buffer.from(about));
  cipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  try {
    return Buffer.concat([cipher.update(sealed.subarray(SALT_BYTES, sealed.length - TAG_BYTES)), cipher.final()]);
  } catch {
    return null; // told as a seal that does not fit
  }
}

/** DER around the 32 bytes of a key, as RFC 8410 has it. */
const PRIVATE = { x25519: '302e020100300506032b656e04220420', ed25519: '302e020100300506032b657004220420' } as const;
const PUBLIC = { x25519: '302a300506032b656e032100', ed25519: '302a300506032b6570032100' } as const;
type Curve = keyof typeof PUBLIC;

/** The two key pairs of a machine, or of the recovery words: one to be given secrets, one to sign with. */
export interface Identity {
  box: KeyObject;
  sign: KeyObject;
  /** Base64, for everybody to see. */
  boxKey: string;
  signKey: string;
}

/** All of it follows from one secret. */
export function makeIdentity(secret: Uint8Array): Identity {
  const [box, signing] = [privateKey('x25519', derive(secret, 'box')), privateKey('ed25519', derive(secret, 'sign'))];
  return { box, sign: signing, boxKey: publicBytes(box), signKey: publicBytes(signing) };
}

function privateKey(curve: Curve, bytes: Buffer): KeyObject {
  const key = Buffer.concat([Buffer.from(PRIVATE[curve], 'hex'), bytes]);
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}

function publicKey(curve: Curve, base64: string): KeyObject {
  const key = Buffer.concat([Buffer.from(PUBLIC[curve], 'hex'), Buffer.from(base64, 'base64')]);
  return createPublicKey({ key, format: 'der', type: 'spki' });
}

function publicBytes(key: KeyObject): string {
  const der = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return der.subarray(der.length - PUBLIC_BYTES).toString('base64');
}

/** For one machine alone: by a key pair that is forgotten at once. */
export function wrapFor(boxKey: string, secret: Uint8Array, about: string): string {
  const { privateKey: own, publicKey: shown } = generateKeyPairSync('x25519');
  const shared = diffieHellman({ privateKey: own, publicKey: publicKey('x25519', boxKey) });
  const ephemeral = Buffer.from(publicBytesOf(shown));
  const key = derive(shared, 'wrap', { salt: Buffer.concat([ephemeral, Buffer.from(boxKey, 'base64')]) });
  return Buffer.concat([ephemeral, seal(key, secret, about)]).toString('base64');
}

function publicBytesOf(key: KeyObject): Buffer {
  const der = key.export({ format: 'der', type: 'spki' });
  return der.subarray(der.length - PUBLIC_BYTES);
}

/** Null where it was not wrapped for this one. */
export function unwrap({ box, boxKey }: Identity, wrapped: string, about: string): Buffer | null {
  const bytes = Buffer.from(wrapped, 'base64');
  if (bytes.length < PUBLIC_BYTES) return null;
  const ephemeral = bytes.subarray(0, PUBLIC_BYTES);
  try {
    const shared = diffieHellman({ privateKey: box, publicKey: publicKey('x25519', ephemeral.toString('base64')) });
    const key = derive(shared, 'wrap', { salt: Buffer.concat([ephemeral, Buffer.from(boxKey, 'base64')]) });
    return unseal(key, bytes.subarray(PUBLIC_BYTES), about);
  } catch {
    return null; // not a key at all: told as one that does not open
  }
}

export function signText({ sign: key }: Identity, text: Uint8Array | string): Buffer {
  return sign(null, Buffer.from(text as string), key);
}

export function isSignedBy(signKey: string, text: Uint8Array | string, signature: Uint8Array): boolean {
  try {
    return verify(null, Buffer.from(text as string), publicKey('ed25519', signKey), signature);
  } catch {
    return false; // not a key at all
  }
}
