import { z } from 'zod';
import { defineRoute } from '../route.ts';

const count = z.number().int();

export const showStats = defineRoute({
  method: 'GET',
  path: '/stats',
  name: 'showStats',
  action: 'read',
  group: 'State',
  summary: 'How much is stored',
  answers: {
    200: {
      description: 'Counts of your space.',
      schema: z.strictObject({
        memories: count,
        deleted: count,
        superseded: count,
        created_this_week: count,
        tags: count,
        passages: count,
        relations: count,
        versions: count,
        bytes: count,
      }),
    },
  },
  async handle({ engine, caller }) {
    const { facts, tags, createdThisWeek } = await engine.checkHealth(caller);
    const { records, deleted, superseded, passages, relations, versions, bytes } = facts;
    return {
      status: 200,
      body: {
        memories: records,
        deleted,
        superseded,
        created_this_week: createdThisWeek,
        tags,
        passages,
        relations,
        versions,
        bytes,
      },
    };
  },
});
