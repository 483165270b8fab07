import type { QueryTerm } from './parse-query.ts';
import { speaksEnglish, speaksOtherwise } from './stop-words.ts';

/** Shorter words begin like too many others. */
const LEAST_LETTERS = 4;

const LATIN = /^[a-z]+$/;
/** Greek to Sinhala: the scripts between Latin and those that are cut into pairs or by a dictionary. */
const BENDING_SCRIPT = /^[\u0370-\u0dff]+$/u;

/**
 * English words are kept by their stems, words of other languages as they are written. Of these a question has the other forms looked up: those that begin
 * alike and end differently (город, города), and those with another article or preposition written to them (مدينة, المدينة). Words in Latin letters have forms
 * where the question is in another language than English.
 */
export function markForms<T extends QueryTerm & { stop?: boolean }>(terms: readonly T[], text: string): readonly T[] {
  if (IS_ASCII.test(text) && !terms.some(({ stop }) => stop === true)) return terms;
  const words = terms.map(({ word }) => word);
  const isOther = !speaksEnglish(words) && (!IS_ASCII.test(text) || speaksOtherwise(words));
  let marked = 0;
  return terms.map((each, i) => {
    const { kind, stop, term, group } = each;
    if (kind !== 'word' || stop === true || term.length < LEAST_LETTERS || marked === MOST_WORDS) return each;
    const isPart = terms[i - 1]?.group === group || terms[i + 1]?.group === group;
    const bends = isOther && LATIN.test(term) ? !isPart && isWritten(each.word) : BENDING_SCRIPT.test(term);
    if (!bends) return each;
    marked++;
    return { ...each, hasForms: true };
  });
}

/** Like a word, and not like an acronym. */
function isWritten(word: string): boolean {
  const rest = word.slice(1);
  return rest === rest.toLowerCase();
}

/** Questions have fewer. Whole pages are asked for too, and each word costs a walk through those that begin like it. */
const MOST_WORDS = 12;

const IS_ASCII = /^[\0-\x7f]*$/;

/** What the forms of a word begin with. */
export function openingOf(term: string): string {
  return term.slice(0, Math.max(LEAST_LETTERS, term.length - mostOfEnding(term)));
}

/** How many letters may be an ending: of город one, of программирование four. */
function mostOfEnding({ length }: string): number {
  return length <= 5 ? 1 : length <= 7 ? 2 : length <= 9 ? 3 : 4;
}

/** Words in Latin letters have lost an ending already, as if they were English, and may be names in code. */
const LATIN_SHARE = 0.7;

/** Whether two words with the same opening may be forms of one. */
export function isForm(one: string, other: string): boolean {
  let common = 0;
  while (common < one.length && one.charCodeAt(common) === other.charCodeAt(common)) common++;
  const endsAlike = one.length - common <= mostOfEnding(one) && other.length - common <= mostOfEnding(other);
  if (!endsAlike || one === other) return false;
  if (!LATIN.test(one)) return !/\p{N}/u.test(other);
  const longer = Math.max(one.length, other.length);
  return LATIN.test(other) && (common === Math.min(one.length, other.length) || common >= longer * LATIN_SHARE);
}

/** Longest first. */
const ARABIC = ['وال', 'بال', 'فال', 'كال', 'ال', 'لل', 'و', 'ب', 'ل', 'ف', 'ك'];
const HEBREW = ['וה', 'שה', 'מה', 'ול', 'וב', 'ה', 'ו', 'ב', 'ל', 'מ', 'ש', 'כ'];
const LEAST_BARE = 3;

/** The same word with other articles, prepositions and conjunctions written to it, or with none. */
export function listAttached(term: string): string[] {
  const attached = /^[\u0600-\u06ff]/.test(term) ? ARABIC : /^[\u0590-\u05ff]/.test(term) ? HEBREW : null;
  if (attached === null) return [];
  const own = attached.find((each) => term.startsWith(each) && term.length - each.length >= LEAST_BARE);
  const bare = own === undefined ? term : term.slice(own.length);
  const forms = new Set([bare, ...attached.map((each) => each + bare), ...attached.map((each) => each + term)]);
  forms.delete(term);
  return [...forms];
}
