import { baseForm, irregularForms } from './irregular-forms.ts';
import { wordTerm } from './word-term.ts';

/** Which words can become one of the wanted terms, by their first two letters: for each first letter a bit for each second. */
export type Openings = Uint32Array;

/** Of a letter's or digit's code: upper and lower case have the same. */
const LETTER_BITS = 31;
const ANY_LETTER = 0xffffffff;
/** By the first two letters of what they stand for. */
let formsByOpening: ReadonlyMap<string, string[]> | null = null;

/** Openings of one term: first letters, each followed by the bits of its second ones. */
const known = new Map<string, readonly number[]>();
/** Then the memory starts afresh: people ask for the same words again and again. */
const MAX_KNOWN = 5000;

export function listOpenings(terms: Iterable<string>): Openings {
  const openings = new Uint32Array(LETTER_BITS + 1);
  for (const term of terms) {
    const own = known.get(term) ?? remember(term);
    for (let i = 0; i < own.length; i += 2) openings[own[i]!]! |= own[i + 1]!;
  }
  return openings;
}

function remember(term: string): readonly number[] {
  if (known.size >= MAX_KNOWN) known.clear();
  const found = findOpenings(term);
  known.set(term, found);
  return found;
}

/** Stemming keeps the first two letters of a word of a–z, except that dying becomes die, that nothing but the first may be left, and for irregular forms. */
function findOpenings(term: string): number[] {
  formsByOpening ??= Map.groupBy(irregularForms(), (form) => baseForm(form).slice(0, 2));
  const found = [letterOf(term), term.length === 1 ? ANY_LETTER : bitOf(term, 1)];
  if (term.endsWith('ie')) found.push(letterOf(term), bitOf('y', 0));
  for (const form of formsByOpening.get(term.slice(0, 2)) ?? [])
    if (wordTerm(form) === term) found.push(letterOf(form), bitOf(form, 1));
  return found;
}

/** Whether such a word can begin with these two units. */
export function opens(openings: Openings, first: number, second: number): boolean {
  return (openings[first & LETTER_BITS]! & (1 << (second & LETTER_BITS))) !== 0;
}

function letterOf(word: string): number {
  return word.charCodeAt(0) & LETTER_BITS;
}

function bitOf(text: string, at: number): number {
  return 1 << (text.charCodeAt(at) & LETTER_BITS);
}
