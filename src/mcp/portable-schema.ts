import * as z from 'zod';

type JsonSchema = { [key: string]: unknown };

/** What every client's model API understands. Length limits and the rest are checked here and reported as coded errors. */
const KEPT: ReadonlySet<string> = new Set([
  'type',
  'description',
  'enum',
  'items',
  'properties',
  'required',
  'minimum',
  'maximum',
]);

export type ObjectSchema = JsonSchema & { type: 'object' };

export function inputSchema(schema: z.ZodObject): ObjectSchema {
  return {
    ...keepPortable(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema),
    type: 'object',
  };
}

/** Requires nothing: clients check errors against it too. */
export function outputSchema(schema: z.ZodObject): ObjectSchema {
  return { ...dropRequired(keepPortable(z.toJSONSchema(schema) as JsonSchema)), type: 'object' };
}

/** In the order of `names`. */
export function showOnly(schema: ObjectSchema, names: readonly string[]): ObjectSchema {
  const { properties = {} } = schema as { properties?: Record<string, JsonSchema> };
  const shown = Object.fromEntries(
    names.flatMap((name) => (properties[name] === undefined ? [] : [[name, properties[name]]])),
  );
  return { ...schema, properties: shown };
}

function dropRequired({ required: _, ...schema }: JsonSchema): JsonSchema {
  const { items, properties } = schema as { items?: JsonSchema; properties?: Record<string, JsonSchema> };
  if (items !== undefined) schema.items = dropRequired(items);
  if (properties !== undefined)
    schema.properties = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, dropRequired(property)]),
    );
  return schema;
}

function keepPortable(schema: JsonSchema): JsonSchema {
  const kept: JsonSchema = {};
  for (const [key, value] of Object.entries(schema)) {
    if (!KEPT.has(key)) continue;
    // zod states the safe range of every integer; only a limit of ours is worth its tokens
    if ((key === 'minimum' || key === 'maximum') && Math.abs(value as number) >= Number.MAX_SAFE_INTEGER) continue;
    if (key === 'properties' && Object.keys(value as JsonSchema).length === 0) continue;
    if (key === 'properties') kept[key] = keepEach(value as Record<string, JsonSchema>);
    else if (key === 'items') kept[key] = keepPortable(value as JsonSchema);
    else kept[key] = value;
  }
  return kept;
}

function keepEach(properties: Record<string, JsonSchema>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, keepPortable(property)]));
}
