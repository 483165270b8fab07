import { EngineError } from '../../model/errors.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { checkText, invalid } from './check-text.ts';

const MAX_METADATA_CHARS = 64 * 1024;
const MAX_DEPTH = 32;

/** A copy that is sure to be plain JSON. `__proto__` is a key like any other: it is copied as an own property, never assigned. */
export function readMetadata(metadata: JsonObject | undefined): JsonObject {
  if (metadata === undefined) return {};
  const copy = copyObject(metadata, 1);
  const size = JSON.stringify(copy).length;
  if (size <= MAX_METADATA_CHARS) return copy;
  throw new EngineError(
    'too_large',
    `The metadata has ${size} characters as JSON; the limit is ${MAX_METADATA_CHARS}.`,
    {
      hint: 'Put long text into the content.',
      details: { field: 'metadata', limit: MAX_METADATA_CHARS, value: size },
    },
  );
}

/** Later values win; null removes a key; keys in `except` are left alone. */
export function mergeMetadata(old: JsonObject, added: JsonObject, except: ReadonlySet<string> = new Set()): JsonObject {
  const merged = new Map(Object.entries(old));
  for (const [key, value] of Object.entries(added)) {
    if (except.has(key)) continue;
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  return readMetadata(Object.fromEntries(merged));
}

function copyObject(value: JsonObject, depth: number): JsonObject {
  if (depth > MAX_DEPTH) throw invalid('metadata', `is nested more than ${MAX_DEPTH} levels deep`);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      checkText('metadata', key);
      return [key, copyValue(item, depth)];
    }),
  );
}

function copyValue(value: Json | undefined, depth: number): Json {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'string') {
    checkText('metadata', value);
    return value;
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw invalid('metadata', 'holds a number that is not finite');
    return value;
  }
  if (typeof value !== 'object') throw invalid('metadata', 'holds a value that JSON does not have');
  if (!Array.isArray(value)) return copyObject(value, depth + 1);
  if (depth >= MAX_DEPTH) throw invalid('metadata', `is nested more than ${MAX_DEPTH} levels deep`);
  return value.map((item) => copyValue(item, depth + 1));
}
