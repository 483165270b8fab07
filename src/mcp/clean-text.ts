import { cleanText, exposeText } from '../model/hidden-characters.ts';

/** Every string inside a JSON value, keys included, as excerpts and titles are shown. */
export function cleanJson(value: unknown): unknown {
  return mapTexts(value, cleanText);
}

/** The same as whole texts are. */
export function exposeJson(value: unknown): unknown {
  return mapTexts(value, exposeText);
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [map(key), mapTexts(inner, map)]));
}
