import { readArguments } from '../../mcp/read-arguments.ts';
import { toIso } from '../../model/instant.ts';
import type { JsonObject } from '../../model/json.ts';
import { type Fields, label } from '../../verbs/field.ts';
import { pickFields } from '../../verbs/field-schema.ts';

/** Kept by the server; an agent may send them along with the rest. */
const PROTECTED: ReadonlySet<string> = new Set([
  'content_hash',
  'embedding',
  'updated_at',
  'updated_at_iso',
  'created_at_iso',
  'hash',
  'id',
]);
const CHANGEABLE: ReadonlySet<string> = new Set([
  'tags',
  'type',
  'metadata',
  'content',
  'reason',
  'project',
  'created_at',
]);

/** The `updates` object: fields of a memory, and any other key becomes metadata. */
export function readUpdates(
  updates: JsonObject,
  ours: Fields,
): { changes: Record<string, unknown>; warnings: string[] } {
  const known: Fields = { ...pickFields(ours, (name) => CHANGEABLE.has(name)), memory_type: label() };
  const fields: JsonObject = {};
  const others: JsonObject = {};
  const skipped: string[] = [];
  for (const [name, value] of Object.entries(updates)) {
    if (PROTECTED.has(name)) skipped.push(name);
    else if (Object.hasOwn(known, name)) fields[name] = name === 'created_at' ? readEpoch(value) : value;
    else others[name] = value;
  }
  const changes = readArguments(known, fields);
  if (Object.keys(others).length > 0) changes.metadata = { ...others, ...(changes.metadata as JsonObject | undefined) };
  const warnings =
    skipped.length === 0 ? [] : [`These are kept by the server and were not changed: ${skipped.join(', ')}.`];
  return { changes, warnings };
}

/** Seconds since 1970, as the service writes times. */
function readEpoch(value: JsonObject[string]): JsonObject[string] {
  return typeof value === 'number' ? toIso(value * 1000) : (value ?? null);
}
