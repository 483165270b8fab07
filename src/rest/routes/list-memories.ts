import { z } from 'zod';
import type { ListMemoriesInput } from '../../engine/engine.ts';
import type { ListFilter } from '../../model/filter.ts';
import { RequestProblem } from '../error-response.ts';
import { labelField, pickTimes, queryFilterFields, queryInteger, toRecordFilter } from '../filter-fields.ts';
import { memoryJsonSchema, toMemoryJson } from '../memory-json.ts';
import { API_PATH } from '../rest-env.ts';
import { defineRoute } from '../route.ts';

const DEFAULT_LIMIT = 20;

const querySchema = z.strictObject({
  ...queryFilterFields,
  key: labelField.optional(),
  content_hash: z.string().length(64).optional(),
  contains: z.string().min(1).max(1000).optional().describe('A piece of the content, taken literally.'),
  deleted: z.enum(['exclude', 'only', 'include']).optional(),
  stale_days: queryInteger(1, 100_000).optional().describe('Not created, changed or read in this many days.'),
  limit: queryInteger(1, 100).optional().describe('20 where nothing is said.'),
  cursor: z.string().min(1).max(2000).optional().describe('From the answer before.'),
  page: queryInteger(1, 1_000_000).optional().describe('A page number instead of a cursor.'),
});
type ListQuery = z.infer<typeof querySchema>;

export const listMemories = defineRoute({
  method: 'GET',
  path: '/memories',
  name: 'listMemories',
  action: 'read',
  group: 'Memories',
  summary: 'List memories, newest first',
  query: querySchema,
  headers: ['X-Time-Zone'],
  example: { path: '/memories?project=shop&limit=5' },
  answers: {
    200: {
      description: 'One page.',
      schema: z.strictObject({
        memories: z.array(memoryJsonSchema),
        total: z.number().int().describe('Over all pages.'),
        cursor: z.string().nullable(),
        next: z.string().nullable().describe('The address of the next page.'),
      }),
    },
  },
  async handle(call) {
    const { query } = call;
    if (query.page !== undefined && query.cursor !== undefined) {
      throw new RequestProblem('invalid_input', 'Send either page or cursor, not both.', {
        errors: [{ field: 'page', message: 'does not go with cursor' }],
      });
    }
    const limit = query.limit ?? DEFAULT_LIMIT;
    const found = await call.engine.listMemories(call.caller, toListInput(query, limit));
    const next = nextPage(call.request.url, { query, limit, total: found.total, cursor: found.cursor });
    const headers: Record<string, string> = next === null ? {} : { Link: `<${next}>; rel="next"` };
    return {
      status: 200,
      body: { memories: found.items.map(toMemoryJson), total: found.total, cursor: found.cursor, next },
      headers,
    };
  },
});

function toListInput(query: ListQuery, limit: number): ListMemoriesInput {
  const filter: ListFilter = toRecordFilter(query);
  if (query.key !== undefined) filter.key = query.key;
  if (query.content_hash !== undefined) filter.contentHash = query.content_hash;
  if (query.contains !== undefined) filter.contains = query.contains;
  if (query.deleted !== undefined) filter.deleted = query.deleted;
  return {
    filter,
    page: {
      limit,
      ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
      ...(query.page === undefined ? {} : { offset: (query.page - 1) * limit }),
    },
    ...pickTimes(query),
    ...(query.stale_days === undefined ? {} : { staleDays: query.stale_days }),
  };
}

/** Relative, so that it is right behind a proxy too. Whoever counts pages gets page numbers, everybody else a cursor. */
function nextPage(
  url: string,
  at: { query: ListQuery; limit: number; total: number; cursor: string | null },
): string | null {
  const params = new URL(url).searchParams;
  if (at.query.page !== undefined) {
    if (at.query.page * at.limit >= at.total) return null;
    params.set('page', String(at.query.page + 1));
  } else if (at.cursor === null) return null;
  else params.set('cursor', at.cursor);
  return `${API_PATH}/memories?${params}`;
}
