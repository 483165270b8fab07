import type { Memory } from '../../features/memories/memory.ts';
import { noticesOfVerdict } from '../../features/memories/verbs/advise-nothing.ts';
import { defineTool, jsonAnswer, type ToolContext } from '../../mcp/tool.ts';
import { defined } from '../../model/defined.ts';
import type { ListFilter } from '../../model/filter.ts';
import { unlessEmpty } from '../../verbs/describe-memory.ts';
import { noticesOfTrust } from '../../verbs/describe-origin.ts';
import { cursor, integer, label, text } from '../../verbs/field.ts';
import { toFilter } from '../../verbs/memory-input.ts';
import type { Shape } from '../../verbs/verb.ts';
import { DEFAULT_REPO, describeRepoMemory, findInRepo } from './repo-memory.ts';

const DEFAULT_LIMIT = 10;
const limit = integer(1, 100);
const MEMORIES: Shape = [{ id: 'string' }];

interface RetrieveArguments {
  repo_id?: string;
  query?: string;
  key?: string;
  id?: string;
  tags?: string[];
  limit?: number;
  content?: string;
  n_results?: number;
}

export const retrieveMemory = defineTool<RetrieveArguments>({
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
  output: { memories: MEMORIES, count: 'number' },
  async run(context, args) {
    const { memories: found, advice = [] } = await find(context, args);
    const memories = found.map((memory) => describeRepoMemory(memory, context));
    const notices = [...noticesOfTrust(found), ...advice];
    const isWhole = args.id !== undefined || args.key !== undefined;
    return jsonAnswer(defined({ memories, count: found.length, notices: unlessEmpty(notices) }), {
      isWhole,
    });
  },
});

interface Found {
  memories: Memory[];
  advice?: string[];
}

/** Without a repository an id and a query look in all of the caller's, a key in the default one. */
async function find(context: ToolContext, args: RetrieveArguments): Promise<Found> {
  if (args.id !== undefined) return { memories: await findInRepo(context, args.id, args.repo_id) };
  const wanted = { limit: args.limit ?? args.n_results ?? DEFAULT_LIMIT, query: args.query ?? args.content };
  const filter = toFilter({ project: args.repo_id, tags: args.tags, kind: 'memory' });
  if (args.key !== undefined)
    return { memories: await list(context, { project: DEFAULT_REPO, ...filter, key: args.key }, wanted.limit) };
  if (wanted.query === undefined) return { memories: await list(context, filter, wanted.limit) };
  return search(context, filter, wanted);
}

async function list({ engine, caller }: ToolContext, filter: ListFilter, size: number): Promise<Memory[]> {
  return (await engine.listMemories(caller, { filter, page: { limit: size } })).items;
}

async function search(
  { engine, caller }: ToolContext,
  filter: ListFilter,
  wanted: { query?: string; limit: number },
): Promise<Found> {
  const result = await engine.search(caller, { ...wanted, filter, maxChars: 0 });
  const refs = result.hits.map((hit) => hit.id);
  if (refs.length === 0) return { memories: [] };
  return { memories: (await engine.getMemories(caller, { refs })).memories, advice: noticesOfVerdict(result) };
}

interface ListArguments {
  repo_id?: string;
  limit?: number;
  cursor?: string;
  page?: number;
  page_size?: number;
  tag?: string;
  tags?: string[];
  memory_type?: string;
}

export const listMemories = defineTool<ListArguments>({
  name: 'list_memories',
  title: 'List memories of a repository',
  text: 'Browse a repository, newest first.',
  action: 'read',
  listed: { repo_id: label('Only this repository'), limit, cursor: { ...cursor, about: undefined } },
  // what mcp-memory-service takes under the same name
  unlisted: {
    page: integer(1, 1_000_000),
    page_size: limit,
    tag: label(),
    tags: { type: 'tags' },
    memory_type: label(),
  },
  output: { memories: MEMORIES, total: 'number', has_more: 'boolean', cursor: 'string' },
  async run(context, { page = 1, tag, tags = [], repo_id: project, memory_type: type, ...args }) {
    const size = args.limit ?? args.page_size ?? DEFAULT_LIMIT;
    const filter = toFilter({
      kind: 'memory',
      project,
      tags: tag === undefined ? tags : [...tags, tag],
      type: type && [type],
    });
    const at = args.cursor === undefined ? { offset: (page - 1) * size } : { cursor: args.cursor };
    const {
      items,
      total,
      cursor: next,
    } = await context.engine.listMemories(context.caller, {
      filter,
      page: { limit: size, ...at },
    });
    return jsonAnswer(
      defined({
        memories: items.map((memory) => describeRepoMemory(memory, context)),
        total,
        has_more: next !== null,
        cursor: next ?? undefined,
        notices: unlessEmpty(noticesOfTrust(items)),
      }),
    );
  },
});

export const listRepos = defineTool({
  name: 'list_repos',
  title: 'List repositories',
  text: 'Which repositories have memories, and how many.',
  action: 'read',
  output: { repos: [{ repo_id: 'string', count: 'number' }] },
  async run({ engine, caller }) {
    const projects = await engine.countLabels(caller, 'project');
    return jsonAnswer({ repos: projects.map(({ value, count }) => ({ repo_id: value, count })) });
  },
});
