import { cleanText, exposeText } from '../model/hidden-characters.ts';

/** A value as it will look on the wire, with every string in it, keys included, as excerpts and titles are shown. */
export function cleanJson(value: unknown): unknown {
  return mapTexts(value, cleanText);
}

/** The same as whole texts are. */
export function exposeJson(value: unknown): unknown {
  return mapTexts(value, exposeText);
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => (item === undefined ? null : mapTexts(item, map)));
  if ('toJSON' in value && typeof value.toJSON === 'function') return mapTexts(value.toJSON(), map);
  const mapped: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value))
    if (inner !== undefined) put(mapped, map(key), mapTexts(inner, map));
  return mapped;
}

/** A plain assignment of this one name would set the prototype. */
function put(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') target[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}
