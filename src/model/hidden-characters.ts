import { once } from './once.ts';

/**
 * Characters that nobody sees, or that change how the text around them is shown: ways to show a person one text and a model or a terminal another. Each entry is
 * the inside of a character class.
 *
 * In no class, because languages and emoji need them: the joiners U+200C and U+200D, the soft hyphen, variation selectors.
 */
const HIDDEN_CHARACTERS = {
  /** C0 except tab and newline, DEL, C1. */
  controls: '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f',
  lineSeparators: '\\u2028\\u2029',
  /** What a person types between Arabic or Hebrew and Latin, so that both stand where they belong. */
  marks: '\\u061c\\u200e\\u200f',
  /** Embeddings, overrides and isolates: what stands between them is shown in another order than it is read. */
  overrides: '\\u202a-\\u202e\\u2066-\\u2069',
  /** Thai, Khmer and Lao write it between words. */
  zeroWidthSpace: '\\u200b',
  /**
   * Word joiner, invisible operators, deprecated format characters, byte order mark, interlinear annotation; grapheme joiner, fillers for missing letters, the
   * Mongolian vowel separator, inherent Khmer vowels; controls of shorthand and of music; what is reserved for more of the kind.
   */
  invisible:
    '\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u2060-\\u2065\\u206a-\\u206f\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0080}-\\u{e00ff}\\u{e01f0}-\\u{e0fff}',
  /** Unicode tags: a whole alphabet without a picture. */
  tags: '\\u{e0000}-\\u{e007f}',
};

type HiddenClass = keyof typeof HIDDEN_CHARACTERS;

/** Matches each character of these classes; of all, when none is named. */
export function matchHidden(...classes: HiddenClass[]): RegExp {
  const ranges = classes.length === 0 ? Object.values(HIDDEN_CHARACTERS) : classes.map((one) => HIDDEN_CHARACTERS[one]);
  return new RegExp(`[${ranges.join('')}]`, 'gu');
}

const all = once(() => matchHidden());
/** Nobody writes these by accident: they show one text and say another. */
const deceptive = once(() => matchHidden('overrides', 'tags'));
/** A zero-width space stays: without it Thai and Khmer words run together. */
const outOfPlace = once(() => matchHidden('controls', 'marks', 'overrides', 'invisible', 'tags'));

/** Every line break that Unicode knows, as a newline. */
export function unifyLineBreaks(text: string): string {
  return text.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n');
}

/** Most texts: nothing in them is hidden, and every line ends alike. One look at them takes a fraction of the others. */
const ORDINARY = /^[\t\n\x20-\x7e]*$/;

/** `\u{202e}` in place of the character. */
export function showHidden(text: string, which = all()): string {
  if (ORDINARY.test(text)) return text;
  return text.replace(which, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

/** A whole text that was asked for by its name: as it is stored, so that its hash fits, but for what deceives, which is shown. */
export function exposeText(text: string): string {
  return showHidden(text, deceptive());
}

/** An excerpt, a title, a line among others: removed and not shown, because a model would read what is shown. */
export function cleanText(text: string): string {
  if (ORDINARY.test(text)) return text;
  return unifyLineBreaks(text).replace(outOfPlace(), '');
}

const unseen = once(() => matchHidden('marks', 'overrides', 'zeroWidthSpace', 'invisible', 'tags'));
/** NUL is refused wherever text comes in, and not repaired. */
const outOfNames = once(
  () =>
    new RegExp(
      `(?![\0\t\n\v\f\r\u0085\u2028\u2029])(?:${matchHidden('controls').source}|${unseen().source}|\u00ad)`,
      'gu',
    ),
);
const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;

/** A name, a tag, a heading: on one line, without what nobody sees, so that two that look the same are the same. Joiners stay: words and emoji are written with them. */
export function cleanName(text: string): string {
  if (ORDINARY_NAME.test(text)) return text.trim();
  return text.replace(outOfNames(), '').replace(BREAKS, ' ').trim();
}

const ORDINARY_NAME = /^[\x20-\x7e]*$/;

/** A name that is refused where it has controls or breaks: without what else nobody sees. */
export function withoutUnseen(text: string): string {
  return ORDINARY.test(text) ? text : text.replace(unseen(), '').replaceAll('\u00ad', '');
}

/** Escapes inside the text of a JSON document; it still parses to the same value. */
export function escapeHiddenInJson(json: string, which = all()): string {
  return json.replace(which, (character) =>
    Array.from(
      { length: character.length },
      (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

/** The same for what deceives alone: a document that has none of it stays as it is, byte for byte. */
export function escapeDeceptiveInJson(json: string): string {
  return escapeHiddenInJson(json, deceptive());
}

/**
 * What a name that others see must not have. Stricter than the table, joiners and soft hyphens included: two names that look the same must be the same. Lone
 * surrogates too, which no database keeps.
 */
export const hiddenInNames = once(() => new RegExp(`[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]|${unseen().source}`, 'u'));

/** What search reads over inside a word. Part of the index: a change here needs every index rebuilt. */
export const INVISIBLE_IN_WORDS = '\\u00ad\\u200b-\\u200d\\u2060\\p{Variation_Selector}';
