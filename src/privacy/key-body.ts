import { compileOnce, matchAt, type Range } from './secret-rule.ts';

/** What the lines of a key are made of, whatever stands before and after them: numbers of lines, names of files, signs of comments and diffs, quotes, escapes. */

/** Between two pieces of a body there is no more than this, and before the first no more than the headers of a key. */
const GAP = 240;
const FIRST_GAP = 480;
/** As much is looked at before the end of a key whose beginning is missing. */
const LOOK_BACK = 16_384;

const BREAK = '\\\\+(?:[nrt]|u00[0-9a-fA-F]{2})|%[01][0-9A-Fa-f]|&#?\\w{1,5};|=\\r?\\n';
const PIECE = '(?:[A-Za-z0-9+/]|%2[BbFf]|\\\\+/|\\\\u002[bBfF])+(?:=3D|=|%3[Dd]|\\\\u003[dD]){0,2}';
const MARK = '-{4,5} ?(?:BEGIN|END)(?![a-z])|Private-(?:MAC|Hash)(?![a-z])|PuTTY-User-Key-File-\\d';
/** A mark, an escape, a piece of what may be Base64, or anything else; each step is bounded by what it reads. */
const step = compileOnce(`(${MARK})|(?:${BREAK})|(${PIECE})|[^A-Za-z0-9+/\\\\%&=P-]{1,64}|[^]`, 'y');

