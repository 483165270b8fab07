import { EngineError } from '../../model/errors.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { FORBIDDEN_KEY_FAULT, hasForbiddenKey } from '../../model/json-text.ts';
import { checkText, invalid } from './check-text.ts';

const MAX_CHARS = 64 * 1024;
const MAX_DEPTH = 32;

/** A copy that is sure to be plain JSON, without the key that many programs would take for something else. */
export function readJsonObject(field: string, given: JsonObject): JsonObject {
  if (hasForbiddenKey(given)) throw invalid(field, FORBIDDEN_KEY_FAULT);
  return copyWhole(field, given);
}

/** Later values win; null removes a key. What is there may have come when any key was taken: it is copied as own properties, never assigned. */
export function mergeJsonObject(field: string, old: JsonObject, added: JsonObject): JsonObject {
  if (hasForbiddenKey(added)) throw invalid(field, FORBIDDEN_KEY_FAULT);
  const merged = new Map(Object.entries(old));
  for (const [key, value] of Object.entries(added)) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  return copyWhole(field, Object.fromEntries(merged));
}

function copyWhole(field: string, given: JsonObject): JsonObject {
  const copy = copyObject(field, given, 1);
  const size = JSON.stringify(copy).length;
  if (size <= MAX_CHARS) return copy;
  throw new EngineError('too_large', `The ${field} has ${size} characters as JSON; the limit is ${MAX_CHARS}.`, {
    hint: 'Put long text into the content.',
    details: { field, limit: MAX_CHARS, value: size },
  });
}

function copyObject(field: string, value: JsonObject, depth: number): JsonObject {
  if (depth > MAX_DEPTH) throw invalid(field, `is nested more than ${MAX_DEPTH} levels deep`);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      checkText(field, key);
      return [key, copyValue(field, item, depth)];
    }),
  );
}

function copyValue(field: string, value: Json | undefined, depth: number): Json {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'string') {
    checkText(field, value);
    return value;
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw invalid(field, 'contains a number that is not finite');
    return value;
  }
  if (typeof value !== 'object') throw invalid(field, 'contains a value that JSON cannot represent');
  if (!Array.isArray(value)) return copyObject(field, value, depth + 1);
  if (depth >= MAX_DEPTH) throw invalid(field, `is nested more than ${MAX_DEPTH} levels deep`);
  return value.map((item) => copyValue(field, item, depth + 1));
}
