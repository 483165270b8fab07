import * as z from 'zod';
import { RELIABLE_FROM } from '../../../engine/search/confidence.ts';
import { isStopWord } from '../../../engine/search/text/stop-words.ts';
import type { ListFilter } from '../../../model/filter.ts';
import type { Memory } from '../../../model/memory.ts';
import type { Hit } from '../../../model/search.ts';
import { defineTool, type ToolContext } from '../../tool.ts';
import {
  DEFAULT_LIMIT,
  DEFAULT_REPO,
  describeRepoMemory,
  findInRepo,
  jsonAnswer,
  labelArgument,
  limitArgument,
  listOfMemories,
} from './repo-memory.ts';

const text = z.string().max(10_000).optional();

const listed = {
  repo_id: labelArgument.describe('Only this repository'),
  query: text.describe('Words or a question; without it the newest first'),
  key: labelArgument,
  id: labelArgument,
  tags: z.array(z.string()).max(1000).optional(),
  limit: limitArgument,
};

/** What mcp-memory-service takes under the same name. */
const unlisted = {
  content: text,
  n_results: limitArgument,
  similarity_threshold: z.number().min(0).max(1).optional(),
  max_response_chars: z.number().int().min(0).optional(),
};

type Arguments = z.output<z.ZodObject<typeof listed & typeof unlisted>>;

export const retrieveMemory = defineTool({
  name: 'retrieve_memory',
  title: 'Retrieve memories of a repository',
  description: 'Find memories by query, key or id; without any, the newest.',
  action: 'read',
  listed,
  unlisted,
  output: { memories: listOfMemories, count: z.number() },
  run: async (context, args) => {
    const memories = await find(context, args);
    return jsonAnswer({ memories: memories.map(describeRepoMemory), count: memories.length });
  },
});

/** Without a repository an id and a query look in all of the caller's, a key in the default one. */
function find(context: ToolContext, args: Arguments): Promise<Memory[]> {
  const query = args.query || args.content;
  if (args.id) return findInRepo(context, args.id, args.repo_id);
  const filter: ListFilter = {};
  if (args.repo_id) filter.project = args.repo_id;
  if (args.tags !== undefined && args.tags.length > 0) filter.tags = args.tags;
  if (args.key) return list(context, { project: DEFAULT_REPO, ...filter, key: args.key }, args);
  return query ? search(context, { query, filter }, args) : list(context, filter, args);
}

async function list({ engine, caller }: ToolContext, filter: ListFilter, args: Arguments): Promise<Memory[]> {
  const { items } = await engine.listMemories(caller, {
    filter: { ...filter, kinds: ['memory'] },
    page: { limit: limitOf(args) },
  });
  return items;
}

async function search(
  { engine, caller }: ToolContext,
  wanted: { query: string; filter: ListFilter },
  args: Arguments,
): Promise<Memory[]> {
  const { hits } = await engine.search(caller, {
    query: wanted.query,
    filter: { ...wanted.filter, kinds: ['memory'] },
    limit: limitOf(args),
    maxChars: 0,
  });
  const refs = hits.filter(isRelevant).map((hit) => hit.id);
  return refs.length === 0 ? [] : (await engine.getMemories(caller, { refs })).memories;
}

/** The answer has no place for a confidence, so what is merely nearest is left out: a hit holds a word of the query, or means it. */
function isRelevant({ why, confidence }: Hit): boolean {
  return confidence >= RELIABLE_FROM || why.words.some((word) => !isStopWord(word));
}

function limitOf(args: Arguments): number {
  return args.limit ?? args.n_results ?? DEFAULT_LIMIT;
}
