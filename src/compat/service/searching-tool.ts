import { noticesOfVerdict } from '../../features/memories/verbs/advise-nothing.ts';
import type { Belief } from '../../features/truth/belief.ts';
import { cleanText } from '../../model/hidden-characters.ts';
import { toIso } from '../../model/instant.ts';
import type { JsonObject } from '../../model/json.ts';
import { choice, flag, integer, label, text, time } from '../../verbs/field.ts';
import { defineServiceTool, documentAnswer, linesAnswer, type Tool, type ToolContext } from './define-service-tool.ts';
import { beliefLines, describeBelief, findBeliefs } from './find-beliefs.ts';
import { cutFound, type FoundInService, type FoundMemory, matchMethod, searchInService } from './search-in-service.ts';
import { projectOfStore } from './service-arguments.ts';
import { originLine, quoteText, toServiceMemory } from './service-memory.ts';
import type { ServiceSettings } from './service-settings.ts';
import { summarizeMemories } from './summarize-memories.ts';

const MODES = ['semantic', 'exact', 'hybrid', 'ranked'] as const;

interface SearchArguments {
  query?: string;
  mode?: (typeof MODES)[number];
  time_expr?: string;
  after?: string;
  before?: string;
  tags?: string[];
  tag_match?: 'any' | 'all';
  quality_boost?: number;
  limit?: number;
  include_debug?: boolean;
  max_response_chars?: number;
  include_superseded?: boolean;
  fallback?: boolean;
  agent_id?: string;
  memory_type?: string;
  store?: string;
  entity?: string;
  rerank?: boolean;
  ranking_weights?: JsonObject;
  include_beliefs?: boolean;
  summarize?: boolean;
}

export function createSearchingTool(settings: ServiceSettings): Tool {
  return defineServiceTool<SearchArguments>({
    name: 'memory_search',
    title: 'Search Memories (Unified)',
    text: 'Find memories by meaning, words, exact text, time and tags. A query, a time or tags are needed.',
    action: 'read',
    listed: {
      query: text(undefined, { max: 10_000 }),
      mode: choice(MODES),
      time_expr: text('last week, yesterday …', { max: 500 }),
      after: time('ISO date'),
      before: time('ISO date'),
      tags: { type: 'tags' },
      tag_match: choice(['any', 'all']),
      quality_boost: { type: 'number', min: 0, max: 1 },
      limit: integer(1, 100),
      include_debug: flag(),
      max_response_chars: { type: 'number', min: 0 },
      include_superseded: flag(),
      entity: text(undefined, { max: 200 }),
      fallback: flag('Few hits: exact text, then tags'),
      agent_id: label(),
      store: label(),
      rerank: flag(),
      ranking_weights: { type: 'json' },
      include_beliefs: flag(),
      summarize: flag(),
    },
    unlisted: { memory_type: label() },
    defaults: {
      mode: 'semantic',
      tag_match: 'any',
      quality_boost: 0,
      limit: 10,
      include_debug: false,
      include_superseded: false,
      fallback: false,
      rerank: false,
      include_beliefs: false,
      summarize: false,
    },
    output: { message: 'string', count: 'number', mode: 'string', results: ['object'] },
    run: (context, args) => search(context, args, settings),
  });
}

