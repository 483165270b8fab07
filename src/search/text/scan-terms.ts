import { CONNECTOR, classAt, DIGIT, FOREIGN, isHan, LOWER, PAIRED, SEGMENTED, UPPER, WORD } from './char-class.ts';
import { passOver, readUnits } from './pass-over.ts';
import { jointEnd, splitCompound } from './split-compound.ts';
import { type Openings, opens } from './word-openings.ts';
import { capTerm, type KnownWord, knowWord, MAX_TERM_LENGTH, wholeTerm, wordTerm } from './word-term.ts';

/** 'word' stands alone; 'whole' is a developer token, and the 'part's that follow it are its pieces; 'pair' is cut from a run of CJK characters. */
export type TermRole = 'word' | 'whole' | 'part' | 'pair';
export type TermSink = (term: string, start: number, end: number, role: TermRole, word?: KnownWord) => void;

/** A token longer than this is a blob: its beginning is kept, its parts are not. */
const MAX_COMPOUND_LENGTH = 256;
/** Dictionary segmentation takes its text in pieces of this length. */
const SEGMENT_PIECE = 4096;
const NOT_ASCII = /[^\0-\x7f]/;
let segmenter: Intl.Segmenter | null = null;

/**
 * Hands every index term of a text to `emit`, in order, with the place it came from. The text must be composed (see fold.ts).
 * Where `openings` are given, words that begin otherwise may be passed over: most of them, and most of the work.
 */
export function scanTerms(text: string, emit: TermSink, openings: Openings | null = null): void {
  const take = (start: number, end: number) => emitWord(text, start, end, emit);
  const passing = openings === null ? null : { units: readUnits(text), openings, take };
  let at = 0;
  while (at < text.length) {
    const kind = classAt(text, at);
    if ((kind & WORD) !== 0 || (kind === CONNECTOR && opensDotName(text, at))) at = scanWord(text, at, emit, openings);
    else if (kind === PAIRED) at = scanPairs(text, at, emit);
    else if (kind === SEGMENTED) at = scanSegments(text, at, emit);
    else at++;
    if (passing !== null) at = passOver(passing, at);
  }
}