/** Of a private key alone: a certificate between two keys has its own. */
const LAST_MARK =
  /(?:-{4,5} ?END(?:[ \t+_]|%20|\\u0020|&nbsp;|&#32;){1,3}(?:[A-Za-z0-9]{2,16}(?:[ \t+_]|%20|\\u0020|&nbsp;|&#32;){1,3}){0,3}(?:PRIVATE(?:[ \t+_]|%20|\\u0020|&nbsp;|&#32;){1,3}KEY(?:(?:[ \t+_]|%20|\\u0020|&nbsp;|&#32;){1,3}BLOCK)?|key(?:[ \t+_]|%20){1,3}V1)(?: ?-{4,5})?|Private-(?:MAC|Hash):?(?:[ \t+]|%20|%3A){0,6}(?:[0-9a-f]{40,64})?)/y;

/** The end of a key, as it is written at its last line; null where none stands. */
export function readLastMark(text: string, at: number): Range | null {
  const found = matchAt(LAST_MARK, text, at);
  return found === null ? null : [at, at + found[0].length];
}

interface Body {
  pieces: Range[];
  /** The mark behind it. */
  last: Range | null;
}

/** The pieces of a key from `at` on, to the mark at its end or as far as they follow each other. */
export function readBody(text: string, at: number, firstGap = FIRST_GAP): Body {
  const pieces: Range[] = [];
  let known = at;
  let gap = firstGap;
  for (let from = at; from < text.length && from - known <= gap; ) {
    const [read, mark, piece] = matchAt(step(), text, from)!;
    if (mark !== undefined) return { pieces, last: readLastMark(text, from) };
    const end = from + read.length;
    if (piece !== undefined && mayBePiece(piece)) {
      pieces.push([from, end]);
      if (isPiece(piece)) {
        known = end;
        gap = GAP;
      }
    }
    from = end;
  }
  return { pieces: withoutLoose(text, pieces, known), last: null };
}

/** The pieces before `at`, back to the mark before it or as far as they follow each other. */
export function readBodyBefore(text: string, at: number, least: number): Range[] {
  const start = Math.max(least, at - LOOK_BACK);
  const before = text.slice(start, at);
  const mark = Math.max(before.lastIndexOf('-----'), before.lastIndexOf('Private-'));
  let pieces: Range[] = [];
  let known = 0;
  for (let from = mark === -1 ? start : start + mark + 5; from < at; ) {
    const [read, , piece] = matchAt(step(), text, from)!;
    const end = Math.min(at, from + read.length);
    if (piece !== undefined && mayBePiece(piece)) {
      if (from - known > GAP && isPiece(piece)) pieces = [];
      pieces.push([from, end]);
      if (isPiece(piece)) known = end;
    }
    from = end;
  }
  return at - known > GAP ? [] : pieces;
}

/** What follows the last sure piece: the rest of the last line, and none of the words after it. */
function withoutLoose(text: string, pieces: readonly Range[], known: number): Range[] {
  const sure = pieces.filter(([start]) => start < known);
  const next = pieces[sure.length];
  if (next === undefined || sure.length < 1) return sure;
  const between = sure.length > 1 ? sure.at(-1)![0] - sure.at(-2)![1] : 8;
  const isRest = next[0] - known <= between + 8 && /[=]$|\d.*[A-Z]|[A-Z].*\d|[a-z][A-Z]/.test(text.slice(...next));
  return isRest ? [...sure, next] : sure;
}

/** Long enough, and as Base64 of what nobody can read is: capitals, small letters and digits in turns. */
export function isPiece(piece: string): boolean {
  if (/^(?:MI[GHI]|b3Blb)[\w+/]{8}/.test(piece)) return true;
  if (piece.length < 14 || !/[a-z]/.test(piece) || !/[A-Z]/.test(piece)) return false;
  return (piece.length >= 40 && /\d/.test(piece)) || measureTurns(piece) >= 0.4;
}

/** The last lines of a key are short. */
function mayBePiece(piece: string): boolean {
  return (
    isPiece(piece) ||
    (piece.length >= 6 &&
      (/=$/.test(piece) || (/[A-Z]/.test(piece) && /[a-z\d]/.test(piece) && measureTurns(piece) >= 0.25)))
  );
}

/** The beginning of a piece tells enough. */
const JUDGED = 128;

/** How often, from one character to the next, capitals, small letters, digits and signs take turns: 0 in a word, 0.6 in Base64. */
export function measureTurns(text: string): number {
  const length = Math.min(text.length, JUDGED);
  let turns = 0;
  for (let at = 1; at < length; at++) if (classOf(text.charCodeAt(at)) !== classOf(text.charCodeAt(at - 1))) turns++;
  return turns / Math.max(1, length - 1);
}

const LEAST_UNREADABLE = 48;
/** As much of it is looked at. */
export const JUDGED_UNREAD = 4 * JUDGED;

/** Letters and digits that no text of words or code has, whatever parts them. */
export function isUnreadable(text: string, least = 0.4): boolean {
  const signs = text.slice(0, JUDGED_UNREAD).replace(/[^A-Za-z0-9]/g, '');
  return signs.length >= LEAST_UNREADABLE && measureTurns(signs) >= least;
}

function classOf(code: number): number {
  if (code >= 97 && code <= 122) return 1;
  if (code >= 65 && code <= 90) return 2;
  return code >= 48 && code <= 57 ? 3 : 4;
}

/** One range, or, where they stand in strings of their own, one for each: a string stays whole. */
export function joinRanges(text: string, pieces: readonly Range[]): readonly Range[] {
  const whole: Range = [pieces[0]![0], pieces.at(-1)![1]];
  return text.slice(...whole).includes('"') ? pieces : [whole];
}

/** Widths to which keys are wrapped, and no letters or pictures. */
const WIDTHS: readonly number[] = [64, 70];
const LEAST_LINES = 3;
/** A path of words takes turns, too, but not so many. */
const TURNS = 0.5;
/** What begins so is a picture, an archive, a font, a program, a document, a certificate, a signature or a public key. */
const OTHER =
  /^(?:MII|AAAA[BCE]3Nz|iVBOR|\/9j\/|R0lGOD|UEsDB|H4sI|JVBER|PHN2Z|d09G|T2dnU|TVqQ|f0VMR|UklGR|AAEAAA|AAABAA|Qk0|SUkq|KLUv|QlpoO|\/Td6|iQ[EIJ]|mQ[EGI]N|mDME|mI0E|mFIE|wsF|xs[BF]N|xjM)/;

/** Lines of one width, three or more, that follow each other, without the head that would say what they are. `runs` are those of Base64 in the text. */
export function findBareBodies(text: string, runs: readonly Range[]): (readonly Range[])[] {
  const bodies: (readonly Range[])[] = [];
  for (let first = 0; first < runs.length; ) {
    const width = runs[first]![1] - runs[first]![0];
    let next = first + 1;
    if (WIDTHS.includes(width)) while (next < runs.length && goesOn(text, runs[next - 1]!, runs[next]!, width)) next++;
    if (next - first >= LEAST_LINES) {
      const lines = runs.slice(first, next);
      const rest = runs[next];
      if (
        rest !== undefined &&
        isNextLine(text, lines.at(-1)!, rest) &&
        rest[1] - rest[0] < width &&
        isPiece(text.slice(...rest))
      )
        lines.push(rest);
      if (isBare(text, lines)) bodies.push(joinRanges(text, lines));
    }
    first = next;
  }
  return bodies;
}

function goesOn(text: string, last: Range, next: Range, width: number): boolean {
  return next[1] - next[0] === width && isNextLine(text, last, next);
}

function isNextLine(text: string, last: Range, next: Range): boolean {
  return next[0] - last[1] <= GAP && /\n|\\n|[",|]/.test(text.slice(last[1], next[0]));
}

function isBare(text: string, lines: readonly Range[]): boolean {
  const start = lines[0]![0];
  const end = lines.at(-1)![1];
  const turns = lines.map((line) => measureTurns(text.slice(...line)));
  return (
    turns.reduce((sum, one) => sum + one, 0) / turns.length >= TURNS &&
    !OTHER.test(text.slice(start, start + 8)) &&
    !/BEGIN /.test(text.slice(Math.max(0, start - GAP), start)) &&
    !/END /.test(text.slice(end, end + GAP))
  );
}
