import type { Arguments, Tool } from '../../mcp/tool.ts';
import { EngineError } from '../../model/errors.ts';
import { lateFunctions } from '../../model/late.ts';
import { rawEmbedding } from './state-tools.ts';

const { splitTime } = lateFunctions(() => import('./split-time.ts'), 'splitTime');

type Translate = (given: Arguments) => Arguments;

const unchanged: Translate = (given) => given;
const acting =
  (action: string): Translate =>
  (given) => ({ ...given, action });
const inTimeframe: Translate = ({ start_date, end_date, ...rest }) => ({
  ...rest,
  after: start_date,
  before: end_date,
});
const named: Translate = ({ tag, tags, ...rest }) => ({ ...rest, tags: tags ?? tag });
/** What was asked for was called `content` by some clients. */
const asked: Translate = ({ content, query, n_results, similarity_threshold: _, ...rest }) => ({
  ...rest,
  query: query ?? content,
  limit: n_results ?? rest.limit ?? 5,
});

/** By the tool that answers to them: the names that the service has given up and its users' prompts still hold. */
const OLDER_NAMES: Readonly<Record<string, Readonly<Record<string, Translate>>>> = {
  memory_store: { store_memory: unchanged },
  memory_delete: {
    delete_memory: unchanged,
    delete_by_tag: (given) => ({ tag_match: 'any', ...named(given) }),
    delete_by_tags: (given) => ({ tag_match: 'any', ...given }),
    delete_by_all_tags: (given) => ({ ...given, tag_match: 'all' }),
    delete_by_timeframe: (given) => inTimeframe(named(given)),
    delete_before_date: ({ before_date, ...given }) => ({ ...named(given), before: before_date }),
  },
  memory_search: {
    retrieve_memory: asked,
    recall_memory: asked,
    recall_by_timeframe: (given) => inTimeframe(asked(given)),
    retrieve_with_quality_boost: ({ quality_weight, n_results, ...rest }) => ({
      ...asked({ n_results: n_results ?? 10, ...rest }),
      quality_boost: quality_weight ?? 0.3,
      mode: 'hybrid',
    }),
    exact_match_retrieve: (given) => ({ ...asked({ n_results: 10, ...given }), mode: 'exact' }),
    debug_retrieve: (given) => ({ ...asked(given), include_debug: true }),
  },
  memory_list: {
    list_memories: (given) => named(given),
    search_by_tag: ({ operation, match_all, ...given }) => ({
      ...named(given),
      tag_match: operation === 'AND' || match_all === true ? 'all' : 'any',
    }),
  },
  memory_health: { check_database_health: unchanged },
  memory_stats: { get_cache_stats: unchanged },
  memory_cleanup: { cleanup_duplicates: unchanged },
  memory_update: { update_memory_metadata: unchanged },
  memory_consolidate: {
    consolidate_memories: acting('run'),
    trigger_consolidation: acting('run'),
    consolidation_status: acting('status'),
    consolidation_recommendations: acting('recommend'),
    scheduler_status: acting('scheduler'),
    pause_consolidation: acting('pause'),
    resume_consolidation: acting('resume'),
  },
  memory_ingest: {
    ingest_document: ({ path, mode: _, ...rest }) => ({ ...rest, file_path: rest.file_path ?? path }),
    ingest_directory: ({ path, mode: _, ...rest }) => ({ ...rest, directory_path: rest.directory_path ?? path }),
  },
  memory_quality: {
    rate_memory: acting('rate'),
    memory_rate: acting('rate'),
    get_memory_quality: acting('get'),
    analyze_quality_distribution: acting('analyze'),
  },
  memory_graph: {
    find_connected_memories: acting('connected'),
    find_shortest_path: acting('path'),
    get_memory_subgraph: acting('subgraph'),
  },
};

export function createOlderNames(tools: readonly Tool[]): Tool[] {
  const renamed = tools.flatMap((tool) =>
    Object.entries(OLDER_NAMES[tool.name] ?? {}).map(([name, translate]) => {
      const call: Tool['call'] = (context, raw) => tool.call(context, withoutAbsent(translate(asObject(raw))));
      return { ...tool, name, call: name === 'recall_memory' ? byTimeFirst(tool, call) : call };
    }),
  );
  return [...renamed, rawEmbedding];
}

/** One text may be a time ("last week"), a question, or a question with a time in it ("the vault last week"). */
function byTimeFirst(tool: Tool, ask: Tool['call']): Tool['call'] {
  return async (context, raw) => {
    const { query, ...rest } = asked(asObject(raw));
    try {
      return await tool.call(context, withoutAbsent({ ...rest, time_expr: query }));
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== 'unreadable_time') throw error;
      const { caller, timeZone, now } = context;
      const split = await splitTime(String(query), { now, timeZone: caller.timeZone ?? timeZone });
      if (split === null) return ask(context, raw);
      return tool.call(context, withoutAbsent({ ...rest, query: split.rest, time_expr: split.time }));
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
