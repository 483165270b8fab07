import { baseForm, irregularForms } from './irregular-forms.ts';
import { wordTerm } from './word-term.ts';

/** Which words can become one of the wanted terms, by their first two letters: for each first letter a bit for each second. */
export type Openings = Uint32Array;

/** Of a letter's or digit's code: upper and lower case have the same. */
const LETTER_BITS = 31;
const ANY_LETTER = 0xffffffff;
/** By the first two letters of what they stand for. */
let formsByOpening: ReadonlyMap<string, string[]> | null = null;

/** Stemming keeps the first two letters of a word of a–z, except that dying becomes die, that nothing but the first may be left, and for irregular forms. */
export function listOpenings(terms: Iterable<string>): Openings {
  formsByOpening ??= Map.groupBy(irregularForms(), (form) => baseForm(form).slice(0, 2));
  const openings = new Uint32Array(LETTER_BITS + 1);
  for (const term of terms) {
    add(openings, term, term.length === 1 ? ANY_LETTER : bitOf(term, 1));
    if (term.endsWith('ie')) add(openings, term, bitOf('y', 0));
    for (const form of formsByOpening.get(term.slice(0, 2)) ?? [])
      if (wordTerm(form) === term) add(openings, form, bitOf(form, 1));
  }
  return openings;
}

/** Whether such a word can begin with these two units. */
export function opens(openings: Openings, first: number, second: number): boolean {
  return (openings[first & LETTER_BITS]! & (1 << (second & LETTER_BITS))) !== 0;
}

function add(openings: Openings, word: string, seconds: number): void {
  const first = word.charCodeAt(0) & LETTER_BITS;
  openings[first] = openings[first]! | seconds;
}

function bitOf(text: string, at: number): number {
  return 1 << (text.charCodeAt(at) & LETTER_BITS);
}
