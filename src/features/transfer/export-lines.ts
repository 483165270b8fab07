import * as z from 'zod';
import { boundLength } from '../../model/bounded-length.ts';
import { DOORS } from '../../model/caller.ts';
import { isRecordId } from '../../model/ids.ts';
import { FIRST_INSTANT, LAST_INSTANT } from '../../model/instant.ts';
import type { JsonObject } from '../../model/json.ts';
import { isObject } from '../../model/json-text.ts';
import {
  COLUMN_FIELDS,
  type ColumnField,
  type FieldType,
  MEMORY_FIELDS,
  type MemoryField,
} from '../../model/memory-fields.ts';
import type { Source } from '../../model/record.ts';
import { TRUST_TIERS } from '../../model/record.ts';
import { isStamps } from '../../model/state-schema.ts';
import { EXPORT_FORMAT, EXPORT_VERSION, type ExportedRecord } from './export-records.ts';

const text = z
  .string()
  .refine((value) => value.isWellFormed() && !value.includes('\0'), 'contains characters that cannot be stored');
const named = boundLength(text, { min: 1 });
const id = z.string().refine(isRecordId, 'is not a record id');
const instant = z.number().int().min(FIRST_INSTANT).max(LAST_INSTANT);
/** As it stands in the file: a record of schemas would drop the key `__proto__`, which earlier releases took. */
const body = z
  .custom<JsonObject>(isObject, 'must be an object')
  .refine(isStorable, 'contains characters that cannot be stored');

const trust = z.enum(TRUST_TIERS);
const way = { door: z.enum(DOORS), userId: named, client: text.optional(), host: text.optional() };

const VALUES: Record<FieldType, z.ZodType> = {
  text,
  label: boundLength(text, { min: 1, max: 200 }),
  tags: z.array(named),
  json: body,
  fraction: z.number().min(0).max(1),
  instant,
  count: z.number().int().positive(),
  id,
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  trust,
  source: z.strictObject({
    ...way,
    unredacted: z.literal(true).optional(),
    at: instant.optional(),
    claimed: z.strictObject({ ...way, trust, createdAt: instant }).optional(),
  }),
};

/** By which way a text came and how far it is believed, as another database says it. */
export const originSchema = z.object({ source: VALUES.source as z.ZodType<Source>, trust });

const columns = Object.fromEntries(
  COLUMN_FIELDS.map((name) => {
    const { type, nullable }: MemoryField = MEMORY_FIELDS[name];
    return [name, nullable === true ? VALUES[type].nullable().default(null) : VALUES[type]];
  }),
) as { [K in ColumnField]: z.ZodType<ExportedRecord[K]> };

/** Keys of notes are longer than what people give. */
const MAX_KEY_CHARS = 1300;

/** Those of release 0.1.0 had neither a generation nor a dot. */
const recordSchema = z.strictObject({
  ...columns,
  key: text.min(1).max(MAX_KEY_CHARS).nullable().default(null),
  kind: text,
  title: text.nullable(),
  body,
  generation: z.number().int().positive().default(1),
  dot: z
    .string()
    .regex(/^[0-9a-f-]{1,64}:\d{1,16}$/)
    .nullable()
    .default(null),
});

/** With which writes its parts come from, for databases that exchange records. */
const stampedSchema = recordSchema.extend({
  stamps: z.string().refine(isStamps, 'are not stamps of a record').optional(),
});

const versionSchema = z.strictObject({ record: recordSchema, replacedAt: instant, reason: text.nullable() });

const relationSchema = z.strictObject({
  from: id,
  to: id,
  type: text.min(1),
  weight: z.number().min(0).max(1),
  body,
  createdAt: instant,
});

const graveSchema = z.strictObject({ id, generation: z.number().int().positive(), purgedAt: instant });

const count = z.number().int().nonnegative();
const name = z.string().regex(/^[0-9a-f]{64}$/);
const chunkSchema = z.strictObject({
  sha256: name,
  bytes: count,
  lines: count,
  alias: name.nullable(),
  clean: z.boolean(),
  packed: z.base64().transform((packed) => Buffer.from(packed, 'base64')),
});
const endSchema = z.strictObject({
  records: count,
  versions: count,
  relations: count,
  graves: count.default(0),
  chunks: count.default(0),
  damaged: count.default(0),
  sha256: z.string(),
});

/** What the database that wrote the file could not vouch for: by its id, or how many are missing that nobody can name. */
const damagedSchema = z.strictObject({
  what: z.enum(['record', 'version', 'relation', 'grave', 'change', 'stamps', 'chunk']),
  id: text.optional(),
  missing: count.optional(),
});

/** Fields that a later version may add to the header do not matter. */
export const headerSchema = z.object({
  format: z.literal(EXPORT_FORMAT),
  version: z.union([z.literal(1), z.literal(EXPORT_VERSION)]),
});

/** Which of the kinds a line claims to be decides which faults are worth naming. */
export const lineSchemas = {
  record: stampedSchema,
  version: versionSchema,
  relation: relationSchema,
  grave: graveSchema,
  chunk: chunkSchema,
  damaged: damagedSchema,
  end: endSchema,
} as const;

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, item]) => isStorable(key) && isStorable(item));
}
