import { z } from 'zod';
import { matchesIfNoneMatch, toEtag } from '../etag.ts';
import { queryFlag } from '../filter-fields.ts';
import { memoryJsonSchema, toMemoryJson } from '../memory-json.ts';
import { memoryParams, noSuchMemory, projectField } from '../memory-params.ts';
import { API_PATH } from '../rest-env.ts';
import { defineRoute } from '../route.ts';

export const getMemory = defineRoute({
  method: 'GET',
  path: '/memories/{ref}',
  name: 'getMemory',
  action: 'read',
  group: 'Memories',
  summary: 'Get one memory',
  params: memoryParams,
  query: z.strictObject({ project: projectField, include_deleted: queryFlag.optional() }),
  headers: ['If-None-Match'],
  answers: {
    200: { description: 'The memory; its ETag is its revision.', schema: memoryJsonSchema },
    304: { description: 'Still at the revision you have.' },
  },
  async handle({ engine, caller, params, query, header }) {
    const found = await engine.getMemories(caller, {
      refs: [params.ref],
      ...(query.project === undefined ? {} : { project: query.project }),
      ...(query.include_deleted === undefined ? {} : { includeDeleted: query.include_deleted }),
    });
    const memory = found.memories[0];
    if (memory === undefined) throw noSuchMemory();
    const headers = { ETag: toEtag(memory.revision), 'Content-Location': `${API_PATH}/memories/${memory.id}` };
    // A key or hash can come to mean another memory at the same revision; an id cannot.
    const unchanged = params.ref === memory.id && matchesIfNoneMatch(header('If-None-Match'), headers.ETag);
    return unchanged ? { status: 304, headers } : { status: 200, body: toMemoryJson(memory), headers };
  },
});
