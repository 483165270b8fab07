import { EngineError } from '../../model/errors.ts';
import { readTags } from '../../model/tags.ts';
import { choice, flag, integer, label, time } from '../../verbs/field.ts';
import { defineServiceTool, documentAnswer, linesAnswer, type Tool, type ToolContext } from './define-service-tool.ts';
import { FOUND_KINDS } from './search-in-service.ts';
import { projectOfStore } from './service-arguments.ts';
import { toServiceMemory } from './service-memory.ts';

interface ListArguments {
  page?: number;
  page_size?: number;
  tags?: string[];
  tag_match?: 'any' | 'all';
  memory_type?: string;
  stale_days?: number;
  store?: string;
  agent_id?: string;
}

interface DeleteArguments extends Pick<ListArguments, 'tags' | 'tag_match' | 'store'> {
  content_hash?: string;
  before?: string;
  after?: string;
  dry_run?: boolean;
}

const memoryList = defineServiceTool<ListArguments>({
  name: 'memory_list',
  title: 'List Memories',
  text: 'Browse memories by page, newest first.',
  action: 'read',
  listed: {
    page: integer(1, 1_000_000),
    page_size: integer(1, 100),
    tags: { type: 'tags' },
    tag_match: choice(['any', 'all']),
    memory_type: label(),
    stale_days: integer(1, 100_000, 'Not used for so long'),
    store: label(),
    agent_id: label(),
  },
  defaults: { page: 1, page_size: 20, tag_match: 'any' },
  output: {
    memories: ['object'],
    page: 'number',
    page_size: 'number',
    total: 'number',
    total_pages: 'number',
    has_more: 'boolean',
  },
  async run(context, args) {
    const { page = 1, page_size: size = 20, memory_type: type } = args;
    const { memories, total } = await listPage(context, {
      page,
      size,
      tags: args.tags,
      tagMatch: args.tag_match,
      agent: args.agent_id,
      staleDays: args.stale_days,
      types: type === undefined ? undefined : [type],
      project: projectOfStore(args.store),
    });
    return documentAnswer(
      {
        memories: memories.map((memory) => toServiceMemory(memory, context)),
        page,
        page_size: size,
        total,
        total_pages: Math.ceil(total / size),
        has_more: page * size < total,
      },
      { memories },
    );
  },
});

interface PageWanted {
  page: number;
  size: number;
  tags?: readonly string[] | string | undefined;
  tagMatch?: 'any' | 'all' | undefined;
  types?: readonly string[] | undefined;
  agent?: string | undefined;
  project?: string | undefined;
  staleDays?: number | undefined;
}

/** Newest first. */
export async function listPage({ engine, caller }: ToolContext, wanted: PageWanted) {
  const { page, size, tagMatch = 'any', types, agent, project, staleDays } = wanted;
  const tags = readTags(wanted.tags);
  const { items, total } = await engine.listMemories(caller, {
    page: { limit: size, offset: (page - 1) * size },
    filter: {
      ...(tags.length > 0 && { tags, tagMatch }),
      ...(types !== undefined && { types }),
      ...(agent !== undefined && { agent }),
      ...(project !== undefined && { project }),
    },
    ...(staleDays !== undefined && { staleDays }),
  });
  return { memories: items, total };
}

const PREVIEWED = 5;

const memoryDelete = defineServiceTool<DeleteArguments>({
  name: 'memory_delete',
  title: 'Delete Memories (Unified)',
  text: 'Delete by content_hash, or everything with these tags in this period. dry_run only counts. Deleted memories can be restored.',
  action: 'write',
  destructive: true,
  idempotent: true,
  listed: {
    content_hash: label('Wins over all else'),
    tags: { type: 'tags' },
    tag_match: choice(['any', 'all']),
    before: time('ISO date'),
    after: time('ISO date'),
    dry_run: flag(),
    store: label(),
  },
  defaults: { tag_match: 'any', dry_run: false },
  output: { message: 'string', count: 'number' },
  async run({ engine, caller }, args) {
    const { content_hash: hash, after, before, dry_run: dryRun = false, tag_match: tagMatch = 'any' } = args;
    const tags = readTags(args.tags);
    if (hash === undefined && tags.length === 0 && after === undefined && before === undefined)
      throw new EngineError('invalid_input', 'content_hash, tags, before or after is needed.', {
        hint: 'Nothing was deleted. Name what is to go.',
        details: { field: 'content_hash' },
      });
    const project = projectOfStore(args.store);
    const narrowed = { ...(tags.length > 0 && { tags, tagMatch }), ...(project !== undefined && { project }) };
    const filter = { ...narrowed, kinds: FOUND_KINDS };
    const out =
      hash === undefined
        ? await engine.deleteMemories(caller, { filter, after, before, dryRun })
        : await engine.deleteMemories(caller, { refs: await refsIn({ engine, caller }, hash, project), dryRun });
    if (hash !== undefined && out.count === 0)
      throw new EngineError('not_found', `Memory with hash ${hash.slice(0, 100)} not found.`);
    const hashes = out.memories.map(({ contentHash }) => contentHash);
    const facts = { count: out.count, hashes };
    if (!dryRun) return linesAnswer([`Successfully deleted. Deleted ${out.count} memories`], facts);
    const more = out.count > PREVIEWED ? [`... and ${out.count - PREVIEWED} more`] : [];
    const shown = hashes.length === 0 ? [] : [`Hashes: ${hashes.slice(0, PREVIEWED).join(', ')}`];
    return linesAnswer([`Would delete ${out.count} memories`, ...shown, ...more], facts);
  },
});

/** Nothing where the memory is in another store than the one that is named. */
async function refsIn(
  { engine, caller }: Pick<ToolContext, 'engine' | 'caller'>,
  hash: string,
  project: string | undefined,
): Promise<string[]> {
  if (project === undefined) return [hash];
  const { items } = await engine.listMemories(caller, {
    filter: { contentHash: hash, project, includeSuperseded: true, kinds: FOUND_KINDS },
    page: { limit: 100 },
  });
  return items.map(({ id }) => id);
}

export const LISTING_TOOLS: readonly Tool[] = [memoryList, memoryDelete];
