import { INVISIBLE_IN_WORDS, matchHidden } from '../model/hidden-characters.ts';
import { once } from '../model/once.ts';
import type { Range } from './secret-rule.ts';

/** A text as someone would read it, made from one as it is written, and the way back. */
export interface TextView {
  text: string;
  /** The last place before `end` where pieces of the original meet that are not side by side there; 0 where there is none. */
  seamBefore(end: number): number;
  /** From a place in the view to the place of the same characters in the original. */
  mapBack(range: Range): Range;
}

interface Piece {
  text: string;
  /** Place in the original. */
  start: number;
  end: number;
}

function joinPieces(pieces: readonly Piece[]): TextView {
  const starts: number[] = [];
  let length = 0;
  for (const { text } of pieces) {
    starts.push(length);
    length += text.length;
  }
  const pieceAt = (at: number): number => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const mapBack = ([start, end]: Range): Range => {
    const first = pieceAt(start);
    const last = pieceAt(end - 1);
    const tail = starts[last]! + pieces[last]!.text.length - end;
    return [pieces[first]!.start + start - starts[first]!, tail === 0 ? pieces[last]!.end : pieces[last]!.end - tail];
  };
  return { text: pieces.map(({ text }) => text).join(''), seamBefore: (end) => starts[pieceAt(end - 1)]!, mapBack };
}

const unseen = (): string =>
  `(?:${matchHidden('marks', 'overrides', 'zeroWidthSpace', 'invisible', 'tags').source}|[${INVISIBLE_IN_WORDS}]|&(?:shy|zwn?j|ZeroWidthSpace|#8203|#173|#x(?:200[b-d]|ad));|<wbr ?/?>|\\\\u(?:200[b-d]|2060|feff|00ad))+`;
/** What is between two characters of a word or sign and shows as nothing, or stands for another character: the escapes of URLs and of JSON. */
const writtenOtherwise = once(
  () =>
    new RegExp(
      `(?<=[!-~])${unseen()}(?=[!-~])|%(?:2[1-9A-Fa-f]|[3-6][0-9A-Fa-f]|7[0-9A-Ea-e])|\\\\u00(?:2[1-9A-Fa-f]|[3-6][0-9A-Fa-f]|7[0-9A-Ea-e])|\\\\/`,
      'gu',
    ),
);
const ANY_OF_THEM = /[%&\\<]|[^\0-\u00ac\u00ae-\u034e]/;

/** Without what nobody sees, and with escapes as the characters they stand for; null when there is neither. */
export function readPlainly(text: string): TextView | null {
  if (!ANY_OF_THEM.test(text)) return null;
  const pieces: Piece[] = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(writtenOtherwise())) {
    if (index > from) pieces.push({ text: text.slice(from, index), start: from, end: index });
    from = index + found.length;
    const stands = standsFor(found);
    if (stands !== '') pieces.push({ text: stands, start: index, end: from });
  }
  if (from === 0) return null;
  pieces.push({ text: text.slice(from), start: from, end: text.length });
  return joinPieces(pieces);
}

function standsFor(found: string): string {
  if (found === '\\/') return '/';
  const digits = /^(?:%|\\u00)(2[1-9A-F]|[3-6][\dA-F]|7[\dA-E])$/i.exec(found)?.[1];
  return digits === undefined ? '' : String.fromCharCode(Number.parseInt(digits, 16));
}

const TOKEN_CODES = new Uint8Array(128);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+/=.~:%-')
  TOKEN_CODES[character.charCodeAt(0)] = 1;
/** What may stand between the end of a line and the rest of a token: the indent, the signs of a quotation. */
const INDENT = /(?:\\n|\r?\n)[ \t]{0,40}(?:> ?){0,3}/y;
/** Two pieces shorter than this are words; no token is shorter. */
const LEAST = 18;

/** Runs of characters that a line end cuts in two or more, joined. Long ones only. */
export function* joinCutLines(text: string): Generator<TextView> {
  let done = 0;
  let plain = text.indexOf('\n');
  let written = text.indexOf('\\n');
  while (plain !== -1 || written !== -1) {
    const isPlain = written === -1 || (plain !== -1 && plain < written);
    const index = isPlain ? plain : written;
    if (isPlain) plain = text.indexOf('\n', index + 1);
    else written = text.indexOf('\\n', index + 2);
    if (index < done) continue;
    let end = index;
    if (text[end] === '\n' && text[end - 1] === '\r') end--;
    if (text[end] === '\\' && text.startsWith('\\r', end - 2)) end -= 2;
    // The sign of a shell or of a mail that the line goes on.
    const stop = (text[end - 1] === '\\' && text[end] !== '\\') || text[end - 1] === '=' ? end - 1 : end;
    let start = stop;
    while (start > done && isInToken(text, start - 1)) start--;
    if (start === stop) continue;
    const pieces: Piece[] = [{ text: text.slice(start, stop), start, end: stop }];
    let length = stop - start;
    for (;;) {
      const at = readBreak(text, pieces.at(-1)!.end);
      if (at === null) break;
      let to = at;
      while (to < text.length && isInToken(text, to)) to++;
      if (to === at) break;
      const next = text[to - 1] === '=' && readBreak(text, to) !== null && text[to - 2] !== '=' ? to - 1 : to;
      pieces.push({ text: text.slice(at, next), start: at, end: next });
      length += next - at;
      done = at;
    }
    if (pieces.length > 1 && length >= LEAST) yield joinPieces(pieces);
  }
}

function isInToken(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code < 128 && TOKEN_CODES[code] === 1;
}

/** The place after a line end that stands here, with its signs before and after; null where there is none. */
function readBreak(text: string, at: number): number | null {
  let from = at;
  if ((text[from] === '\\' || text[from] === '=') && (text[from + 1] === '\n' || text[from + 1] === '\r')) from++;
  if (text.startsWith('\\r\\n', from)) from += 2;
  INDENT.lastIndex = from;
  return INDENT.test(text) ? INDENT.lastIndex : null;
}
