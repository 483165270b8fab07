import { z } from 'zod';
import { readIfMatch } from '../etag.ts';
import { memoryJsonSchema, toMemoryJson } from '../memory-json.ts';
import { memoryParams, noSuchMemory, projectField } from '../memory-params.ts';
import { defineRoute } from '../route.ts';

export const deleteMemory = defineRoute({
  method: 'DELETE',
  path: '/memories/{ref}',
  name: 'deleteMemory',
  action: 'write',
  group: 'Memories',
  summary: 'Delete one memory; it can be restored',
  params: memoryParams,
  query: z.strictObject({ project: projectField }),
  headers: ['If-Match'],
  answers: {
    200: {
      description: 'Deleted.',
      schema: z.strictObject({ outcome: z.literal('deleted'), memory: memoryJsonSchema }),
    },
    412: { description: 'It is no longer at the revision in If-Match.' },
  },
  async handle({ engine, caller, params, query, header }) {
    const revision = readIfMatch(header('If-Match'));
    const { memories } = await engine.deleteMemories(caller, {
      refs: [params.ref],
      ...(query.project === undefined ? {} : { project: query.project }),
      ...(revision === undefined ? {} : { revision }),
    });
    const memory = memories[0];
    if (memory === undefined) throw noSuchMemory();
    return { status: 200, body: { outcome: 'deleted', memory: toMemoryJson(memory) } };
  },
});
