import * as z from 'zod';
import type { RecordId } from './ids.ts';
import { type JsonObject, jsonObjectSchema } from './json.ts';
import {
  type ColumnField,
  MEMORY_FIELDS,
  STORABLE_FIELDS,
  type StorableField,
  type StorableValues,
  UPDATABLE_FIELDS,
  type UpdatableField,
  type UpdatableValues,
} from './memory-fields.ts';
import type { StoredRecord } from './record.ts';

export const ON_DUPLICATE = ['report', 'store', 'merge', 'append', 'supersede', 'refuse'] as const;
export type OnDuplicate = (typeof ON_DUPLICATE)[number];

export const tagsInputSchema = z.union([z.array(z.string()).max(1000), z.string().max(20_000)]);

const GIVEN = {
  text: z.string().min(1),
  label: z.string().trim().min(1).max(200),
  tags: tagsInputSchema.nullable(),
  json: jsonObjectSchema,
  fraction: z.number().min(0).max(1),
  instant: z.number().int(),
};

type Fields = typeof MEMORY_FIELDS;
type SchemaOf<K extends StorableField | UpdatableField> = (typeof GIVEN)[Fields[K]['type']];

/** What a caller may say of a new memory. Times are milliseconds; surfaces that take text read it first. */
export interface StoreMemoryInput extends StorableValues {
  content: string;
  onDuplicate?: OnDuplicate;
  /** A retry with the same key gets the first answer and writes nothing. */
  idempotencyKey?: string;
}

const storeShape = Object.fromEntries(
  STORABLE_FIELDS.map((name) => {
    const { type, store } = MEMORY_FIELDS[name];
    return [name, store === 'required' ? GIVEN[type] : GIVEN[type].optional()];
  }),
) as {
  [K in StorableField]: Fields[K]['store'] extends 'required' ? SchemaOf<K> : z.ZodOptional<SchemaOf<K>>;
};

export const storeMemorySchema = z.strictObject({
  ...storeShape,
  onDuplicate: z.enum(ON_DUPLICATE).optional(),
  idempotencyKey: z.string().min(1).max(200).optional(),
}) satisfies z.ZodType<StoreMemoryInput>;

/** A memory as every surface shows it. */
export interface Memory extends Pick<StoredRecord, ColumnField> {
  metadata: JsonObject;
}

/** Another memory that says nearly the same. */
export interface Resemblance {
  id: RecordId;
  /** 0 to 1; 1 is the same text. */
  similarity: number;
  /** Its first line. */
  title: string;
}

export type StoreOutcome = {
  /** What a person should know: an unknown type, an embedding still to come … */
  warnings: string[];
  searchableBy: 'text' | 'text+meaning';
} & (
  | { outcome: 'stored'; memory: Memory; resembles: Resemblance[]; supersedes: RecordId[]; chunks: Memory[] }
  /** The same text was there: nothing was written. */
  | { outcome: 'duplicate'; memory: Memory }
  /** `merge` and `append`: the memory that was there has taken the new one in. */
  | { outcome: 'merged' | 'appended'; memory: Memory; resembles: Resemblance[] }
  /** The caller asked to refuse duplicates, and this is one. */
  | { outcome: 'refused'; resembles: Resemblance[] }
  /** The key was in use: its memory has the new content now. */
  | { outcome: 'updated'; memory: Memory }
);

/** Names a memory by id, by content hash or by (project, key). */
export const memoryRefSchema = z.string().trim().min(1).max(200);

/** Tags replace all there are; metadata is merged into what is there, and a null value removes its key. */
export interface UpdateMemoryInput extends UpdatableValues {
  ref: string;
  /** A new memory takes over, the old one stays readable as superseded. */
  versioned?: boolean;
  reason?: string;
  /** Only if the memory is still at this revision. */
  revision?: number;
  /** false: updatedAt moves even if only metadata changed, and createdAt may be set. */
  preserveTimestamps?: boolean;
}

const updateShape = Object.fromEntries(
  UPDATABLE_FIELDS.map((name) => {
    const { type, update } = MEMORY_FIELDS[name];
    return [name, (update === 'clear' ? GIVEN[type].nullable() : GIVEN[type]).optional()];
  }),
) as {
  [K in UpdatableField]: z.ZodOptional<Fields[K]['update'] extends 'clear' ? z.ZodNullable<SchemaOf<K>> : SchemaOf<K>>;
};

export const updateMemorySchema = z.strictObject({
  ref: memoryRefSchema,
  ...updateShape,
  versioned: z.boolean().optional(),
  reason: z.string().max(1000).optional(),
  revision: z.number().int().positive().optional(),
  preserveTimestamps: z.boolean().optional(),
}) satisfies z.ZodType<UpdateMemoryInput>;

export type UpdateOutcome = {
  outcome: 'updated' | 'unchanged' | 'versioned';
  memory: Memory;
  changed: string[];
  previous: RecordId | null;
  warnings: string[];
};
