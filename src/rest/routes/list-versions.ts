import { z } from 'zod';
import { toIso } from '../../model/instant.ts';
import { toMemory } from '../../model/to-memory.ts';
import { instantSchema, memoryJsonSchema, toMemoryJson } from '../memory-json.ts';
import { memoryParams } from '../memory-params.ts';
import { defineRoute } from '../route.ts';

export const listVersions = defineRoute({
  method: 'GET',
  path: '/memories/{ref}/versions',
  name: 'listVersions',
  action: 'read',
  group: 'Memories',
  summary: 'Earlier states of a memory, newest first',
  params: memoryParams,
  answers: {
    200: {
      description: 'Empty for a memory that never changed.',
      schema: z.strictObject({
        versions: z.array(
          z.strictObject({ memory: memoryJsonSchema, replaced_at: instantSchema, reason: z.string().nullable() }),
        ),
      }),
    },
  },
  async handle({ engine, caller, params }) {
    const versions = await engine.listVersions(caller, params.ref);
    return {
      status: 200,
      body: {
        versions: versions.map(({ record, replacedAt, reason }) => ({
          memory: toMemoryJson(toMemory(record)),
          replaced_at: toIso(replacedAt),
          reason,
        })),
      },
    };
  },
});
