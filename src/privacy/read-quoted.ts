import { isGenerated } from './judge-value.ts';
import type { Value } from './read-value.ts';

const LONGEST = 512;
/** As much of a line is read to tell whether a place in it is inside of a string. */
const LINE_BEFORE = 1024;
/** A quote inside of what a shell, SQL or YAML quotes: ended, said, begun again; or twice. */
const QUOTE_INSIDE = /'(?:\\{1,8}'|"\\{0,7}'\\{0,7}")'|''/y;

/**
 * What stands between quotes, up to the quote of the same depth: `\"` in a string that is itself in a string, `\\\"` one deeper. `depth` is how many backslashes
 * stand before the opening quote; `isOpen`: there is none here, the string has begun before.
 */
export function readQuoted(text: string, open: number, depth: number, quote: string, isOpen = false): Value | null {
  const start = open + depth + 1;
  // In a string in a string every backslash is written twice, and a quote has one more.
  const turn = [0, 1, 3, 7, 15].includes(depth) ? 2 * (depth + 1) : 0;
  let slashes = 0;
  for (let at = start; at < text.length && at - start <= LONGEST; at++) {
    const character = text[at]!;
    if (character === '\\') {
      slashes++;
      continue;
    }
    if (character === '\n' || character === '\r') return null;
    if (character === quote) {
      if (slashes < depth) return null;
      const inside = quote === "'" ? lengthOfInside(text, at, start) : 0;
      if (inside > 0) {
        at += inside - 1;
        slashes = 0;
        continue;
      }
      if (turn === 0 ? slashes === depth : closes(slashes, turn, depth) || endsPlain(text, at, quote))
        return readBetween(text, { start, end: at - depth, depth, quote, isOpen });
    }
    slashes = 0;
  }
  return null;
}

function closes(slashes: number, turn: number, depth: number): boolean {
  return slashes % turn === depth;
}

/** A shell's string may end with a backslash. */
function endsPlain(text: string, at: number, quote: string): boolean {
  return quote === "'" && /^(?:[\s;,)\]}|&]|$)/.test(text.slice(at + 1, at + 2));
}

/** The quote is one of two and belongs to the value; 0: it ends it. */
function lengthOfInside(text: string, at: number, start: number): number {
  QUOTE_INSIDE.lastIndex = at;
  const length = QUOTE_INSIDE.exec(text)?.[0].length ?? 0;
  // Two alone may be an empty string.
  const isDoubled =
    length === 2 && /[^\s'"]/.test(text[at + 2] ?? '') && (at > start || /[^,;)\]}]/.test(text[at + 2]!));
  return length > 2 || isDoubled ? length : 0;
}

interface Quoted {
  start: number;
  end: number;
  depth: number;
  quote: string;
  /** The string is known to have begun before. */
  isOpen: boolean;
}

function readBetween(text: string, { start, end, depth, quote, isOpen }: Quoted): Value | null {
  const written = text.slice(start, end);
  const close = end + depth;
  if (written === '' || /\w/.test(text[close + 1] ?? '')) return null;
  if (hasBareQuote(written) && isInString(text, start)) return null;
  const plain = undoEscapes(written);
  // The quote may have been the end of a string and not the beginning of one: then a comma or a bracket follows.
  if (/^[,:}\])]/.test(plain) && !(isGenerated(plain) && (isOpen || opens(text, { start, depth, quote }, plain))))
    return null;
  return { text: plain, range: [start, end], quoted: true, next: text.slice(close + 1, close + 3) };
}

/** Of double quotes the line tells it; single ones are apostrophes, too, and the value must show it. */
function opens(
  text: string,
  { start, depth, quote }: Pick<Quoted, 'start' | 'depth' | 'quote'>,
  plain: string,
): boolean {
  if (quote === '"') return !isInString(text, start - 1 - depth, depth);
  return /[a-z]/.test(plain) && /[A-Z]/.test(plain) && /\d/.test(plain);
}

function hasBareQuote(written: string): boolean {
  return /(?:^|[^\\])(?:\\\\)*"/.test(written);
}

function undoEscapes(written: string): string {
  return written.includes('\\') || written.includes("''")
    ? written.replace(/'\\+''|''/g, "'").replace(/\\+(["'`$\\])/g, '$1')
    : written;
}

/** Within the quotes of a string of JSON, as far as its line says; of a line that begins too far away nobody knows, and it is one. `depth`: of backslashes before its quotes. */
export function isInString(text: string, at: number, depth = 0): boolean {
  const from = Math.max(0, at - LINE_BEFORE);
  const before = text.slice(from, at);
  const line = before.lastIndexOf('\n');
  if (line === -1 && from > 0) return true;
  let isOpen = false;
  let slashes = 0;
  for (let i = line + 1; i < before.length; i++) {
    if (before[i] === '\\') slashes++;
    else {
      if (before[i] === '"' && slashes % (2 * (depth + 1)) === depth) isOpen = !isOpen;
      slashes = 0;
    }
  }
  return isOpen;
}
