import { z } from 'zod';
import { ON_DUPLICATE, type StoreMemoryInput, type StoreOutcome, tagsInputSchema } from '../model/memory.ts';
import { labelField, timeField } from './filter-fields.ts';
import { memoryJsonSchema, metadataSchema, resemblanceSchema, toMemoryJson, toResemblanceJson } from './memory-json.ts';
import { readTime } from './read-time.ts';
import type { RequestHeader, RouteCall } from './route.ts';

export const storeBodySchema = z.strictObject({
  content: z.string().min(1),
  type: labelField.optional(),
  tags: tagsInputSchema.nullable().optional().describe('A list, or names separated by commas.'),
  metadata: metadataSchema.optional(),
  key: labelField
    .optional()
    .describe('Your own name for it, unique in its project; storing again under it replaces the content.'),
  project: labelField.optional(),
  agent: labelField.optional(),
  session: labelField.optional(),
  conversation_id: labelField.optional().describe('Belongs to a conversation: near duplicates are not looked for.'),
  host: labelField.optional(),
  quality: z.number().min(0).max(1).optional(),
  valid_from: timeField.optional(),
  valid_until: timeField.optional(),
  on_duplicate: z.enum(ON_DUPLICATE).optional().describe('What to do when a memory says nearly the same.'),
});

export const WRITER_HEADERS = [
  'Idempotency-Key',
  'X-Agent-ID',
  'X-Client-Hostname',
  'X-Time-Zone',
] as const satisfies readonly RequestHeader[];

type AnyCall = RouteCall<unknown, unknown, unknown>;

export async function toStoreInput(body: z.infer<typeof storeBodySchema>, call: AnyCall): Promise<StoreMemoryInput> {
  const { conversation_id, valid_from, valid_until, on_duplicate, ...same } = body;
  const [validFrom, validUntil] = await Promise.all([
    readTime(valid_from, 'start', call),
    readTime(valid_until, 'end', call),
  ]);
  return {
    ...same,
    ...(conversation_id === undefined ? {} : { conversation: conversation_id }),
    ...(on_duplicate === undefined ? {} : { onDuplicate: on_duplicate }),
    ...(validFrom === undefined ? {} : { validFrom }),
    ...(validUntil === undefined ? {} : { validUntil }),
  };
}

const notes = { warnings: z.array(z.string()), searchable_by: z.enum(['text', 'text+meaning']) };
const resembles = z.array(resemblanceSchema);

export const storeOutcomeSchema = z.discriminatedUnion('outcome', [
  z.strictObject({
    outcome: z.literal('stored'),
    memory: memoryJsonSchema,
    resembles,
    supersedes: z.array(z.string()),
    chunks: z.array(memoryJsonSchema).describe('All pieces, where long content was split.'),
    ...notes,
  }),
  z.strictObject({
    outcome: z.literal('duplicate').describe('The same text was there: nothing was written.'),
    memory: memoryJsonSchema,
    ...notes,
  }),
  z.strictObject({ outcome: z.literal('merged'), memory: memoryJsonSchema, resembles, ...notes }),
  z.strictObject({ outcome: z.literal('appended'), memory: memoryJsonSchema, resembles, ...notes }),
  z.strictObject({ outcome: z.literal('refused'), resembles, ...notes }),
  z.strictObject({
    outcome: z.literal('updated').describe('The key was in use: its memory has the new content.'),
    memory: memoryJsonSchema,
    ...notes,
  }),
]);
export type StoreOutcomeJson = z.infer<typeof storeOutcomeSchema>;

export function toStoreOutcomeJson(outcome: StoreOutcome): StoreOutcomeJson {
  const said = { warnings: [...outcome.warnings], searchable_by: outcome.searchableBy };
  switch (outcome.outcome) {
    case 'stored':
      return {
        outcome: 'stored',
        memory: toMemoryJson(outcome.memory),
        resembles: outcome.resembles.map(toResemblanceJson),
        supersedes: [...outcome.supersedes],
        chunks: outcome.chunks.map(toMemoryJson),
        ...said,
      };
    case 'merged':
    case 'appended':
      return {
        outcome: outcome.outcome,
        memory: toMemoryJson(outcome.memory),
        resembles: outcome.resembles.map(toResemblanceJson),
        ...said,
      };
    case 'refused':
      return { outcome: 'refused', resembles: outcome.resembles.map(toResemblanceJson), ...said };
    case 'duplicate':
    case 'updated':
      return { outcome: outcome.outcome, memory: toMemoryJson(outcome.memory), ...said };
  }
}
