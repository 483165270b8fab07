import type { Observation } from '../../features/sessions/observation.ts';
import { defineTool, type ToolAnswer, type ToolContext } from '../../mcp/tool.ts';
import { EngineError } from '../../model/errors.ts';
import { dayOf } from '../../model/instant.ts';
import { noticesOfTrust } from '../../verbs/describe-origin.ts';
import { label, text } from '../../verbs/field.ts';
import {
  describeListed,
  describeWhole,
  filesOf,
  markedSummary,
  minuteOf,
  NO_SUMMARY,
  quoteStart,
  toolOf,
} from './describe-observation.ts';
import { isMatch } from './is-match.ts';
import { fail, readIds, readNumber } from './read-numbers.ts';

const SEARCH = { usual: 5, most: 20 };
const REACH = { usual: 3, most: 10 };
const INPUT_CHARS = 200;
const OUTPUT_CHARS = 500;

const LISTED = [{ id: 'number', date: 'string', tool: 'string', summary: 'string' }] as const;

interface SearchArguments {
  query: string;
  project?: string;
  limit?: unknown;
}

export const memSearch = defineTool<SearchArguments>({
  name: 'mem_search',
  title: 'Search observations',
  text: 'Find what was done in earlier sessions; mem_get gives the details of an id. Without a project, in all.',
  action: 'read',
  listed: {
    query: text('Words or a question', { max: 10_000, isRequired: true, isVerbatim: true }),
    project: label('Only this project'),
    limit: { type: 'any', about: '' },
  },
  shapes: { limit: { type: 'number', description: 'Default 5, at most 20' } },
  output: { message: 'string', results: LISTED, total: 'number', project: 'string', current_project: 'string' },
  async run(context, { query, project, limit }) {
    const { caller } = context;
    const most = Math.min(SEARCH.most, Math.max(1, readNumber(limit) || SEARCH.usual));
    const { found, isReliable } =
      query.trim() === '' ? { found: [], isReliable: false } : await search(context, { query, project, limit: most });
    const current = caller.project ?? undefined;
    const note = current === undefined || current === project ? '' : `; current project: ${current}`;
    const where = project === undefined ? `all projects${note}` : `project: ${project}${note}`;
    const advice = isReliable ? '' : ' Probably none of these answers it.';
    const message =
      found.length === 0 ? 'No matching memories found.' : `Found ${found.length} memories (${where}):${advice}`;
    const results = found.map((observation) => describeListed(observation, context));
    return answer([message, ...found.map((one) => showHit(one, context))].join('\n\n'), {
      structured: { message, results, total: found.length, project, current_project: current },
      shown: found,
    });
  },
});

function showHit(observation: Observation, context: ToolContext): string {
  const files = filesOf(observation);
  const head = [`[ID:${observation.number}] ${dayOf(observation.at)}`, toolOf(observation), files].filter(Boolean);
  return `${head.join(' | ')}\n  ${markedSummary(observation, context)}`;
}

async function search(
  { engine, caller }: ToolContext,
  { query, project, limit }: { query: string; project?: string; limit: number },
): Promise<{ found: Observation[]; isReliable: boolean }> {
  const filter = { kinds: ['observation'], project };
  const { hits, verdict } = await engine.search(caller, { query, filter, limit, maxChars: 0 });
  const ids = hits.filter(isMatch).map(({ id }) => id);
  const found = ids.length === 0 ? [] : (await engine.getObservations(caller, ids)).observations;
  return { found, isReliable: verdict === 'found' };
}

interface TimelineArguments {
  observation_id?: unknown;
  before?: unknown;
  after?: unknown;
}

