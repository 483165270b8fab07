import { z } from 'zod';
import { tagsInputSchema } from '../../model/memory.ts';
import { readIfMatch, toEtag } from '../etag.ts';
import { labelField, timeField } from '../filter-fields.ts';
import { memoryJsonSchema, metadataSchema, toMemoryJson } from '../memory-json.ts';
import { memoryParams } from '../memory-params.ts';
import { readTime } from '../read-time.ts';
import { defineRoute } from '../route.ts';

export const updateMemory = defineRoute({
  method: 'PATCH',
  path: '/memories/{ref}',
  name: 'updateMemory',
  action: 'write',
  group: 'Memories',
  summary: 'Change a memory',
  params: memoryParams,
  headers: ['If-Match', 'X-Time-Zone'],
  body: z.strictObject({
    content: z.string().min(1).optional(),
    type: labelField.optional(),
    tags: tagsInputSchema.nullable().optional().describe('Replaces all tags.'),
    metadata: metadataSchema.optional().describe('Merged into what is there; a null removes its key.'),
    project: labelField.nullable().optional(),
    quality: z.number().min(0).max(1).optional(),
    valid_from: timeField.nullable().optional(),
    valid_until: timeField.nullable().optional(),
    versioned: z
      .boolean()
      .optional()
      .describe('Make a new memory that takes over; the old one stays readable as superseded.'),
    reason: z.string().max(1000).optional(),
    preserve_timestamps: z.boolean().optional(),
    created_at: timeField.optional(),
  }),
  example: { path: '/memories/06dwp2v4x1k8q3m5r7t9', body: { tags: ['release', 'friday'], reason: 'moved' } },
  answers: {
    200: {
      description: 'Changed, or the same as before.',
      schema: z.strictObject({
        outcome: z.enum(['updated', 'unchanged', 'versioned']),
        memory: memoryJsonSchema,
        changed: z.array(z.string()),
        previous: z.string().nullable().describe('The id of the memory that this one replaced.'),
        warnings: z.array(z.string()),
      }),
    },
    412: { description: 'It is no longer at the revision in If-Match.' },
  },
  async handle(call) {
    const { valid_from, valid_until, created_at, preserve_timestamps, ...same } = call.body;
    const revision = readIfMatch(call.header('If-Match'));
    const validFrom = await readTime(valid_from, 'start', call);
    const validUntil = await readTime(valid_until, 'end', call);
    const createdAt = await readTime(created_at, 'start', call);
    const outcome = await call.engine.updateMemory(call.caller, {
      ref: call.params.ref,
      ...same,
      ...(validFrom === undefined ? {} : { validFrom }),
      ...(validUntil === undefined ? {} : { validUntil }),
      ...(createdAt === undefined ? {} : { createdAt }),
      ...(preserve_timestamps === undefined ? {} : { preserveTimestamps: preserve_timestamps }),
      ...(revision === undefined ? {} : { revision }),
    });
    const { memory, changed, previous, warnings } = outcome;
    return {
      status: 200,
      body: { outcome: outcome.outcome, memory: toMemoryJson(memory), changed, previous, warnings },
      headers: { ETag: toEtag(memory.revision) },
    };
  },
});
