import { SEARCH_MODES } from '../../model/search.ts';
import { choice, flag, integer, label, text } from '../../verbs/field.ts';
import { addTo, inOurNames, noticesOfStore, type ServiceArguments } from './service-arguments.ts';

const filters = { memory_type: label(), agent_id: label(), store: label() };

export const searching: ServiceArguments = {
  fields: {
    ...filters,
    mode: choice([...SEARCH_MODES, 'ranked']),
    time_expr: text(undefined, { max: 500 }),
    n_results: integer(1, 100),
    max_response_chars: { type: 'number', min: 0 },
    rerank: flag(),
    ranking_weights: { type: 'json' },
    include_beliefs: flag(),
    summarize: flag(),
  },
  async run(tool, context, args) {
    const { store, rerank, ranking_weights, include_beliefs, summarize, ...rest } = args;
    const ours = inOurNames(rest);
    if (typeof ours.max_chars === 'number') ours.max_chars = Math.floor(ours.max_chars);
    if (ours.mode === 'ranked') ours.mode = 'hybrid';
    const isRanked = args.mode === 'ranked';
    const asked: typeof args = { ranked: isRanked, rerank, ranking_weights, include_beliefs, summarize };
    const unused = Object.entries(UNUSED).filter(([name]) => asked[name] !== undefined && asked[name] !== false);
    const notices = unused.map(([, notice]) => notice);
    return addTo('notices', await tool.run(context, ours), [...noticesOfStore(store), ...notices]);
  },
};

/** What was asked for and cannot be done is said, never passed over. */
export const UNUSED = {
  ranked: 'mode ranked is answered by hybrid, which weighs recency and quality itself.',
  rerank: 'rerank is not used: the ranking is already exact over every match.',
  ranking_weights: 'ranking_weights are not used; quality_boost is.',
  include_beliefs: 'include_beliefs is not used: there are no derived beliefs.',
  summarize: 'summarize is not used: the hits are excerpts already.',
};

export const listing: ServiceArguments = {
  fields: { ...filters, page_size: integer(1, 100) },
  async run(tool, context, { store, page, ...args }) {
    // whoever sends a cursor along with the number of a page goes on from the cursor
    const ours = inOurNames(args.cursor === undefined ? { ...args, page } : args);
    return addTo('notices', await tool.run(context, ours), noticesOfStore(store));
  },
};

export const deleting: ServiceArguments = {
  fields: filters,
  async run(tool, context, { store, ...args }) {
    const answer = await tool.run(context, inOurNames(args));
    return addTo('notices', answer, [...noticesOfStore(store), ...noticesOfFilters(args)]);
  },
};

/** Ids win over filters; the caller is told. */
function noticesOfFilters({ id, ids, content_hash, ...args }: Readonly<Record<string, unknown>>): string[] {
  if ([id, content_hash, ids].flat().every((name) => name === undefined)) return [];
  const unused = ['tags', 'type', 'agent', 'after', 'before'].filter((name) => [args[name] ?? []].flat().length > 0);
  return unused.length === 0 ? [] : [`Memories were named by id, so these were not used: ${unused.join(', ')}.`];
}
