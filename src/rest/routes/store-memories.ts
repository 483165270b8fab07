import { z } from 'zod';
import { defineRoute } from '../route.ts';
import {
  storeBodySchema,
  storeOutcomeSchema,
  toStoreInput,
  toStoreOutcomeJson,
  WRITER_HEADERS,
} from '../store-fields.ts';

const MAX_BATCH = 50;

export const storeMemories = defineRoute({
  method: 'POST',
  path: '/memories/batch',
  name: 'storeMemories',
  action: 'write',
  group: 'Memories',
  summary: 'Store several memories at once',
  body: z.strictObject({ memories: z.array(storeBodySchema).min(1).max(MAX_BATCH) }),
  headers: WRITER_HEADERS,
  example: {
    body: {
      memories: [
        { content: 'The staging database is restored every night.' },
        { content: 'Ada owns the billing service.', tags: ['people'] },
      ],
    },
  },
  answers: {
    200: {
      description: 'One outcome for each, in order.',
      schema: z.strictObject({ outcomes: z.array(storeOutcomeSchema) }),
    },
  },
  async handle(call) {
    const key = call.header('Idempotency-Key');
    const inputs = await Promise.all(call.body.memories.map((memory) => toStoreInput(memory, call)));
    const keyed = key === undefined ? inputs : inputs.map((input, i) => ({ ...input, idempotencyKey: `${key}#${i}` }));
    const outcomes = await call.engine.storeMemories(call.caller, keyed);
    return { status: 200, body: { outcomes: outcomes.map(toStoreOutcomeJson) } };
  },
});
