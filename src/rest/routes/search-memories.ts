import { z } from 'zod';
import { SEARCH_MODES, type SearchQuery } from '../../model/search.ts';
import {
  bodyFilterFields,
  pickTimes,
  queryFilterFields,
  queryFlag,
  queryInteger,
  toRecordFilter,
} from '../filter-fields.ts';
import { defineRoute, type Route } from '../route.ts';
import { searchAnswerSchema, toSearchAnswer } from '../search-json.ts';

const MAX_QUERY_CHARS = 4096;
const queryText = z
  .string()
  .trim()
  .min(1)
  .max(MAX_QUERY_CHARS)
  .optional()
  .describe('Words, a question, "a phrase", prefix*; without it the filters alone decide.');
const shared = {
  mode: z.enum(SEARCH_MODES).optional(),
  when: z.string().trim().min(1).max(500).optional().describe('A time phrase, such as "last Tuesday afternoon".'),
  cursor: z.string().min(1).max(2000).optional(),
};

const bodySchema = z.strictObject({
  query: queryText,
  ...shared,
  ...bodyFilterFields,
  limit: z.number().int().min(1).max(100).optional().describe('10 where nothing is said.'),
  max_chars: z.number().int().min(0).optional().describe('Most characters of content in the answer; 0 is unlimited.'),
  quality_boost: z.number().min(0).max(1).optional(),
  fallback: z.boolean().optional().describe('When little is found: also literal matches and tags.'),
  include_debug: z.boolean().optional(),
});

const querySchema = z.strictObject({
  q: queryText,
  ...shared,
  ...queryFilterFields,
  limit: queryInteger(1, 100).optional(),
  max_chars: queryInteger(0, 100_000_000).optional(),
  quality_boost: z.coerce.number().min(0).max(1).optional(),
  fallback: queryFlag.optional(),
  include_debug: queryFlag.optional(),
});

const answers: Route['answers'] = { 200: { description: 'Hits, best first.', schema: searchAnswerSchema } };

export const searchMemories = defineRoute({
  method: 'POST',
  path: '/search',
  name: 'searchMemories',
  action: 'read',
  group: 'Search',
  summary: 'Find memories by words and meaning',
  body: bodySchema,
  headers: ['X-Time-Zone'],
  example: { body: { query: 'when do we deploy?', project: 'shop' } },
  answers,
  async handle({ engine, caller, body }) {
    return { status: 200, body: toSearchAnswer(await engine.search(caller, toSearchQuery(body))) };
  },
});

export const searchMemoriesByUrl = defineRoute({
  method: 'GET',
  path: '/search',
  name: 'searchMemoriesByUrl',
  action: 'read',
  group: 'Search',
  summary: 'The same search, asked in the URL',
  query: querySchema,
  headers: ['X-Time-Zone'],
  example: { path: '/search?q=deploy&when=last%20week' },
  answers,
  async handle({ engine, caller, query }) {
    const { q, ...rest } = query;
    return { status: 200, body: toSearchAnswer(await engine.search(caller, toSearchQuery({ query: q, ...rest }))) };
  },
});

function toSearchQuery(input: z.infer<typeof bodySchema>): SearchQuery {
  const query: SearchQuery = { filter: toRecordFilter(input), ...pickTimes(input) };
  if (input.query !== undefined) query.query = input.query;
  if (input.mode !== undefined) query.mode = input.mode;
  if (input.when !== undefined) query.when = input.when;
  if (input.cursor !== undefined) query.cursor = input.cursor;
  if (input.limit !== undefined) query.limit = input.limit;
  if (input.max_chars !== undefined) query.maxChars = input.max_chars;
  if (input.quality_boost !== undefined) query.qualityBoost = input.quality_boost;
  if (input.fallback !== undefined) query.fallback = input.fallback;
  if (input.include_debug !== undefined) query.debug = input.include_debug;
  return query;
}
