import type { Random } from '../../src/features/evaluation/seeded-random.ts';
import type { Sample } from './positives.ts';
import { samplePattern } from './sample-pattern.ts';

/** Secrets with an inner build, as they are written: private keys and web tokens. */
type Draw = (random: Random) => string;

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function bodyLines(count: number, random: Random): string[] {
  return [
    ...Array.from({ length: count }, () => samplePattern('[A-Za-z0-9+/]{64}', random)),
    samplePattern('[A-Za-z0-9+/]{22}==', random),
  ];
}

function pem(label: string, random: Random, end = '\n', headers: readonly string[] = []): string {
  const rim = (word: string): string => ['-----', word, ' ', label, '-----'].join('');
  return [rim('BEGIN'), ...headers, ...bodyLines(12, random), rim('END')].join(end);
}

function putty(random: Random): string {
  const lines = (count: number): string => bodyLines(count - 1, random).join('\n');
  return `PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: key\nPublic-Lines: 2\n${lines(2)}\nPrivate-Lines: 3\n${lines(3)}\nPrivate-MAC: ${samplePattern('[0-9a-f]{64}', random)}\n`;
}

function jwt(random: Random, header: object = { alg: 'HS256', typ: 'JWT' }): string {
  return `${base64url(header)}.${base64url({ sub: samplePattern('[0-9]{10}', random), name: 'Robin', iat: 1_516_239_022 })}.${samplePattern('[A-Za-z0-9_-]{43}', random)}`;
}

const PRIVATE = ['PRIVATE', 'KEY'].join(' ');
const wrap = (text: string, width: number): string => text.replace(new RegExp(`.{${width}}`, 'g'), '$&\n');
const twoParts = (token: string): string => token.slice(0, token.lastIndexOf('.'));

export const TUNING_KEYS: Record<string, Draw> = {
  'rsa key': (random) => pem(`RSA ${PRIVATE}`, random),
  'key, CRLF': (random) => pem(PRIVATE, random, '\r\n'),
  'key in JSON': (random) => JSON.stringify(pem(PRIVATE, random)).slice(1, -1),
  'key in Base64': (random) => base64(pem(`EC ${PRIVATE}`, random)),
  'openssh key': (random) => pem(`OPENSSH ${PRIVATE}`, random),
  'putty key': putty,
  jwt: (random) => jwt(random),
  'jwt, no signature': (random) => `${twoParts(jwt(random, { alg: 'none' }))}.`,
  'jwt, two parts': (random) => twoParts(jwt(random)),
  'jwt, other header': (random) => jwt(random, { kid: 'a1', alg: 'RS256' }),
};

export const HELD_OUT_KEYS: Record<string, Draw> = {
  'encrypted key': (random) => pem(`ENCRYPTED ${PRIVATE}`, random),
  'old encrypted key': (random) =>
    pem(`RSA ${PRIVATE}`, random, '\n', ['Proc-Type: 4,ENCRYPTED', 'DEK-Info: AES-128-CBC,0011223344556677', '']),
  'indented key': (random) => pem(PRIVATE, random, '\n    '),
  'key in one line': (random) => pem(`RSA ${PRIVATE}`, random, ' '),
  'key with escapes twice': (random) => pem(PRIVATE, random, '\\\\n'),
  'key in wrapped Base64': (random) => wrap(base64(pem(`RSA ${PRIVATE}`, random)), 76),
  'dsa key': (random) => pem(`DSA ${PRIVATE}`, random, '\r\n'),
  'jwt, elliptic': (random) => jwt(random, { typ: 'JWT', alg: 'ES256', kid: 'x' }),
  'jwt, empty signature': (random) => `${twoParts(jwt(random, { typ: 'JWT', alg: 'none' }))}.`,
  'jwt, payload only': (random) => twoParts(jwt(random, { alg: 'RS256', typ: 'JWT' })),
  'jwt in Base64': (random) => base64(jwt(random)),
  'jwt in lines': (random) => wrap(jwt(random), 40),
  jwe: (random) =>
    `${base64url({ alg: 'dir', enc: 'A256GCM' })}..${samplePattern('[A-Za-z0-9_-]{16}', random)}.${samplePattern('[A-Za-z0-9_-]{80}', random)}.${samplePattern('[A-Za-z0-9_-]{22}', random)}`,
};

const PLACES: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  (secret) => `Here it is:\n${secret}\nKeep it.`,
  (secret) => `KEY="${secret}"\n`,
];

export function drawKeys(draws: Record<string, Draw>, count: number, random: Random): Sample[] {
  return Object.entries(draws).flatMap(([kind, draw]) =>
    Array.from({ length: count }, (_, i) => {
      const secret = draw(random);
      return { kind, text: PLACES[i % PLACES.length]!(secret), secret };
    }),
  );
}
