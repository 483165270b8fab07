import { z } from 'zod';
import type { DeleteMemoriesInput } from '../../engine/engine.ts';
import type { ListFilter } from '../../model/filter.ts';
import { memoryRefSchema } from '../../model/memory.ts';
import { RequestProblem } from '../error-response.ts';
import { bodyFilterFields, pickTimes, toRecordFilter } from '../filter-fields.ts';
import { memoryJsonSchema, toMemoryJson } from '../memory-json.ts';
import { defineRoute } from '../route.ts';

const bodySchema = z.strictObject({
  ids: z
    .array(memoryRefSchema)
    .min(1)
    .max(100)
    .optional()
    .describe('Ids, content hashes or keys, instead of a filter.'),
  ...bodyFilterFields,
  contains: z.string().min(1).max(1000).optional(),
  dry_run: z.boolean().optional().describe('Only show what would go.'),
});

export const deleteMemories = defineRoute({
  method: 'POST',
  path: '/memories/delete',
  name: 'deleteMemories',
  action: 'write',
  group: 'Memories',
  summary: 'Delete several memories, by id or by filter; they can be restored',
  body: bodySchema,
  headers: ['X-Time-Zone'],
  example: { body: { tags: ['scratch'], before: 'last month', dry_run: true } },
  answers: {
    200: {
      description: 'What was deleted, or would be.',
      schema: z.strictObject({
        outcome: z.enum(['deleted', 'would_delete']),
        count: z.number().int(),
        memories: z.array(memoryJsonSchema).describe('The first hundred.'),
        missing: z.array(z.string()),
      }),
    },
  },
  async handle({ engine, caller, body }) {
    const { outcome, count, memories, missing } = await engine.deleteMemories(caller, toDeleteInput(body));
    return { status: 200, body: { outcome, count, memories: memories.map(toMemoryJson), missing } };
  },
});

function toDeleteInput(body: z.infer<typeof bodySchema>): DeleteMemoriesInput {
  const { ids, dry_run, contains, ...fields } = body;
  const dryRun = dry_run === undefined ? {} : { dryRun: dry_run };
  const filter: ListFilter = contains === undefined ? toRecordFilter(fields) : { ...toRecordFilter(fields), contains };
  const times = pickTimes(fields);
  if (ids === undefined) return { filter, ...times, ...dryRun };
  const { project, ...others } = filter;
  if (Object.keys(others).length + Object.keys(times).length > 0) {
    throw new RequestProblem('invalid_input', 'Send either ids or a filter, not both.', {
      hint: 'Only project goes with ids: it says whose keys they are.',
      errors: [{ field: 'ids', message: 'does not go with a filter' }],
    });
  }
  return { refs: ids, ...(project === undefined ? {} : { project }), ...dryRun };
}
