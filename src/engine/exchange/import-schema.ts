import * as z from 'zod';
import { DOORS } from '../../model/caller.ts';
import { isRecordId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import {
  COLUMN_FIELDS,
  type ColumnField,
  type FieldType,
  MEMORY_FIELDS,
  type MemoryField,
} from '../../model/memory-fields.ts';
import { TRUST_TIERS } from '../../model/record.ts';
import { EXPORT_FORMAT, EXPORT_VERSION, type ExportedRecord } from './export-lines.ts';

const text = z
  .string()
  .refine((value) => value.isWellFormed() && !value.includes('\0'), 'holds characters that cannot be stored');
const id = z.string().refine(isRecordId, 'is not a record id');
const instant = z.number().int();
const body = (z.record(z.string(), z.json()) as z.ZodType<JsonObject>).refine(
  isStorable,
  'holds characters that cannot be stored',
);

const VALUES: Record<FieldType, z.ZodType> = {
  text,
  label: text.min(1).max(200),
  tags: z.array(text.min(1)),
  json: body,
  fraction: z.number().min(0).max(1),
  instant,
  count: z.number().int().positive(),
  id,
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  trust: z.enum(TRUST_TIERS),
  source: z.strictObject({
    door: z.enum(DOORS),
    userId: text.min(1),
    client: text.optional(),
    host: text.optional(),
  }),
};

const columns = Object.fromEntries(
  COLUMN_FIELDS.map((name) => {
    const { type, nullable }: MemoryField = MEMORY_FIELDS[name];
    return [name, nullable === true ? VALUES[type].nullable() : VALUES[type]];
  }),
) as { [K in ColumnField]: z.ZodType<ExportedRecord[K]> };

/** Those of release 0.1.0 had neither a generation nor a dot. */
const recordSchema = z.strictObject({
  ...columns,
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
const endSchema = z.strictObject({
  records: count,
  versions: count,
  relations: count,
  graves: count.default(0),
  sha256: z.string(),
});

/** Fields that a later version may add to the header do not matter. */
export const headerSchema = z.object({
  format: z.literal(EXPORT_FORMAT),
  version: z.union([z.literal(1), z.literal(EXPORT_VERSION)]),
});

/** Which of the kinds a line claims to be decides which faults are worth naming. */
export const lineSchemas = {
  record: recordSchema,
  version: versionSchema,
  relation: relationSchema,
  grave: graveSchema,
  end: endSchema,
} as const;

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, item]) => isStorable(key) && isStorable(item));
}
