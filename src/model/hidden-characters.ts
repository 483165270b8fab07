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
  /** Bidirectional marks, embeddings, overrides and isolates. */
  direction: '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069',
  /** Thai, Khmer and Lao write it between words. */
  zeroWidthSpace: '\\u200b',
  /** Word joiner, invisible operators, deprecated format characters, byte order mark, interlinear annotation. */
  invisible: '\\u2060-\\u2065\\u206a-\\u206f\\ufeff\\ufff9-\\ufffb',
  /** Unicode tags: a whole alphabet without a picture. */
  tags: '\\u{e0000}-\\u{e007f}',
};

type HiddenClass = keyof typeof HIDDEN_CHARACTERS;

/** Matches each character of these classes; of all, when none is named. */
export function matchHidden(...classes: HiddenClass[]): RegExp {
  const ranges = classes.length === 0 ? Object.values(HIDDEN_CHARACTERS) : classes.map((one) => HIDDEN_CHARACTERS[one]);
  return new RegExp(`[${ranges.join('')}]`, 'gu');
}

const ALL = matchHidden();

/** Every line break that Unicode knows, as a newline. */
export function unifyLineBreaks(text: string): string {
  return text.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n');
}

/** `\u{202e}` in place of the character. */
export function showHidden(text: string): string {
  return text.replace(ALL, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

/** Escapes inside the text of a JSON document; it still parses to the same value. */
export function escapeHiddenInJson(json: string): string {
  return json.replace(ALL, (character) =>
    Array.from(
      { length: character.length },
      (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

/**
 * What a name that others see must not have. Stricter than the table, joiners and soft hyphens included: two names that look the same must be the same. Lone
 * surrogates too, which no database keeps.
 */
export const HIDDEN_IN_NAMES = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** What search reads over inside a word. Part of the index: a change here needs every index rebuilt. */
export const INVISIBLE_IN_WORDS = '\\u00ad\\u200b-\\u200d\\u2060\\p{Variation_Selector}';
