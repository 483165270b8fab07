import { EngineError } from '../../model/errors.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import {
  type ColumnField,
  type FieldsWith,
  fieldsWhere,
  MEMORY_FIELDS,
  type StorableValues,
  type UpdatableValues,
} from '../../model/memory-fields.ts';
import type { RecordContent } from '../../model/record.ts';
import { readTags, type TagsInput } from '../../model/tags.ts';

const MAX_LABEL_CHARS = 200;

/** Databases and other languages cannot hold every JavaScript string: NUL and half a surrogate pair are refused, not repaired. */
export function checkText(field: string, text: string): void {
  if (text.includes('\0')) throw invalid(field, 'holds a NUL character');
  if (!text.isWellFormed()) throw invalid(field, 'holds half of a surrogate pair, which is not valid Unicode');
}

export function checkContent(content: string, maxChars: number): void {
  checkText('content', content);
  if (content.trim() === '') throw invalid('content', 'is empty');
  if (content.length <= maxChars) return;
  throw new EngineError('too_large', `The content has ${content.length} characters; the limit is ${maxChars}.`, {
    hint: 'Store it in parts, or raise the setting max_content_chars.',
    details: { field: 'content', limit: maxChars, value: content.length },
  });
}

/** A short name: trimmed, not empty. */
export function readLabel(field: string, text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null;
  checkText(field, text);
  const label = text.trim();
  if (label === '') throw invalid(field, 'is empty');
  if (label.length > MAX_LABEL_CHARS) {
    const message = `The field "${field}" has ${label.length} characters; the limit is ${MAX_LABEL_CHARS}.`;
    throw new EngineError('too_large', message, { details: { field, limit: MAX_LABEL_CHARS, value: label.length } });
  }
  return label;
}

function checkFraction(field: string, value: number): void {
  if (!(value >= 0 && value <= 1)) throw invalid(field, 'must be a number from 0 to 1');
}

export function checkInstant(field: string, value: number | null): void {
  if (value !== null && !(Number.isInteger(value) && Math.abs(value) <= 8.64e15))
    throw invalid(field, 'must be a time in milliseconds since 1970');
}

export function checkValidity(from: number | null, until: number | null): void {
  checkInstant('validFrom', from);
  checkInstant('validUntil', until);
  if (from !== null && until !== null && from >= until) throw invalid('validUntil', 'must be later than validFrom');
}

export function invalid(field: string, fault: string): EngineError {
  return new EngineError('invalid_input', `The field "${field}" ${fault}.`, { details: { field } });
}

export function readCheckedTags(input: TagsInput): string[] {
  const tags = readTags(input);
  for (const tag of tags) checkText('tags', tag);
  return tags;
}

const MAX_CHARS = 64 * 1024;
const MAX_DEPTH = 32;

/** A copy that is sure to be plain JSON. `__proto__` is a key like any other: it is copied as an own property, never assigned. */
export function readJsonObject(field: string, given: JsonObject): JsonObject {
  const copy = copyObject(field, given, 1);
  const size = JSON.stringify(copy).length;
  if (size <= MAX_CHARS) return copy;
  throw new EngineError('too_large', `The ${field} has ${size} characters as JSON; the limit is ${MAX_CHARS}.`, {
    hint: 'Put long text into the content.',
    details: { field, limit: MAX_CHARS, value: size },
  });
}

/** Later values win; null removes a key. */
export function mergeJsonObject(field: string, old: JsonObject, added: JsonObject): JsonObject {
  const merged = new Map(Object.entries(old));
  for (const [key, value] of Object.entries(added)) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  return readJsonObject(field, Object.fromEntries(merged));
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
    if (!Number.isFinite(value)) throw invalid(field, 'holds a number that is not finite');
    return value;
  }
  if (typeof value !== 'object') throw invalid(field, 'holds a value that JSON does not have');
  if (!Array.isArray(value)) return copyObject(field, value, depth + 1);
  if (depth >= MAX_DEPTH) throw invalid(field, `is nested more than ${MAX_DEPTH} levels deep`);
  return value.map((item) => copyValue(field, item, depth + 1));
}

/** Columns that a new record may leave empty. */
type OpenField = FieldsWith<{ nullable: true; store: string }> & ColumnField;
export const OPEN_FIELDS = fieldsWhere(
  ({ nullable, store, within }) => nullable === true && store !== undefined && within === undefined,
) as OpenField[];

type PlainField = OpenField | 'quality';
const PLAIN_FIELDS: readonly PlainField[] = [...OPEN_FIELDS, 'quality'];
const CHANGEABLE_FIELDS = PLAIN_FIELDS.filter((name) => 'update' in MEMORY_FIELDS[name]);

/** What stands where a new record says nothing. */
export const NOTHING_SAID = {
  ...Object.fromEntries(OPEN_FIELDS.map((name) => [name, null])),
  quality: 0.5,
} as Pick<RecordContent, PlainField>;

/** Those fields of a new record that need no more than a look at their type. */
export function readNewFields(given: StorableValues): Partial<RecordContent> {
  return readFields(PLAIN_FIELDS, given);
}

/** Those that an update names; null clears. */
export function readChangedFields(given: UpdatableValues): Partial<RecordContent> {
  return readFields(CHANGEABLE_FIELDS, given);
}

function readFields(
  names: readonly PlainField[],
  given: { [K in PlainField]?: string | number | null },
): Partial<RecordContent> {
  const read: Record<string, string | number | null> = {};
  for (const name of names) {
    const value = given[name];
    if (value !== undefined) read[name] = readValue(name, value);
  }
  return read;
}

function readValue(name: PlainField, value: string | number | null): string | number | null {
  if (typeof value !== 'number') return readLabel(name, value);
  if (MEMORY_FIELDS[name].type === 'fraction') checkFraction(name, value);
  else checkInstant(name, value);
  return value;
}