export const memTimeline = defineTool<TimelineArguments>({
  name: 'mem_timeline',
  title: 'Around an observation',
  text: 'What happened in the same session before and after an observation.',
  action: 'read',
  listed: {
    observation_id: { type: 'any', isRequired: true, about: '' },
    before: { type: 'any', about: '' },
    after: { type: 'any', about: '' },
  },
  shapes: {
    observation_id: { type: 'number', description: 'From mem_search' },
    before: { type: 'number', description: 'How many before: default 3, at most 10' },
    after: { type: 'number', description: 'How many after: default 3, at most 10' },
  },
  output: { message: 'string', before: LISTED, target: LISTED[0], after: LISTED },
  async run(context, args) {
    const number = readNumber(args.observation_id);
    if (number === undefined || !Number.isInteger(number) || number < 1)
      return fail('Invalid observation_id: must be a positive number.');
    const around = await surroundingsOf(context, {
      ref: String(number),
      before: readReach(args.before),
      after: readReach(args.after),
    });
    if (around === null)
      return answer('No timeline data found.', { structured: { message: 'No timeline data found.' }, shown: [] });
    const { before, target, after } = around;
    const files = filesOf(target);
    const lines = [
      '**Before:**',
      ...before.map((one) => showLine(one, context)),
      '',
      `**Target [${target.number}]:** ${toolOf(target)} — ${markedSummary(target, context) || NO_SUMMARY}`,
      ...(files === '' ? [] : [`Files: ${files}`]),
      '',
      '**After:**',
      ...after.map((one) => showLine(one, context)),
    ];
    const describe = (observation: Observation) => describeListed(observation, context);
    return answer(lines.join('\n'), {
      structured: {
        message: `Around observation ${target.number}.`,
        before: before.map(describe),
        target: describe(target),
        after: after.map(describe),
      },
      shown: [...before, target, ...after],
    });
  },
});

async function surroundingsOf({ engine, caller }: ToolContext, input: { ref: string; before: number; after: number }) {
  try {
    return await engine.getSurroundings(caller, input);
  } catch (error) {
    if (error instanceof EngineError && error.code === 'not_found') return null;
    throw error;
  }
}

function showLine(observation: Observation, context: ToolContext): string {
  const summary = markedSummary(observation, context) || NO_SUMMARY;
  return `  [${observation.number}] ${dayOf(observation.at)} | ${toolOf(observation)}: ${summary}`;
}

function readReach(value: unknown): number {
  return Math.trunc(Math.min(REACH.most, Math.max(0, readNumber(value) ?? REACH.usual)));
}

export const memGet = defineTool<{ ids?: unknown }>({
  name: 'mem_get',
  title: 'Get observations',
  text: 'Details of observations by their ids, with input and output.',
  action: 'read',
  listed: { ids: { type: 'any', isRequired: true, about: '' } },
  shapes: { ids: { type: 'array', items: { type: 'number' }, description: 'At most 20' } },
  output: { message: 'string', observations: LISTED, missing: ['string'] },
  async run(context, { ids }) {
    const read = readIds(ids);
    if ('error' in read) return fail(read.error);
    const { observations, missing } = await context.engine.getObservations(context.caller, read.refs);
    const found = observations.sort((a, b) => a.number - b.number);
    if (found.length === 0) {
      const message = 'No observations found for those IDs.';
      return answer(message, { structured: { message, observations: [], missing }, shown: [] });
    }
    return answer(found.map((one) => showWhole(one, context)).join('\n\n---\n\n'), {
      structured: {
        message: `${found.length} of ${read.refs.length} observations.`,
        observations: found.map((observation) => describeWhole(observation, context)),
        missing,
      },
      shown: found,
    });
  },
});

function showWhole(observation: Observation, context: ToolContext): string {
  const { number, concepts, input, output, text: said, tool } = observation;
  const files = filesOf(observation);
  const summary = markedSummary(observation, context);
  const lines = [`**[${number}] ${toolOf(observation)}** — ${minuteOf(observation)}`];
  if (summary !== '') lines.push(`Summary: ${summary}`);
  if (files !== '') lines.push(`Files: ${files}`);
  if (concepts.length > 0) lines.push(`Concepts: ${quoteStart(concepts.join(', '), OUTPUT_CHARS)}`);
  if (tool !== null) lines.push(`Input: ${quoteStart(input, INPUT_CHARS)}`);
  lines.push(`Output: ${quoteStart(tool === null ? said : output, OUTPUT_CHARS)}`);
  return lines.join('\n');
}

/** In the words that the old system's clients know, with everything in the structured form beside them. */
export function answer(
  words: string,
  { structured, shown }: { structured: Record<string, unknown>; shown: readonly Pick<Observation, 'trust'>[] },
): ToolAnswer {
  const [notice] = noticesOfTrust(shown);
  return {
    structured: { ...structured, ...(notice !== undefined && { notices: [notice] }) },
    text: words,
    note: notice,
  };
}