/** `.NET`, `.env`: a dot that begins a name. */
function opensDotName(text: string, at: number): boolean {
  if (text.charCodeAt(at) !== 46 || (classAt(text, at + 1) & (LOWER | UPPER)) === 0 || at + 1 >= text.length)
    return false;
  return at === 0 || /[\s("'`[{,;=<“「]/.test(text.charAt(at - 1));
}

function scanWord(text: string, start: number, emit: TermSink, openings: Openings | null): number {
  let end = start;
  let union = 0;
  let compound = false;
  let upperInside = false;
  for (;;) {
    const kind = end < text.length ? classAt(text, end) : 0;
    if ((kind & WORD) !== 0) {
      if (end > start && (kind & UPPER) !== 0) upperInside = true;
      union |= kind;
      end++;
    } else if (kind === CONNECTOR) {
      const next = end === start ? end + 1 : jointEnd(text, end);
      if (next < 0) break;
      compound = true;
      end = next;
    } else {
      break;
    }
  }
  const signed = endOfSigns(text, start, end);
  if (signed > end) [end, compound] = [signed, true];
  const known = openings === null || (union & FOREIGN) !== 0 ? null : openings;
  if (compound || isMixed(union, upperInside))
    return known === null || opensAny(known, text, start, end) ? scanCompound(text, start, end, emit) : end;
  const contracted = end < text.length ? endOfContraction(text, end) : end;
  if (known === null || end - start === 1 || opens(known, text.charCodeAt(start), text.charCodeAt(start + 1)))
    emitWord(text, start, contracted, emit);
  return contracted;
}

function opensAny(openings: Openings, text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (opens(openings, text.charCodeAt(at), text.charCodeAt(at + 1))) return true;
  return false;
}

function isMixed(union: number, upperInside: boolean): boolean {
  const letters = (union & (LOWER | UPPER)) !== 0;
  return ((union & DIGIT) !== 0 && letters) || (upperInside && (union & LOWER) !== 0);
}

function emitWord(text: string, start: number, end: number, emit: TermSink): void {
  const word = knowWord(text.slice(start, Math.min(end, start + MAX_TERM_LENGTH)));
  if (word.term !== '') emit(word.term, start, end, 'word', word);
}

function scanCompound(text: string, start: number, end: number, emit: TermSink): number {
  const raw = text.slice(start, Math.min(end, start + MAX_TERM_LENGTH));
  if (isPluralAcronym(raw)) {
    emit(wordTerm(raw.slice(0, -1)), start, end, 'word');
    return end;
  }
  const whole = termOfSpan(raw);
  let parts = 0;
  if (end - start <= MAX_COMPOUND_LENGTH) {
    splitCompound(text, start, end, (from, to) => {
      if (parts++ === 0 && whole !== '') emit(whole, start, end, 'whole');
      const term = termOfSpan(text.slice(from, Math.min(to, from + MAX_TERM_LENGTH)));
      if (term !== '') emit(term, from, to, 'part');
    });
  }
  if (parts === 0 && whole !== '') emit(whole, start, end, 'word');
  return end;
}

/** Letters alone are stemmed even inside a token, so that `youtube` finds YouTube and `login` finds loginPage. */
function termOfSpan(raw: string): string {
  // The tables of letters take a process milliseconds to be ready: ASCII does without.
  const isWord = NOT_ASCII.test(raw) ? !/[^\p{L}\p{M}]/u.test(raw) : /^[A-Za-z]*$/.test(raw);
  return isWord ? wordTerm(raw) : wholeTerm(raw);
}

/** URLs, IDs, PRs: an acronym and its plural are one word. */
function isPluralAcronym(raw: string): boolean {
  return /^[A-Z]+s$/.test(raw);
}

/** C++, g++ and the sharps of one letter (C#, F#). */
function endOfSigns(text: string, start: number, end: number): number {
  const next = text.charCodeAt(end);
  if (next === 43 && text.charCodeAt(end + 1) === 43 && text.charCodeAt(end + 2) !== 43) return end + 2;
  if (
    next === 35 &&
    end - start === 1 &&
    (classAt(text, start) & (LOWER | UPPER)) !== 0 &&
    (classAt(text, end + 1) & WORD) === 0
  )
    return end + 1;
  return end;
}

/** don't, she'll, Mary's belong to their word; O'Brien and l'homme are two. */
function endOfContraction(text: string, end: number): number {
  const code = text.charCodeAt(end);
  if (code !== 39 && code !== 0x2019) return end;
  const first = text.charCodeAt(end + 1) | 32;
  const isEnd = (at: number) => at >= text.length || (classAt(text, at) & WORD) === 0;
  if ('stdm'.includes(String.fromCharCode(first)) && isEnd(end + 2)) return end + 2;
  return /^(?:ll|re|ve)$/i.test(text.slice(end + 1, end + 3)) && isEnd(end + 3) ? end + 3 : end;
}

function scanPairs(text: string, start: number, emit: TermSink): number {
  let previous = -1;
  let at = start;
  while (at < text.length && classAt(text, at) === PAIRED) {
    const next = at + (text.charCodeAt(at) >>> 10 === 0xd800 >>> 10 ? 2 : 1);
    if (previous >= 0) emit(text.slice(previous, next), previous, next, 'pair');
    previous = at;
    at = next;
  }
  // The last Han character alone too: with it, the prefix "猫" finds every 猫, at the end of a run as well.
  if (previous === start || isHan(text.slice(previous, at))) emit(text.slice(previous, at), previous, at, 'pair');
  return at;
}

function scanSegments(text: string, start: number, emit: TermSink): number {
  segmenter ??= new Intl.Segmenter('th', { granularity: 'word' });
  let end = start;
  while (end < text.length && end - start < SEGMENT_PIECE && (classAt(text, end) & (SEGMENTED | FOREIGN)) !== 0) end++;
  for (const { segment, index, isWordLike } of segmenter.segment(text.slice(start, end))) {
    if (isWordLike) emit(capTerm(segment), start + index, start + index + segment.length, 'word');
  }
  return end;
}
