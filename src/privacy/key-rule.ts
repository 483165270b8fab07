import { once } from '../model/once.ts';
import {
  isPiece,
  isUnreadable,
  JUDGED_UNREAD,
  joinRanges,
  readBody,
  readBodyBefore,
  readLastMark,
} from './key-body.ts';
import { compileOnce, matchAt, type Range, type SecretRule } from './secret-rule.ts';

const BLANK = '(?:[ \\t+_]|%20|\\\\u0020|&nbsp;|&#32;){1,3}';
const head = compileOnce(
  `-{4,5} ?BEGIN${BLANK}(?:(?:[A-Za-z0-9]{2,16}${BLANK}){0,3}PRIVATE${BLANK}KEY(?:${BLANK}BLOCK)?|OpenVPN${BLANK}Static${BLANK}key${BLANK}V1)(?: ?-{4,5})?`,
  'y',
);
const putty = compileOnce(`PuTTY-User-Key-File-\\d(?::|%3A)${BLANK}[\\w-]{4,40}`, 'y');
const puttyPrivate = compileOnce(`Private-Lines(?::|%3A)${BLANK}\\d{1,3}(?!\\d)`, 'y');

/**
 * How the body of a private key begins: DER of RFC 8017, 5915, 5958 and 8410 with its version and algorithm, OpenSSH's name, a packet of RFC 9580.
 * Certificates, requests and public keys begin otherwise.
 */
const BODY_HEADS: readonly (readonly [literals: string, shape: () => RegExp])[] = [
  ['MII', once(() => /MII[A-Z][\w+/]{2}IB(?:AAK[BC]|ADAN|AQQ)/y)],
  ['MIG MIH', once(() => /MI[GH][\w+/]Ag(?:EAM[A-Z]|EBB[BDE])/y)],
  ['MHcC MHQC MC4C MEcC MFEC MIGk', once(() => /M(?:HcC|HQC|C4C|EcC|FEC)AQ(?:EEI|AwB|EwB)/y)],
  [
    'MII MIG MIH',
    once(
      () =>
        /MI(?:I[A-Z][\w+/]{2}|[GH][\w+/])[\w+/]{0,5}(?:BgkqhkiG9w0BBQ|GCSqGSIb3DQEF|YJKoZIhvcNAQUN|BgoqhkiG9w0BDAE|GCiqGSIb3DQEMAQ|YKKoZIhvcNAQwB)/y,
    ),
  ],
  ['b3BlbnNzaC1rZXktdjE', once(() => /b3BlbnNzaC1rZXktdjEA/y)],
  [
    'lQ lF lI xV xY xc',
    once(() => /(?:lQ[\w+/]{2}B[A-P]|l[FI][\w+/]E[A-Z]|xV[gw]E|xYYE|xc[A-Z][\w+/]B[A-P])[\w+/]{54}/y),
  ],
];

/** A line of a body, as long as any tool makes it at least. */
const LINE = /(?:[A-Za-z0-9+/]|%2[BbFf]|\\+\/|\\u002[bBfF]){40}/y;

function keyRule(literals: string, find: SecretRule['find'], mode: SecretRule['mode'] = 'redact'): SecretRule {
  return {
    kind: 'private-key',
    mode,
    literals: literals.split('|'),
    anyCase: false,
    glued: true,
    context: false,
    find,
  };
}

/** All that belongs to a key, from the head to the last mark. A head without a body is no secret. */
function findFromHead(text: string, at: number, pattern: RegExp, gap?: number): Range | readonly Range[] | null {
  const opening = matchAt(pattern, text, at);
  if (opening === null) return null;
  const from = at + opening[0].length;
  const { pieces, last } = readBody(text, from, gap);
  if (!pieces.some((piece) => isPiece(text.slice(...piece)))) return findUnread(text, at, from);
  return joinRanges(text, [[at, from], ...pieces, ...(last === null ? [] : [last])]);
}

const LONGEST_UNREAD = 16_384;
const LONGEST_MARK = 21;
const NEXT_MARK = /-{4,5} ?(?:BEGIN|END)|Private-(?:MAC|Hash)|PuTTY-User-Key-File-\d/;

/** What stands between a head and its last mark and no word has, in whatever way it was cut into pieces. */
function findUnread(text: string, at: number, from: number): readonly Range[] | null {
  // Its beginning tells: what is words is not read to its end behind each of many heads.
  const beginning = text.slice(from, from + JUDGED_UNREAD + LONGEST_MARK);
  const near = beginning.search(NEXT_MARK);
  if (!isUnreadable(near === -1 ? beginning : beginning.slice(0, near))) return null;
  const after = text.slice(from, from + LONGEST_UNREAD);
  const length = after.search(NEXT_MARK);
  const last = length === -1 ? null : readLastMark(text, from + length);
  if (last === null || !isUnreadable(after.slice(0, length))) return null;
  const pieces = [...after.slice(0, length).matchAll(/[\w+/=]+/g)].map(
    ({ 0: piece, index }): Range => [from + index, from + index + piece.length],
  );
  return joinRanges(text, [[at, from], ...pieces, last]);
}

function startsLine(text: string, at: number): boolean {
  return !/[A-Za-z0-9/]/.test(text[at - 1] ?? '') || /(?:\\[nrt]|%0[AaDd])$/.test(text.slice(Math.max(0, at - 3), at));
}

function findFromBody(text: string, at: number): Range | readonly Range[] | null {
  if (matchAt(LINE, text, at) === null || !startsLine(text, at)) return null;
  if (!BODY_HEADS.some(([, shape]) => matchAt(shape(), text, at) !== null)) return null;
  const { pieces, last } = readBody(text, at);
  return pieces[0]?.[0] !== at ? null : joinRanges(text, [...pieces, ...(last === null ? [] : [last])]);
}

function findBeforeEnd(text: string, at: number, from: number): Range | readonly Range[] | null {
  const last = readLastMark(text, at);
  if (last === null) return null;
  const pieces = readBodyBefore(text, at, from);
  return pieces.some((piece) => isPiece(text.slice(...piece))) ? joinRanges(text, [...pieces, last]) : null;
}

/** Private keys in any wrapping: all of their lines, or nothing. */
export const KEY_RULES: readonly SecretRule[] = [
  keyRule('-----BEGIN|---- BEGIN', (text, at) => findFromHead(text, at, head())),
  keyRule('PuTTY-User-Key-File-', (text, at) => findFromHead(text, at, putty())),
  keyRule('Private-Lines', (text, at) => findFromHead(text, at, puttyPrivate(), 120)),
  keyRule(BODY_HEADS.map(([literals]) => literals.replaceAll(' ', '|')).join('|'), findFromBody),
  keyRule('-----END|---- END|Private-MAC|Private-Hash', findBeforeEnd),
  keyRule(
    '-----BEGIN|PuTTY-User-Key-File-',
    (text, at) => {
      const found = matchAt(head(), text, at) ?? matchAt(putty(), text, at);
      return found === null ? null : [at, at + found[0].length];
    },
    'block',
  ),
];
