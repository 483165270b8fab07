import { RequestProblem } from '../error-response.ts';
import { toEtag } from '../etag.ts';
import { API_PATH } from '../rest-env.ts';
import { defineRoute } from '../route.ts';
import {
  storeBodySchema,
  storeOutcomeSchema,
  toStoreInput,
  toStoreOutcomeJson,
  WRITER_HEADERS,
} from '../store-fields.ts';

export const storeMemory = defineRoute({
  method: 'POST',
  path: '/memories',
  name: 'storeMemory',
  action: 'write',
  group: 'Memories',
  summary: 'Store a memory',
  body: storeBodySchema,
  headers: WRITER_HEADERS,
  example: { body: { content: 'Deploys go out on Thursdays.', type: 'decision', tags: ['release'], project: 'shop' } },
  answers: {
    201: { description: 'Stored.', schema: storeOutcomeSchema },
    200: {
      description: 'Nothing new was made: the text was there already, or another memory has taken it in.',
      schema: storeOutcomeSchema,
    },
    409: { description: 'Refused as a duplicate, because on_duplicate is refuse.' },
  },
  async handle(call) {
    const key = call.header('Idempotency-Key');
    const input = await toStoreInput(call.body, call);
    const outcome = await call.engine.storeMemory(
      call.caller,
      key === undefined ? input : { ...input, idempotencyKey: key },
    );
    const body = toStoreOutcomeJson(outcome);
    if (body.outcome === 'refused') {
      throw new RequestProblem('duplicate', 'Not stored: other memories say the same.', {
        hint: 'Change one of those in `resembles`, or send another on_duplicate.',
        facts: { resembles: body.resembles },
      });
    }
    const headers = { Location: `${API_PATH}/memories/${body.memory.id}`, ETag: toEtag(body.memory.revision) };
    return { status: body.outcome === 'stored' ? 201 : 200, body, headers };
  },
});
