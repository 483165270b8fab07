import * as z from 'zod';
import { type JsonObject, jsonObjectSchema } from '../model/json.ts';
import { updateMemorySchema } from '../model/memory.ts';
import { readArguments } from './read-arguments.ts';

/** Kept by the server; an agent of mcp-memory-service may send them along with the rest. */
const PROTECTED: ReadonlySet<string> = new Set([
  'content_hash',
  'embedding',
  'updated_at',
  'updated_at_iso',
  'created_at_iso',
  'hash',
  'id',
]);

const known = z.strictObject({
  tags: z.array(z.string()).max(1000).optional(),
  memory_type: z.string().trim().max(200).optional(),
  type: z.string().trim().max(200).optional(),
  metadata: jsonObjectSchema.optional(),
  content: updateMemorySchema.shape.content,
  reason: updateMemorySchema.shape.reason,
  project: z.string().trim().max(200).optional(),
  created_at: z.string().max(200).optional(),
});

/** The `updates` object of mcp-memory-service: known fields, and any other key becomes metadata. */
export function readUpdates(updates: JsonObject | undefined): {
  merged: Partial<z.output<typeof known>>;
  warnings: string[];
} {
  if (updates === undefined) return { merged: {}, warnings: [] };
  const fields: JsonObject = {};
  const others: JsonObject = {};
  const skipped: string[] = [];
  for (const [name, value] of Object.entries(updates)) {
    if (PROTECTED.has(name)) skipped.push(name);
    else if (Object.hasOwn(known.shape, name)) fields[name] = name === 'created_at' ? readEpoch(value) : value;
    else others[name] = value;
  }
  const merged = readArguments(known, fields);
  if (Object.keys(others).length > 0) merged.metadata = { ...others, ...merged.metadata };
  const warnings =
    skipped.length === 0 ? [] : [`These are kept by the server and were not changed: ${skipped.join(', ')}.`];
  return { merged, warnings };
}

/** Seconds since 1970, as mcp-memory-service writes times. */
function readEpoch(value: JsonObject[string]): JsonObject[string] {
  return typeof value === 'number' ? new Date(value * 1000).toISOString() : (value ?? null);
}
