import * as z from 'zod';
import type { ListFilter } from '../../../model/filter.ts';
import { isRecordId } from '../../../model/ids.ts';
import type { Memory } from '../../../model/memory.ts';
import { defineTool, type ToolContext } from '../../tool.ts';
import { DEFAULT_LIMIT, DEFAULT_REPO, describeRepoMemory, jsonAnswer, limitArgument, listOfMemories, repoArgument } from './repo-memory.ts';

const CONTENT_HASH = /^[0-9a-f]{64}$/i;
const text = z.string().max(10_000).optional();
const label = z.string().trim().max(200).optional();

const listed = {
  repo_id: repoArgument.describe('Only this repository'),
  query: text.describe('Words or a question; without it the newest first'),
  key: label,
  id: label,
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
  if (args.id) return findById(context, args.id, args.repo_id || undefined);
  if (args.key) return list(context, { key: args.key, project: args.repo_id || DEFAULT_REPO }, args);
  const filter: ListFilter = {};
  if (args.repo_id) filter.project = args.repo_id;
  if (args.tags !== undefined && args.tags.length > 0) filter.tags = args.tags;
  return query ? search(context, { query, filter }, args) : list(context, filter, args);
}

async function findById({ engine, caller }: ToolContext, id: string, repo: string | undefined): Promise<Memory[]> {
  if (!isRecordId(id) && !CONTENT_HASH.test(id)) return [];
  const { memories } = await engine.getMemories(caller, { refs: [id] });
  return memories.filter((memory) => repo === undefined || memory.project === repo);
}

async function list({ engine, caller }: ToolContext, filter: ListFilter, args: Arguments): Promise<Memory[]> {
  const { items } = await engine.listMemories(caller, { filter: { ...filter, kinds: ['memory'] }, page: { limit: limitOf(args) } });
  return items;
}

async function search({ engine, caller }: ToolContext, wanted: { query: string; filter: ListFilter }, args: Arguments): Promise<Memory[]> {
  const { hits } = await engine.search(caller, { query: wanted.query, filter: { ...wanted.filter, kinds: ['memory'] }, limit: limitOf(args), maxChars: 0 });
  if (hits.length === 0) return [];
  const { memories } = await engine.getMemories(caller, { refs: hits.map((hit) => hit.id) });
  return memories;
}

function limitOf(args: Arguments): number {
  return args.limit ?? args.n_results ?? DEFAULT_LIMIT;
}
