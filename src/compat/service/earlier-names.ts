import type { Arguments, Tool } from '../../mcp/tool.ts';
import { EngineError } from '../../model/errors.ts';

type Translate = (given: Arguments) => Arguments;

const inTimeframe: Translate = ({ start_date, end_date, ...rest }) => ({
  ...rest,
  after: start_date,
  before: end_date,
});

/** As many as were asked for, whatever they are worth: so the service did it. */
const allOf =
  (translate: Translate): Translate =>
  (given) => ({ all: true, ...translate(given) });

/** By the tool that answers to them. */
const EARLIER_NAMES: Readonly<Record<string, Readonly<Record<string, Translate>>>> = {
  memory_delete: {
    delete_by_tag: ({ tag, tags, ...rest }) => ({ tag_match: 'any', ...rest, tags: tags ?? tag }),
    delete_by_tags: (given) => ({ tag_match: 'any', ...given }),
    delete_by_all_tags: (given) => ({ ...given, tag_match: 'all' }),
    delete_by_timeframe: ({ tag, ...given }) => ({ ...inTimeframe(given), tags: tag }),
    delete_before_date: ({ before_date, tag, ...rest }) => ({ ...rest, before: before_date, tags: tag }),
  },
  memory_search: {
    recall_memory: allOf(({ content, query = content, n_results, ...rest }) => ({
      ...rest,
      query,
      limit: n_results ?? 5,
    })),
    recall_by_timeframe: ({ n_results, ...given }) => ({ ...inTimeframe(given), limit: n_results ?? 5 }),
    retrieve_with_quality_boost: allOf(({ quality_weight, n_results, ...rest }) => ({
      ...rest,
      quality_boost: quality_weight ?? 0.3,
      limit: n_results ?? 10,
      mode: 'hybrid',
    })),
    exact_match_retrieve: ({ content, query, ...rest }) => ({ ...rest, query: query ?? content, mode: 'exact' }),
    debug_retrieve: allOf(({ n_results, similarity_threshold: _, ...rest }) => ({
      ...rest,
      limit: n_results ?? 5,
      include_debug: true,
    })),
  },
  memory_list: {
    search_by_tag: ({ tag, tags, operation, match_all, ...rest }) => ({
      ...rest,
      tags: tags ?? tag,
      tag_match: operation === 'AND' || match_all === true ? 'all' : 'any',
    }),
  },
  memory_health: { check_database_health: (given) => given },
  memory_update: { update_memory_metadata: (given) => given },
};

/** Names that mcp-memory-service has given up and its users' prompts still hold. */
export function earlierNames(tools: readonly Tool[]): Tool[] {
  return tools.flatMap((tool) =>
    Object.entries(EARLIER_NAMES[tool.name] ?? {}).map(([name, translate]) => {
      const call: Tool['call'] = (context, raw) => tool.call(context, withoutAbsent(translate(asObject(raw))));
      return { ...tool, name, call: name === 'recall_memory' ? byTimeFirst(tool, call) : call };
    }),
  );
}

/** One text may be a time ("last week") or a question; what cannot be read as a time is a question. */
function byTimeFirst(tool: Tool, ask: Tool['call']): Tool['call'] {
  return async (context, raw) => {
    const { content, query = content, n_results, ...rest } = asObject(raw);
    try {
      return await tool.call(context, { ...rest, limit: n_results ?? 5, when: query });
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== 'unreadable_time') throw error;
      return ask(context, raw);
    }
  };
}

function asObject(raw: unknown): Arguments {
  if (raw === undefined || raw === null) return {};
  if (typeof raw !== 'object' || Array.isArray(raw))
    throw new EngineError('invalid_input', 'The arguments must be an object.');
  return raw as Arguments;
}

function withoutAbsent(given: Arguments): Arguments {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
