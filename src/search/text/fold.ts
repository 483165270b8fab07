import { INVISIBLE_IN_WORDS } from '../../model/hidden-characters.ts';

/** Full-width and half-width forms, ligatures, decomposed kana and Hangul: what must be composed before text is cut into words. */
const COMPATIBILITY_FORMS =
  /[\u1100-\u11ff\u2460-\u24ff\u3099\u309a\u3200-\u33ff\uf900-\ufaff\ufb00-\ufdff\ufe70-\uffef]|\ud835/;
const NOT_ASCII = /[^\0-\x7f]/;
/** Made when it is first used: Unicode's tables take a start milliseconds to be ready. */
let patterns: { accented: RegExp; dropped: RegExp } | null = null;
const LETTERS_WITHOUT_DECOMPOSITION: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ı: 'i',
  þ: 'th',
  ς: 'σ',
};

export function hasCompatibilityForms(text: string): boolean {
  return COMPATIBILITY_FORMS.test(text);
}

export function composeForms(text: string): string {
  return hasCompatibilityForms(text) ? text.normalize('NFKC') : text;
}

/** Lower case, without accents on Latin, Greek and Cyrillic letters; other scripts keep their marks. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (!NOT_ASCII.test(lower)) return lower;
  patterns ??= makePatterns();
  const bare = lower.normalize('NFKD').replace(patterns.dropped, '').replace(patterns.accented, '$1').normalize('NFKC');
  return bare.replace(/[ßæœøđðłıþς]/g, (letter) => LETTERS_WITHOUT_DECOMPOSITION[letter] ?? letter);
}

function makePatterns(): { accented: RegExp; dropped: RegExp } {
  return {
    // Marks on kana and in other scripts change the letter; on these three they only colour it.
    accented: /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu,
    // Invisible signs, Arabic vowel marks and the Arabic stretching sign, Hebrew points.
    dropped: new RegExp(`[${INVISIBLE_IN_WORDS}\\u0591-\\u05c7\\u0640\\u064b-\\u065f]`, 'gu'),
  };
}
