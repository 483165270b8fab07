import { cutText } from '../../model/cut-text.ts';
import type { CountedTerm } from '../index/part.ts';
import { fold } from './fold.ts';
import { baseForm } from './irregular-forms.ts';
import { stem } from './stem.ts';

/** Longest index term, in UTF-16 units. */
export const MAX_TERM_LENGTH = 64;
/** Texts repeat their words: this many are remembered, then the memory starts afresh. */
const MAX_REMEMBERED = 50_000;
const words = new Map<string, KnownWord>();

/** A word as written that was met before, and what the table of words that counted it last knows of its term. */
export interface KnownWord extends CountedTerm {
  readonly term: string;
  /** What its comparison with other texts found out about it; null: nobody has asked yet. */
  role: 'stops' | 'negates' | 'tells' | null;
}

const LETTERS = /^[a-z]+$/;
const CONTRACTION = /['’](?:s|ll|re|ve|d|m)?$/;

/** The index term of one word as written: lower case, folded, stemmed where it is made of a–z only. Empty when nothing remains. */
export function wordTerm(raw: string): string {
  return knowWord(raw).term;
}

/** The same with what is known of the word. */
export function knowWord(raw: string): KnownWord {
  return words.get(raw) ?? rememberWord(raw);
}

function rememberWord(raw: string): KnownWord {
  if (words.size >= MAX_REMEMBERED) words.clear();
  const word: KnownWord = { term: detach(makeTerm(raw)), role: null, table: 0, place: -1, docs: 0 };
  words.set(detach(raw), word);
  return word;
}

function makeTerm(raw: string): string {
  const word = fold(raw).replace(CONTRACTION, '').replace(/['’]/g, '');
  return capTerm(LETTERS.test(word) ? stem(baseForm(word)) : word);
}

/** The term of a developer token that is kept as it is. */
export function wholeTerm(raw: string): string {
  return detach(capTerm(fold(raw)));
}

export function capTerm(term: string): string {
  return cutText(term, MAX_TERM_LENGTH);
}

/** V8 keeps the whole parent alive for a slice of 13 characters or more; a term may outlive its text by far. */
function detach(text: string): string {
  if (text.length < 13) return text;
  const encoding = /^[\0-\xff]*$/.test(text) ? 'latin1' : 'utf16le';
  return Buffer.from(text, encoding).toString(encoding);
}
