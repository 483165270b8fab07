import * as z from 'zod';
import type { Instant, RecordId } from './ids.ts';
import { type JsonObject, jsonObjectSchema } from './json.ts';
import type { Source, Trust } from './record.ts';

export const ON_DUPLICATE = ['report', 'store', 'merge', 'append', 'supersede', 'refuse'] as const;
export type OnDuplicate = (typeof ON_DUPLICATE)[number];

const label = z.string().trim().min(1).max(200);
export const tagsInputSchema = z.union([z.array(z.string()).max(1000), z.string().max(20_000)]);

/** What a caller may say of a new memory. Times are milliseconds; surfaces that take text read it first. Spelt out, so that the published types need no zod. */
export interface StoreMemoryInput {
  content: string;
  type?: string | undefined;
  tags?: string[] | string | null | undefined;
  metadata?: JsonObject | undefined;
  key?: string | undefined;
  project?: string | undefined;
  agent?: string | undefined;
  session?: string | undefined;
  conversation?: string | undefined;
  host?: string | undefined;
  quality?: number | undefined;
  validFrom?: Instant | undefined;
  validUntil?: Instant | undefined;
  onDuplicate?: OnDuplicate | undefined;
  /** A retry with the same key gets the first answer and writes nothing. */
  idempotencyKey?: string | undefined;
}

export const storeMemorySchema = z.strictObject({
  content: z.string().min(1),
  type: label.optional(),
  tags: tagsInputSchema.nullable().optional(),
  metadata: jsonObjectSchema.optional(),
  key: label.optional(),
  project: label.optional(),
  agent: label.optional(),
  session: label.optional(),
  conversation: label.optional(),
  host: label.optional(),
  quality: z.number().min(0).max(1).optional(),
  validFrom: z.number().int().optional(),
  validUntil: z.number().int().optional(),
  onDuplicate: z.enum(ON_DUPLICATE).optional(),
  idempotencyKey: z.string().min(1).max(200).optional(),
}) satisfies z.ZodType<StoreMemoryInput>;

/** A memory as every surface shows it. */
export interface Memory {
  id: RecordId;
  content: string;
  contentHash: string;
  type: string;
  tags: readonly string[];
  metadata: JsonObject;
  key: string | null;
  project: string | null;
  agent: string | null;
  session: string | null;
  conversation: string | null;
  source: Source;
  trust: Trust;
  quality: number;
  revision: number;
  createdAt: Instant;
  updatedAt: Instant;
  validFrom: Instant | null;
  validUntil: Instant | null;
  supersededBy: RecordId | null;
  deletedAt: Instant | null;
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

export interface UpdateMemoryInput {
  ref: string;
  content?: string | undefined;
  type?: string | undefined;
  /** Replaces all tags. */
  tags?: string[] | string | null | undefined;
  /** Merged into what is there; a null value removes its key. */
  metadata?: JsonObject | undefined;
  project?: string | null | undefined;
  quality?: number | undefined;
  validFrom?: Instant | null | undefined;
  validUntil?: Instant | null | undefined;
  /** A new memory takes over, the old one stays readable as superseded. */
  versioned?: boolean | undefined;
  reason?: string | undefined;
  /** Only if the memory is still at this revision. */
  revision?: number | undefined;
  /** false: updatedAt moves even if only metadata changed, and createdAt may be set. */
  preserveTimestamps?: boolean | undefined;
  createdAt?: Instant | undefined;
}

export const updateMemorySchema = z.strictObject({
  ref: memoryRefSchema,
  content: z.string().min(1).optional(),
  type: label.optional(),
  tags: tagsInputSchema.nullable().optional(),
  metadata: jsonObjectSchema.optional(),
  project: label.nullable().optional(),
  quality: z.number().min(0).max(1).optional(),
  validFrom: z.number().int().nullable().optional(),
  validUntil: z.number().int().nullable().optional(),
  versioned: z.boolean().optional(),
  reason: z.string().max(1000).optional(),
  revision: z.number().int().positive().optional(),
  preserveTimestamps: z.boolean().optional(),
  createdAt: z.number().int().optional(),
}) satisfies z.ZodType<UpdateMemoryInput>;

export type UpdateOutcome = {
  outcome: 'updated' | 'unchanged' | 'versioned';
  memory: Memory;
  changed: string[];
  previous: RecordId | null;
  warnings: string[];
};
