import { EngineError } from '../../../model/errors.ts';
import type { Tool, ToolAnswer, ToolContext } from '../../tool.ts';
import { memoryDelete } from '../memory-delete.ts';
import { memoryHealth } from '../memory-health.ts';
import { memoryList } from '../memory-list.ts';
import { memorySearch } from '../memory-search.ts';
import { memoryUpdate } from '../memory-update.ts';

type Given = Readonly<Record<string, unknown>>;

/** Names that mcp-memory-service has given up and its users' prompts still hold. They can be called and are never listed. */
export const EARLIER_NAMES: readonly Tool[] = [
  earlier('delete_by_tag', memoryDelete, ({ tag, tags, ...rest }) => ({
    tag_match: 'any',
    ...rest,
    tags: tags ?? tag,
  })),
  earlier('delete_by_tags', memoryDelete, (given) => ({ tag_match: 'any', ...given })),
  earlier('delete_by_all_tags', memoryDelete, (given) => ({ ...given, tag_match: 'all' })),
  earlier('delete_by_timeframe', memoryDelete, ({ start_date, end_date, tag, ...rest }) => ({
    ...rest,
    after: start_date,
    before: end_date,
    tags: tag,
  })),
  earlier('delete_before_date', memoryDelete, ({ before_date, tag, ...rest }) => ({
    ...rest,
    before: before_date,
    tags: tag,
  })),
  { ...earlier('recall_memory', memorySearch, (given) => given), call: recall },
  earlier('recall_by_timeframe', memorySearch, ({ start_date, end_date, n_results, ...rest }) => ({
    ...rest,
    after: start_date,
    before: end_date,
    limit: n_results ?? 5,
  })),
  earlier('retrieve_with_quality_boost', memorySearch, ({ quality_weight, n_results, ...rest }) => ({
    ...rest,
    quality_boost: quality_weight ?? 0.3,
    limit: n_results ?? 10,
    mode: 'hybrid',
  })),
  earlier('exact_match_retrieve', memorySearch, ({ content, query, ...rest }) => ({
    ...rest,
    query: query ?? content,
    mode: 'exact',
  })),
  earlier('debug_retrieve', memorySearch, ({ n_results, similarity_threshold: _, ...rest }) => ({
    ...rest,
    limit: n_results ?? 5,
    include_debug: true,
  })),
  earlier('search_by_tag', memoryList, ({ tag, tags, operation, match_all, ...rest }) => ({
    ...rest,
    tags: tags ?? tag,
    tag_match: operation === 'AND' || match_all === true ? 'all' : 'any',
  })),
  earlier('check_database_health', memoryHealth, (given) => given),
  earlier('update_memory_metadata', memoryUpdate, (given) => given),
];

function earlier(name: string, tool: Tool, translate: (given: Given) => Given): Tool {
  return {
    name,
    action: tool.action,
    describe: () => ({ ...tool.describe(), name }),
    call: (context, raw) => tool.call(context, withoutAbsent(translate(asObject(raw)))),
  };
}

/** One text may be a time ("last week") or a question; what cannot be read as a time is a question. */
async function recall(context: ToolContext, raw: unknown): Promise<ToolAnswer> {
  const { content, query = content, n_results, ...rest } = asObject(raw);
  const given = { ...rest, limit: n_results ?? 5 };
  try {
    return await memorySearch.call(context, { ...given, when: query });
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'unreadable_time') throw error;
    return memorySearch.call(context, withoutAbsent({ ...given, query }));
  }
}

function asObject(raw: unknown): Given {
  if (raw === undefined || raw === null) return {};
  if (typeof raw !== 'object' || Array.isArray(raw))
    throw new EngineError('invalid_input', 'The arguments must be an object.');
  return raw as Given;
}

function withoutAbsent(given: Given): Given {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