async function search(context: ToolContext, args: SearchArguments, settings: ServiceSettings) {
  const { query, mode = 'semantic', entity, tags } = args;
  const answer = await searchInService(context, {
    query,
    entity,
    timeExpr: args.time_expr,
    after: args.after,
    before: args.before,
    tags,
    // where no mode is named words count too: that finds more of what is meant
    mode: args.mode,
    rerank: args.rerank,
    weights: args.ranking_weights,
    project: projectOfStore(args.store),
    tagMatch: args.tag_match,
    agent: args.agent_id,
    limit: args.limit ?? 10,
    types: args.memory_type === undefined ? undefined : [args.memory_type],
    includeSuperseded: args.include_superseded,
    fallback: args.fallback,
    debug: args.include_debug,
    qualityBoost: args.quality_boost ?? (settings.qualityBoost || undefined),
  });
  const advice = noticesOfVerdict({ verdict: answer.verdict, hits: answer.found.map(({ hit }) => hit) });
  const notices = [...answer.notices, ...noticesOfMode(args), ...advice];
  const beliefs =
    args.include_beliefs === true
      ? await findBeliefs(
          context,
          answer.found.map(({ memory }) => memory.id),
        )
      : [];
  const maxChars = Math.floor(args.max_response_chars ?? settings.maxResponseChars);
  if (args.summarize === true && answer.found.length > 0) {
    const summary = summaryAnswer(answer, { query, mode, notices, beliefs, context });
    if (maxChars === 0 || (summary.text ?? '').length <= maxChars) return summary;
    notices.push('Summarization unavailable: summary and sources exceed max_response_chars.');
  }
  const methods = [
    ...new Set(answer.found.flatMap(({ hit }) => matchMethod(hit, mode)?.replace(/_fallback$/, '') ?? [])),
  ];
  const about = `${query === undefined ? '' : ` for query: '${cleanText(query).replaceAll('\n', ' ')}'`}`;
  if (answer.found.length === 0)
    return linesAnswer(
      [`No memories found${about === '' ? ' for these filters' : about}`, ...debugLines(answer, args)],
      {
        count: 0,
        mode,
        results: [],
        notices,
      },
    );
  const cut = cutFound(answer.found, maxChars);
  const isCut = cut.kept.length < answer.found.length;
  const header = `Found ${answer.found.length} memories (mode: ${mode})${about}${methods.length === 0 ? '' : ` [fallback: ${methods.join('+')}]`}`;
  const notice = isCut
    ? [
        `[!] RESPONSE TRUNCATED: Showing ${cut.kept.length} of ${answer.found.length} results (${cut.chars} of ${cut.totalChars} chars)`,
        `${answer.found.length - cut.kept.length} more left out: ask again with a larger max_response_chars or a smaller limit.`,
        '',
      ]
    : [];
  const blocks = cut.kept.flatMap((one, at) => ['', ...showFound(one, at, { context, mode })]);
  return linesAnswer([...notice, header, ...blocks, ...debugLines(answer, args), ...beliefLines(beliefs)], {
    message: header,
    count: answer.found.length,
    mode,
    results: cut.kept.map((one) => describeFound(one, context, mode)),
    ...(isCut && { truncated: { shown: cut.kept.length, total: answer.found.length } }),
    ...(args.include_debug === true && { debug: answer.debug }),
    ...(args.include_beliefs === true && { beliefs: beliefs.map(describeBelief) }),
    memories: cut.kept.map(({ memory }) => memory),
    notices,
  });
}

function noticesOfMode({ mode, rerank, ranking_weights: weights }: SearchArguments): string[] {
  return mode === 'exact' && (rerank === true || weights !== undefined)
    ? ['rerank and ranking_weights have nothing to order in mode exact: every match is the same.']
    : [];
}

interface Summarized {
  query: string | undefined;
  mode: string;
  notices: readonly string[];
  beliefs: readonly Belief[];
  context: ToolContext;
}

/** As the service tells a summary; it is made of their own sentences, so no model is named. */
function summaryAnswer({ found, total }: FoundInService, { query, mode, notices, beliefs, context }: Summarized) {
  const memories = found.map(({ memory }) => memory);
  const { text, sources } = summarizeMemories(memories, query ?? '');
  return documentAnswer(
    {
      summarized: true,
      summary: text,
      source_hashes: sources.map(({ contentHash }) => contentHash),
      snapshot: sources.map((memory) => {
        const { content: _, ...rest } = toServiceMemory(memory, context);
        return rest;
      }),
      summarized_count: sources.length,
      omitted_count: memories.length - sources.length,
      total,
      query: query ?? null,
      mode,
      provider: 'extractive',
      model: null,
      ...(beliefs.length > 0 && { beliefs: beliefs.map(describeBelief) }),
    },
    { memories: sources, notices },
  );
}

function describeFound({ memory, hit }: FoundMemory, context: ToolContext, mode = 'semantic'): Record<string, unknown> {
  const method = matchMethod(hit, mode);
  return {
    ...toServiceMemory(memory, context),
    similarity_score: Math.round(hit.confidence * 10_000) / 10_000,
    ...(method !== null && { match_method: method }),
  };
}

function showFound(
  { memory, hit }: FoundMemory,
  at: number,
  { context, mode }: { context: ToolContext; mode: string },
): string[] {
  const method = matchMethod(hit, mode);
  return [
    `${at + 1}. ${quoteText(memory.content)}`,
    `   Hash: ${memory.contentHash}${method === null ? '' : ` (via ${method})`}`,
    `   Created: ${toIso(memory.createdAt)} [${memory.tags.map((tag) => cleanText(tag).replaceAll('\n', ' ')).join(', ')}]`,
    ...originLine(memory, context).map((line) => `   ${line}`),
  ];
}

function debugLines(
  { found, debug, timeRange }: FoundInService,
  { include_debug: isAsked }: SearchArguments,
): string[] {
  if (isAsked !== true) return [];
  const instant = (at: number | null | undefined): string => (at === null || at === undefined ? 'open' : toIso(at));
  return [
    '',
    `Pre-filter count: ${debug?.candidates ?? found.length}`,
    `Post-filter count: ${found.length}`,
    ...(timeRange === null ? [] : [`Time range: ${instant(timeRange.after)} to ${instant(timeRange.before)}`]),
  ];
}
