import { classAt, WORD } from './char-class.ts';
import { composeForms, fold } from './fold.ts';

/** Whether a text holds a phrase as whole words; case, accents and the kind and amount of white space do not matter. */
export function containsPhrase(text: string, phrase: string): boolean {
  const needle = flatten(phrase);
  if (needle === '') return false;
  const hay = flatten(text);
  for (let at = hay.indexOf(needle); at >= 0; at = hay.indexOf(needle, at + 1)) {
    if (!cutsWord(hay, at) && !cutsWord(hay, at + needle.length)) return true;
  }
  return false;
}

function flatten(text: string): string {
  return fold(composeForms(text)).replace(/\s+/g, ' ').trim();
}

/** Between two letters or digits. Scripts without spaces have no such border, so a phrase may begin anywhere in them. */
function cutsWord(text: string, at: number): boolean {
  return at > 0 && at < text.length && (classAt(text, at - 1) & WORD) !== 0 && (classAt(text, at) & WORD) !== 0;
}
