import * as z from 'zod';
import { SEARCH_MODES, type SearchMode, type SearchQuery } from '../../model/search.ts';
import { describeSearchResult } from '../describe-search-result.ts';
import { filterArguments, noticesOfStore, readFilter, unlistedFilterArguments } from '../filter-arguments.ts';
import { defineTool, type ToolContext } from '../tool.ts';

const wholeNumber = z.number().int();

const listed = {
  query: z.string().max(10_000).optional().describe('Question or words; "exact phrase", prefix*'),
  mode: z
    .enum([...SEARCH_MODES, 'ranked'])
    .meta({ enum: [...SEARCH_MODES] })
    .optional(),
  ...filterArguments,
  when: z.string().max(500).optional().describe('Time phrase, e.g. last week'),
  limit: wholeNumber.min(1).max(100).optional(),
  cursor: z.string().max(2000).optional(),
  max_chars: wholeNumber.min(0).optional(),
};

const unlisted = {
  ...unlistedFilterArguments,
  quality_boost: z.number().min(0).max(1).optional(),
  fallback: z.boolean().optional(),
  include_debug: z.boolean().optional(),
  time_expr: z.string().max(500).optional(),
  n_results: wholeNumber.min(1).max(100).optional(),
  max_response_chars: z.number().min(0).optional(),
  entity: z.string().max(200).optional(),
  rerank: z.boolean().optional(),
  ranking_weights: z.record(z.string(), z.number()).optional(),
  include_beliefs: z.boolean().optional(),
  summarize: z.boolean().optional(),
};

type Arguments = z.output<z.ZodObject<typeof listed & typeof unlisted>>;

export const memorySearch = defineTool({
  name: 'memory_search',
  title: 'Search memory',
  description: 'Find memories by words and meaning; filters narrow before ranking. Returns excerpts with ids.',
  action: 'read',
  alwaysLoad: true,
  listed,
  unlisted,
  output: {
    message: z.string(),
    verdict: z.enum(['found', 'nothing']),
    total: z.number(),
    hits: z.array(z.looseObject({ id: z.string(), title: z.string(), snippet: z.string(), confidence: z.number() })),
    cursor: z.string(),
  },
  run: searchMemories,
});

async function searchMemories(
  { engine, caller, now }: ToolContext,
  args: Arguments,
): Promise<{ structured: Record<string, unknown> }> {
  const result = await engine.search(caller, readQuery(args));
  return { structured: describeSearchResult(result, now, noticesOfUnused(args)) };
}

function readQuery(args: Arguments): SearchQuery {
  const words = args.entity ? `${args.query ?? ''} "${args.entity.replaceAll('"', ' ')}"`.trim() : args.query;
  const query: SearchQuery = { filter: readFilter(args) };
  if (words) query.query = words;
  if (args.mode !== undefined) query.mode = readMode(args.mode);
  const when = args.when || args.time_expr;
  if (when) query.when = when;
  if (args.after) query.after = args.after;
  if (args.before) query.before = args.before;
  const limit = args.limit ?? args.n_results;
  if (limit !== undefined) query.limit = limit;
  if (args.cursor) query.cursor = args.cursor;
  const maxChars = args.max_chars ?? args.max_response_chars;
  if (maxChars !== undefined) query.maxChars = Math.floor(maxChars);
  if (args.quality_boost !== undefined) query.qualityBoost = args.quality_boost;
  if (args.fallback !== undefined) query.fallback = args.fallback;
  if (args.include_debug !== undefined) query.debug = args.include_debug;
  return query;
}

function readMode(mode: SearchMode | 'ranked'): SearchMode {
  return mode === 'ranked' ? 'hybrid' : mode;
}

/** What was asked for and cannot be done is said, never passed over. */
function noticesOfUnused(args: Arguments): string[] {
  const notices = noticesOfStore(args.store);
  if (args.mode === 'ranked')
    notices.push('mode ranked is answered by hybrid, which weighs recency and quality itself.');
  if (args.entity) notices.push('entity was searched as an exact phrase: there is no index of entities.');
  if (args.rerank === true) notices.push('rerank is not used: the ranking is already exact over every match.');
  if (args.ranking_weights !== undefined) notices.push('ranking_weights are not used; quality_boost is.');
  if (args.include_beliefs === true) notices.push('include_beliefs is not used: there are no derived beliefs.');
  if (args.summarize === true) notices.push('summarize is not used: the hits are excerpts already.');
  return notices;
}
