import { createECDH, generateKeyPairSync, randomBytes } from 'node:crypto';

/** A private key as its tool writes it, and the lines of it that must not be seen. */
export interface MadeKey {
  kind: string;
  text: string;
  secret: readonly string[];
}

const rim = (word: string, label: string): string => ['-----', word, ' ', label, '-----'].join('');
const wrapped = (bytes: Buffer, width: number): string[] =>
  bytes.toString('base64').match(new RegExp(`.{1,${width}}`, 'g'))!;

function armoured(kind: string, label: string, lines: readonly string[], headers: readonly string[] = []): MadeKey {
  return { kind, text: [rim('BEGIN', label), ...headers, ...lines, rim('END', label), ''].join('\n'), secret: lines };
}

/** What Node writes, as text. */
function exported(kind: string, text: string): MadeKey {
  const lines = text.trimEnd().split('\n');
  return { kind, text, secret: lines.slice(1, -1).filter((line) => /^[\w+/=]+$/.test(line)) };
}

function rsa(type: 'pkcs1' | 'pkcs8', modulusLength: number, passphrase?: string): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength });
  return privateKey
    .export({ type, format: 'pem', ...(passphrase !== undefined && { cipher: 'aes-256-cbc', passphrase }) })
    .toString();
}

function ec(type: 'sec1' | 'pkcs8', namedCurve: string): string {
  return generateKeyPairSync('ec', { namedCurve }).privateKey.export({ type, format: 'pem' }).toString();
}

/** The file of ssh-keygen: `publicPart` and `privatePart` as long as the kind makes them. */
function openssh(type: string, length: number): MadeKey {
  const field = (bytes: Buffer): Buffer =>
    Buffer.concat([Buffer.from([0, 0, bytes.length >> 8, bytes.length & 255]), bytes]);
  const text = (value: string): Buffer => field(Buffer.from(value));
  const publicPart = Buffer.concat([text(type), field(randomBytes(length))]);
  const check = randomBytes(4);
  const privatePart = Buffer.concat([
    check,
    check,
    publicPart,
    field(randomBytes(length * 2)),
    text('robin@laptop'),
    Buffer.from([1, 2, 3]),
  ]);
  const bytes = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    text('none'),
    text('none'),
    text(''),
    Buffer.from([0, 0, 0, 1]),
    field(publicPart),
    field(privatePart),
  ]);
  return armoured('openssh', ['OPENSSH', 'PRIVATE', 'KEY'].join(' '), wrapped(bytes, 70));
}

function putty(version: 2 | 3, type: string, [publicLength, privateLength]: readonly [number, number]): MadeKey {
  const open = wrapped(
    Buffer.concat([Buffer.from([0, 0, 0, type.length]), Buffer.from(type), randomBytes(publicLength)]),
    64,
  );
  const secret = wrapped(randomBytes(privateLength), 64);
  const lines = [
    `PuTTY-User-Key-File-${version}: ${type}`,
    'Encryption: none',
    'Comment: robin@laptop',
    `Public-Lines: ${open.length}`,
    ...open,
    `Private-Lines: ${secret.length}`,
    ...secret,
    `Private-MAC: ${randomBytes(version === 2 ? 20 : 32).toString('hex')}`,
    '',
  ];
  return { kind: `ppk v${version}`, text: lines.join('\n'), secret };
}

function pgp(): MadeKey {
  const bytes = Buffer.concat([Buffer.from([0x95, 0x03, 0xbe, 0x04]), randomBytes(900)]);
  const lines = wrapped(bytes, 64);
  const key = armoured(
    'pgp',
    ['PGP', 'PRIVATE', 'KEY', 'BLOCK'].join(' '),
    [...lines, `=${randomBytes(3).toString('base64')}`],
    ['Version: GnuPG v2', ''],
  );
  return { ...key, secret: lines };
}

const MAKERS: readonly (() => MadeKey)[] = [
  () => exported('rsa', rsa('pkcs1', 1024)),
  () => exported('ec', ec('sec1', 'prime256v1')),
  () =>
    exported('ed25519', generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
  () => openssh('ssh-ed25519', 32),
  () => exported('pkcs8', rsa('pkcs8', 1024)),
  () => exported('encrypted', rsa('pkcs8', 1024, 'x')),
  () => putty(2, 'ssh-rsa', [150, 420]),
  () => putty(3, 'ssh-ed25519', [36, 36]),
  () => pgp(),
  () => openssh('ssh-rsa', 257),
  () => exported('rsa', rsa('pkcs1', 2048)),
  () => exported('ec', ec('pkcs8', 'secp384r1')),
  () => exported('old encrypted', rsa('pkcs1', 1024, 'x')),
  () =>
    armoured(
      'dsa',
      ['DSA', 'PRIVATE', 'KEY'].join(' '),
      wrapped(Buffer.concat([Buffer.from('3082015702010002818100', 'hex'), randomBytes(330)]), 64),
    ),
  () => exported('ec', sec1()),
  () => putty(2, 'ssh-dss', [410, 21]),
];

/** The short form without the parameters, as some libraries write it. */
function sec1(): string {
  const ecdh = createECDH('secp256k1');
  ecdh.generateKeys();
  const der = Buffer.concat([
    Buffer.from('302e0201010420', 'hex'),
    ecdh.getPrivateKey(),
    Buffer.from('a00706052b8104000a', 'hex'),
  ]);
  return armoured('ec', ['EC', 'PRIVATE', 'KEY'].join(' '), wrapped(der, 64)).text;
}

export function makeKeys(count: number): MadeKey[] {
  return Array.from({ length: count }, (_, i) => MAKERS[i % MAKERS.length]!());
}
