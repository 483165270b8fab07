import * as z from 'zod';
import type { ListFilter } from '../../../model/filter.ts';
import { defineTool } from '../../tool.ts';
import {
  DEFAULT_LIMIT,
  describeRepoMemory,
  jsonAnswer,
  labelArgument,
  limitArgument,
  listOfMemories,
} from './repo-memory.ts';

const listed = {
  repo_id: labelArgument.describe('Only this repository'),
  limit: limitArgument,
  cursor: z.string().max(2000).optional(),
};

/** What mcp-memory-service takes under the same name. */
const unlisted = {
  page: z.number().int().min(1).max(1_000_000).optional(),
  page_size: limitArgument,
  tag: labelArgument,
  tags: z.array(z.string()).max(1000).optional(),
  memory_type: labelArgument,
};

type Arguments = z.output<z.ZodObject<typeof listed & typeof unlisted>>;

export const listMemories = defineTool({
  name: 'list_memories',
  title: 'List memories of a repository',
  description: 'Browse a repository, newest first.',
  action: 'read',
  listed,
  unlisted,
  output: { memories: listOfMemories, total: z.number(), has_more: z.boolean(), cursor: z.string() },
  run: async ({ engine, caller }, args) => {
    const limit = args.limit ?? args.page_size ?? DEFAULT_LIMIT;
    const at = args.cursor ? { cursor: args.cursor } : { offset: ((args.page ?? 1) - 1) * limit };
    const page = await engine.listMemories(caller, { filter: readFilter(args), page: { limit, ...at } });
    const hasMore = page.cursor !== null;
    return jsonAnswer({
      memories: page.items.map(describeRepoMemory),
      total: page.total,
      has_more: hasMore,
      ...(hasMore && { cursor: page.cursor }),
    });
  },
});

function readFilter(args: Arguments): ListFilter {
  const filter: ListFilter = { kinds: ['memory'] };
  if (args.repo_id) filter.project = args.repo_id;
  const tags = [...(args.tags ?? []), ...(args.tag ? [args.tag] : [])];
  if (tags.length > 0) filter.tags = tags;
  if (args.memory_type) filter.types = [args.memory_type];
  return filter;
}
