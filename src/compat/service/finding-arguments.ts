import type { Arguments, ToolContext } from '../../mcp/tool.ts';
import type { JsonObject } from '../../model/json.ts';
import { SEARCH_MODES } from '../../model/search.ts';
import { choice, flag, integer, label, text } from '../../verbs/field.ts';
import { describeBelief, findBeliefs } from './find-beliefs.ts';
import { rankingOf } from './search-in-service.ts';
import { addTo, inOurNames, projectOfStore, type ServiceArguments } from './service-arguments.ts';
import { summarizeMemories } from './summarize-memories.ts';

const filters = { memory_type: label(), agent_id: label(), store: label() };

export const searching: ServiceArguments = {
  fields: {
    ...filters,
    mode: choice([...SEARCH_MODES, 'ranked']),
    time_expr: text(undefined, { max: 500 }),
    n_results: integer(1, 100),
    max_response_chars: { type: 'number', min: 0 },
    ranking_weights: { type: 'json' },
    include_beliefs: flag(),
    summarize: flag(),
  },
  async run(tool, context, args) {
    const { store, ranking_weights: weights, include_beliefs: withBeliefs, summarize, ...rest } = args;
    const { mode, ...ours } = inOurNames(inStore(rest, store));
    if (typeof ours.max_chars === 'number') ours.max_chars = Math.floor(ours.max_chars);
    const ranking = rankingOf({ mode, weights: weights as JsonObject | undefined });
    const answer = await tool.run(context, {
      ...ours,
      ...(mode !== undefined && { mode: mode === 'ranked' ? 'hybrid' : mode }),
      ...(ranking !== undefined && { ranking }),
    });
    const hits = (answer.structured.hits ?? []) as readonly { id: string }[];
    const ids = hits.map(({ id }) => id);
    const more = {
      ...(withBeliefs === true && { beliefs: (await findBeliefs(context, ids)).map(describeBelief) }),
      ...(summarize === true && { summary: await summarizeHits(context, ids, String(ours.query ?? '')) }),
    };
    return { ...answer, structured: { ...answer.structured, ...more } };
  },
};

async function summarizeHits(context: ToolContext, ids: readonly string[], query: string): Promise<string | null> {
  if (ids.length === 0) return null;
  const { memories } = await context.engine.getMemories(context.caller, { refs: ids });
  return summarizeMemories(memories, query).text;
}

/** Where both are given, our own name counts. */
function inStore(args: Arguments, store: unknown): Arguments {
  const project = projectOfStore(store);
  return project === undefined ? args : { project, ...args };
}

export const listing: ServiceArguments = {
  fields: { ...filters, page_size: integer(1, 100) },
  async run(tool, context, { store, page, ...args }) {
    // whoever sends a cursor along with the number of a page goes on from the cursor
    const ours = inOurNames(args.cursor === undefined ? { ...args, page } : args);
    return tool.run(context, inStore(ours, store));
  },
};

export const deleting: ServiceArguments = {
  fields: filters,
  async run(tool, context, { store, ...args }) {
    const answer = await tool.run(context, inOurNames(inStore(args, store)));
    return addTo('notices', answer, noticesOfFilters(args));
  },
};

/** Ids win over filters; the caller is told. */
function noticesOfFilters({ id, ids, content_hash, ...args }: Readonly<Record<string, unknown>>): string[] {
  if ([id, content_hash, ids].flat().every((name) => name === undefined)) return [];
  const unused = ['tags', 'type', 'agent', 'after', 'before'].filter((name) => [args[name] ?? []].flat().length > 0);
  return unused.length === 0 ? [] : [`Memories were named by id, so these were not used: ${unused.join(', ')}.`];
}
