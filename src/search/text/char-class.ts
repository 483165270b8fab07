import { INVISIBLE_IN_WORDS } from '../../model/hidden-characters.ts';

/** What a UTF-16 unit is to the tokeniser; bits, so that a run of units can be judged by their union. */
export const LOWER = 1;
export const UPPER = 2;
export const DIGIT = 4;
/** Set beside LOWER, UPPER or DIGIT: needs folding before it is an index term. */
export const FOREIGN = 8;
/** Chinese, Japanese, Korean: cut into pairs. */
export const PAIRED = 16;
/** Thai, Lao, Khmer, Burmese: written without spaces, cut by a dictionary. */
export const SEGMENTED = 32;
/** Joins two words into one developer token: a.ts, foo-bar, src/auth. */
export const CONNECTOR = 64;
export const WORD = LOWER | UPPER | DIGIT;

const UNKNOWN = 255;
const ASCII = classifyAscii();
/** Classes of the other units of the basic plane, found out as they are met. */
let known: Uint8Array | null = null;

export function classAt(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code < 128 ? ASCII[code]! : classOfForeign(text, index, code);
}

function classifyAscii(): Uint8Array {
  const classes = new Uint8Array(128);
  classes.fill(LOWER, 97, 123);
  classes.fill(UPPER, 65, 91);
  classes.fill(DIGIT, 48, 58);
  for (const connector of '_-./\\:@') classes[connector.charCodeAt(0)] = CONNECTOR;
  return classes;
}

function classOfForeign(text: string, index: number, code: number): number {
  if (code >= 0xd800 && code < 0xe000) return classOfSurrogate(text, index, code);
  known ??= new Uint8Array(0x10000).fill(UNKNOWN);
  if (known[code] === UNKNOWN) known[code] = classify(code);
  return known[code]!;
}

/** Both halves of a pair have the class of the whole; a lone half separates words. */
function classOfSurrogate(text: string, index: number, code: number): number {
  const codePoint = text.codePointAt(code < 0xdc00 ? index : index - 1);
  return codePoint !== undefined && codePoint > 0xffff ? classify(codePoint) : 0;
}

function isPaired(char: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u30fc]/u.test(char);
}

function isSegmented(char: string): boolean {
  return /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u.test(char);
}

let invisible: RegExp | null = null;

/** Dashes, quotation marks, bullet and ellipsis of typeset text. */
const TYPOGRAPHIC = new Set([0x2013, 0x2014, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2026]);

/** The common ones are told apart by their numbers: the tables of Unicode take milliseconds to be ready. */
function classify(codePoint: number): number {
  if (TYPOGRAPHIC.has(codePoint)) return 0;
  if (codePoint >= 0xc0 && codePoint <= 0xff && codePoint !== 0xd7 && codePoint !== 0xf7)
    return (codePoint < 0xdf ? UPPER : LOWER) | FOREIGN;
  return classifyByTables(codePoint);
}

function classifyByTables(codePoint: number): number {
  const char = String.fromCodePoint(codePoint);
  if (/[\p{L}\p{M}]/u.test(char)) {
    if (isPaired(char)) return PAIRED;
    if (isSegmented(char)) return SEGMENTED;
    return (/[\p{Lu}\p{Lt}]/u.test(char) ? UPPER : LOWER) | FOREIGN;
  }
  if (isPaired(char) && /\p{N}/u.test(char)) return PAIRED;
  if (/\p{Nd}/u.test(char)) return DIGIT | FOREIGN;
  invisible ??= new RegExp(`[${INVISIBLE_IN_WORDS}]`, 'u');
  return invisible.test(char) ? LOWER | FOREIGN : 0;
}

export function isHan(char: string): boolean {
  return /^\p{Script=Han}/u.test(char);
}
