import { toEtag } from '../etag.ts';
import { memoryJsonSchema, toMemoryJson } from '../memory-json.ts';
import { memoryParams, noSuchMemory } from '../memory-params.ts';
import { defineRoute } from '../route.ts';

export const restoreMemory = defineRoute({
  method: 'POST',
  path: '/memories/{ref}/restore',
  name: 'restoreMemory',
  action: 'write',
  group: 'Memories',
  summary: 'Bring a deleted memory back',
  params: memoryParams,
  answers: { 200: { description: 'The memory as it is again.', schema: memoryJsonSchema } },
  async handle({ engine, caller, params }) {
    const { restored } = await engine.restoreMemories(caller, [params.ref]);
    const memory = restored[0];
    if (memory === undefined) throw noSuchMemory();
    return { status: 200, body: toMemoryJson(memory), headers: { ETag: toEtag(memory.revision) } };
  },
});
