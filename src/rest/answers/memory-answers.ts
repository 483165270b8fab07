import { z } from 'zod';
import { DOORS } from '../../model/caller.ts';
import type { JsonObject } from '../../model/json.ts';
import { type FieldType, fieldsWhere, MEMORY_FIELDS, type MemoryField } from '../../model/memory-fields.ts';
import { TRUST_TIERS } from '../../model/record.ts';

export const instantSchema = z.iso.datetime();
const text = z.string();
const count = z.number().int();

const FIELD_SCHEMAS: Record<FieldType, z.ZodType> = {
  text,
  label: text,
  tags: z.array(text),
  json: z.record(text, z.unknown()) as z.ZodType<JsonObject>,
  fraction: z.number(),
  instant: instantSchema,
  count,
  id: text,
  hash: text,
  trust: z.enum(TRUST_TIERS),
  source: z.strictObject({
    door: z.enum(DOORS),
    user_id: text,
    client: text.optional(),
    host: text.optional(),
  }),
};

const ABOUT_ANSWERED: Readonly<Record<string, string>> = {
  content_hash: 'SHA-256 of the trimmed, lower-cased content.',
  key: "The caller's own name for it, unique in its project.",
  source: 'Where it came from, stamped by the server.',
  quality: '0 to 1.',
  revision: 'One more with every change; also the ETag.',
  superseded_by: 'The id of the memory that replaced it.',
};

/** A memory as REST shows it: the names of the table of fields, times in ISO 8601. */
export const memorySchema = z.strictObject(
  Object.fromEntries(
    fieldsWhere(({ within }) => within !== 'source').map((name) => {
      const { wire, type, nullable }: MemoryField = MEMORY_FIELDS[name];
      const schema = nullable === true ? FIELD_SCHEMAS[type].nullable() : FIELD_SCHEMAS[type];
      const about = ABOUT_ANSWERED[wire];
      return [wire, about === undefined ? schema : schema.describe(about)];
    }),
  ),
);

export const resemblanceSchema = z.strictObject({
  id: text,
  similarity: z.number().describe('0 to 1; 1 is the same text.'),
  title: text.describe('Its first line.'),
});

const notes = { warnings: z.array(text), searchable_by: z.enum(['text', 'text+meaning']) };
const resembles = z.array(resemblanceSchema);

export const storeOutcomeSchema = z.discriminatedUnion('outcome', [
  z.strictObject({
    outcome: z.literal('stored'),
    memory: memorySchema,
    resembles,
    supersedes: z.array(text),
    chunks: z.array(memorySchema).describe('All pieces, where long content was split.'),
    ...notes,
  }),
  z.strictObject({
    outcome: z.literal('duplicate').describe('The same text was there: nothing was written.'),
    memory: memorySchema,
    ...notes,
  }),
  z.strictObject({ outcome: z.literal('merged'), memory: memorySchema, resembles, ...notes }),
  z.strictObject({ outcome: z.literal('appended'), memory: memorySchema, resembles, ...notes }),
  z.strictObject({ outcome: z.literal('refused'), resembles, ...notes }),
  z.strictObject({
    outcome: z.literal('updated').describe('The key was in use: its memory has the new content.'),
    memory: memorySchema,
    ...notes,
  }),
]);

export const hitSchema = z.strictObject({
  id: text,
  kind: text,
  type: text,
  title: text,
  snippet: text.describe('Text around the match; the whole content where it is short.'),
  whole: z.boolean().describe('True when snippet is all of the content.'),
  content_hash: text,
  tags: z.array(text),
  project: text.nullable(),
  agent: text.nullable(),
  trust: z.enum(TRUST_TIERS),
  quality: z.number(),
  created_at: instantSchema,
  updated_at: instantSchema,
  superseded_by: text.nullable(),
  packet: z
    .strictObject({ id: text, part: text })
    .optional()
    .describe('Of a packet: its own id and the part that was found.'),
  score: z.number().describe('Comparable within one answer.'),
  confidence: z.number().describe('0 to 1: how likely this is what was asked for.'),
  why: z.strictObject({
    matched: z.array(text),
    words: z.array(text),
    text: z.number().nullable(),
    meaning: z.number().nullable(),
    weights: z.record(text, z.number()),
  }),
});

export const searchAnswerSchema = z.strictObject({
  hits: z.array(hitSchema),
  total: count.describe('How many passed the filter and matched at all.'),
  verdict: z.enum(['found', 'nothing']).describe('nothing: no hit, or every one too weak to rely on.'),
  searched_by: z.enum(['text', 'meaning', 'text+meaning', 'filter', 'exact']),
  cursor: text.nullable(),
  truncated: z
    .strictObject({ shown: count, omitted: count, chars: count, total_chars: count })
    .nullable()
    .describe('Set when max_chars left hits out; the cursor leads to them.'),
  notices: z.array(text).describe('What the answer could not do.'),
  time_range: z.strictObject({ after: instantSchema.nullable(), before: instantSchema.nullable() }).nullable(),
  debug: z
    .strictObject({
      candidates: z.number(),
      filtered: z.number(),
      passages: z.number(),
      head: z.record(text, z.number()),
      ms: z.record(text, z.number()),
    })
    .optional(),
});

const someMemories = z.strictObject({ memories: z.array(memorySchema), missing: z.array(text) });

/** What the verbs about memories answer, by their names. */
export const MEMORY_ANSWERS: Readonly<Record<string, z.ZodType>> = {
  storeMemory: storeOutcomeSchema,
  storeMemories: z.strictObject({ outcomes: z.array(storeOutcomeSchema) }),
  searchMemories: searchAnswerSchema,
  getMemory: memorySchema,
  getMemories: someMemories,
  listMemories: z.strictObject({
    memories: z.array(memorySchema),
    total: count.describe('Over all pages.'),
    cursor: text.nullable(),
    next: text.nullable().describe('The address of the next page.'),
  }),
  updateMemory: z.strictObject({
    outcome: z.enum(['updated', 'unchanged', 'versioned']),
    memory: memorySchema,
    changed: z.array(text),
    previous: text.nullable().describe('The id of the memory that this one replaced.'),
    warnings: z.array(text),
  }),
  deleteMemory: z.strictObject({ outcome: z.literal('deleted'), memory: memorySchema }),
  deleteMemories: z.strictObject({
    outcome: z.enum(['deleted', 'would_delete']),
    count,
    memories: z.array(memorySchema).describe('The first hundred.'),
    missing: z.array(text),
  }),
  restoreMemory: memorySchema,
  restoreMemories: z.strictObject({ restored: z.array(memorySchema), missing: z.array(text) }),
  listVersions: z.strictObject({
    versions: z.array(z.strictObject({ memory: memorySchema, replaced_at: instantSchema, reason: text.nullable() })),
  }),
  purgeMemory: z.strictObject({ purged: z.array(text) }),
};

/** Components of the document that bear a name of their own. */
export const NAMED_SCHEMAS = {
  Memory: memorySchema,
  StoreOutcome: storeOutcomeSchema,
  Resemblance: resemblanceSchema,
  Hit: hitSchema,
  SearchAnswer: searchAnswerSchema,
};
