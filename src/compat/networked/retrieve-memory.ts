import { RELIABLE_FROM } from '../../engine/search/confidence.ts';
import { isStopWord } from '../../engine/search/text/stop-words.ts';
import { defineTool, type ToolContext } from '../../mcp/tool.ts';
import type { ListFilter } from '../../model/filter.ts';
import type { Memory } from '../../model/memory.ts';
import type { Hit } from '../../model/search.ts';
import { label, text } from '../../verbs/field.ts';
import { toFilter } from '../../verbs/memory-input.ts';
import {
  DEFAULT_LIMIT,
  DEFAULT_REPO,
  describeRepoMemory,
  findInRepo,
  jsonAnswer,
  LIST_OF_MEMORIES,
  limit,
} from './repo-memory.ts';

interface Arguments {
  repo_id?: string;
  query?: string;
  key?: string;
  id?: string;
  tags?: string[];
  limit?: number;
  content?: string;
  n_results?: number;
}

export const retrieveMemory = defineTool<Arguments>({
  name: 'retrieve_memory',
  title: 'Retrieve memories of a repository',
  text: 'Find memories by query, key or id; without any, the newest.',
  action: 'read',
  listed: {
    repo_id: label('Only this repository'),
    query: text('Words or a question; without it the newest first', { max: 10_000 }),
    key: label(),
    id: label(),
    tags: { type: 'tags' },
    limit,
  },
  // what mcp-memory-service takes under the same name
  unlisted: {
    content: text(undefined, { max: 10_000 }),
    n_results: limit,
    similarity_threshold: { type: 'number', min: 0, max: 1 },
    max_response_chars: { type: 'integer', min: 0 },
  },
  output: { memories: LIST_OF_MEMORIES, count: { type: 'number' } },
  async run(context, args) {
    const memories = await find(context, args);
    return jsonAnswer({ memories: memories.map(describeRepoMemory), count: memories.length });
  },
});

/** Without a repository an id and a query look in all of the caller's, a key in the default one. */
function find(context: ToolContext, args: Arguments): Promise<Memory[]> {
  if (args.id !== undefined) return findInRepo(context, args.id, args.repo_id);
  const wanted = { limit: args.limit ?? args.n_results ?? DEFAULT_LIMIT, query: args.query ?? args.content };
  const filter = toFilter({ project: args.repo_id, tags: args.tags, kind: 'memory' });
  if (args.key !== undefined) return list(context, { project: DEFAULT_REPO, ...filter, key: args.key }, wanted.limit);
  return wanted.query === undefined ? list(context, filter, wanted.limit) : search(context, filter, wanted);
}

async function list({ engine, caller }: ToolContext, filter: ListFilter, size: number): Promise<Memory[]> {
  return (await engine.listMemories(caller, { filter, page: { limit: size } })).items;
}

async function search(
  { engine, caller }: ToolContext,
  filter: ListFilter,
  wanted: { query?: string; limit: number },
): Promise<Memory[]> {
  const { hits } = await engine.search(caller, { ...wanted, filter, maxChars: 0 });
  const refs = hits.filter(isRelevant).map((hit) => hit.id);
  return refs.length === 0 ? [] : (await engine.getMemories(caller, { refs })).memories;
}

/** The answer has no place for a confidence, so what is merely nearest is left out: a hit holds a word of the query, or means it. */
function isRelevant({ why, confidence }: Hit): boolean {
  return confidence >= RELIABLE_FROM || why.words.some((word) => !isStopWord(word));
}
