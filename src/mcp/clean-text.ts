import { matchHidden, unifyLineBreaks } from '../model/hidden-characters.ts';

/** Removed and not shown, because a model would read what is shown. A zero-width space stays: without it Thai and Khmer words run together. */
const HIDDEN = matchHidden('controls', 'direction', 'invisible', 'tags');

export function cleanText(text: string): string {
  return unifyLineBreaks(text).replace(HIDDEN, '');
}

/** The same for every string inside a JSON value, keys included. */
export function cleanJson(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map(cleanJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [cleanText(key), cleanJson(inner)]));
}
