import { z } from 'zod';
import { memoryParams, noSuchMemory } from '../memory-params.ts';
import { defineRoute } from '../route.ts';

export const purgeMemory = defineRoute({
  method: 'POST',
  path: '/memories/{ref}/purge',
  name: 'purgeMemory',
  action: 'admin',
  group: 'Memories',
  summary: 'Remove a memory for good: versions, vectors and words in the index included',
  params: memoryParams,
  answers: { 200: { description: 'Gone.', schema: z.strictObject({ purged: z.array(z.string()) }) } },
  async handle({ engine, caller, params }) {
    const { purged } = await engine.purgeMemories(caller, [params.ref]);
    if (purged.length === 0) throw noSuchMemory();
    return { status: 200, body: { purged } };
  },
});
