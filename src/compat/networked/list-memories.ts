import { defineTool } from '../../mcp/tool.ts';
import { cursor, integer, label } from '../../verbs/field.ts';
import { toFilter } from '../../verbs/memory-input.ts';
import { DEFAULT_LIMIT, describeRepoMemory, jsonAnswer, LIST_OF_MEMORIES, limit } from './repo-memory.ts';

interface Arguments {
  repo_id?: string;
  limit?: number;
  cursor?: string;
  page?: number;
  page_size?: number;
  tag?: string;
  tags?: string[];
  memory_type?: string;
}

export const listMemories = defineTool<Arguments>({
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
  output: {
    memories: LIST_OF_MEMORIES,
    total: { type: 'number' },
    has_more: { type: 'boolean' },
    cursor: { type: 'string' },
  },
  async run({ engine, caller }, { page = 1, tag, tags = [], ...args }) {
    const size = args.limit ?? args.page_size ?? DEFAULT_LIMIT;
    const filter = toFilter({
      kind: 'memory',
      project: args.repo_id,
      tags: tag === undefined ? tags : [...tags, tag],
      type: args.memory_type === undefined ? undefined : [args.memory_type],
    });
    const at = args.cursor === undefined ? { offset: (page - 1) * size } : { cursor: args.cursor };
    const found = await engine.listMemories(caller, { filter, page: { limit: size, ...at } });
    return jsonAnswer({
      memories: found.items.map(describeRepoMemory),
      total: found.total,
      has_more: found.cursor !== null,
      ...(found.cursor !== null && { cursor: found.cursor }),
    });
  },
});
