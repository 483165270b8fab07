import { EngineError } from '../../../model/errors.ts';
import type { PageFacts } from '../../../model/page.ts';
import { type Fields, integer, label, text } from '../../../verbs/field.ts';
import { defineVerb } from '../../../verbs/verb.ts';
import type { Observation } from '../observation.ts';
import type { FoundObservations, Surroundings, SurroundingsInput } from '../read-sessions.ts';
import { EXPORT_FORMATS } from './export-observations.ts';
import { PERIOD, PERIOD_FLAGS, type PeriodInput } from './period-input.ts';

export interface ListObservationsInput extends PeriodInput {
  /** Words or a question: the best match first instead of the newest. */
  query?: string;
  type?: string;
  concept?: string;
}

export interface ListedObservations extends PageFacts {
  observations: Observation[];
}

const INPUT: Fields = {
  ...PERIOD,
  query: text('Only observations about this, best match first.', { max: 10_000 }),
  type: label('Only this type, such as change, bugfix, decision or prompt.'),
  concept: label('Only with this concept.'),
};

/** Found by the one search where words are given; `cursor` and `total` are then the search's. */
export const listObservations = defineVerb<ListObservationsInput, ListedObservations>({
  needs: 'read',
  input: INPUT,
  async run({ engine, caller }, { query = '', type, concept, ...period }) {
    const types = type === undefined ? undefined : [type];
    if (query.trim() === '') {
      const { items, ...page } = await engine.listObservations(caller, { ...period, types, concept });
      return { observations: items, ...page };
    }
    const { since, until, limit, cursor, project, session, agent } = period;
    if (limit !== undefined && limit > MOST_FOUND)
      throw new EngineError('invalid_input', `With a query, limit is at most ${MOST_FOUND}.`, {
        details: { field: 'limit' },
      });
    const tags = concept === undefined ? undefined : [concept];
    const filter = { kinds: ['observation'], project, session, agent, types, tags };
    const found = await engine.search(caller, { query, filter, after: since, before: until, limit, cursor });
    const { observations } = await engine.getObservations(
      caller,
      found.hits.map(({ id }) => id),
    );
    return { observations, total: found.total, cursor: found.cursor, damaged: found.damaged };
  },
  rest: {
    at: 'GET /observations',
    summary: 'List or search what happened in sessions, newest or best match first',
    headers: ['X-Time-Zone'],
    example: { path: '/observations?query=failing+login+test&limit=5' },
    answers: { 200: 'One page.' },
    isPaged: true,
  },
  command: {
    name: 'observations',
    summary: 'Show, search, export and forget what happened in sessions of agents',
    usage: '[QUERY… | get N… | forget N… | export | stats]',
    about:
      'Without a word lists what happened, newest first; words search, best match first. get shows observations with input and output. forget deletes them, or with --session everything of a session, and names the memories that were harvested from it or remembered in it, which --derived takes along; they can be restored for a while. export writes sessions and observations as one JSON document or as Markdown. stats counts.',
    flags: [...PERIOD_FLAGS, 'type', 'concept'],
    own: [
      { name: 'days', short: 'd', value: 'N', description: 'With export: only the last so many days, 1 to 365.' },
      {
        name: 'format',
        short: 'f',
        value: 'json|markdown',
        choices: EXPORT_FORMATS,
        description: 'With export: json (default) or markdown.',
      },
      { name: 'raw', short: 'r', description: 'With export: with inputs and outputs of tools.' },
      {
        name: 'derived',
        description: 'With forget and --session: also what was harvested from it or remembered in it.',
      },
      { name: 'out', short: 'o', value: 'FILE', description: 'With export: the file to write. Default: stdout.' },
    ],
    examples: [
      'ltm observations --project web --since yesterday',
      'ltm observations "failing login test"',
      'ltm observations get 41 42',
      'ltm observations export -p web -d 30 -f markdown -o web.md',
      'ltm observations forget 42',
    ],
  },
});

const MOST_FOUND = 100;

const refs = { type: 'refs', min: 1, max: 100, about: 'Numbers or ids of observations.', isRequired: true } as const;

export const getObservations = defineVerb<{ refs: string[] }, FoundObservations>({
  needs: 'read',
  input: { refs },
  run: ({ engine, caller }, input) => engine.getObservations(caller, input.refs),
  rest: {
    at: 'POST /observations/get',
    summary: 'Get observations by number or id, with input and output',
    example: { body: { refs: ['41', '42'] } },
    answers: { 200: 'Those that exist, and which do not.' },
  },
});

const DEFAULT_REACH = 3;
const reach = (which: string) => integer(0, 100, `How many ${which} it. Default: ${DEFAULT_REACH}.`);

export const getSurroundings = defineVerb<Pick<SurroundingsInput, 'ref'> & Partial<SurroundingsInput>, Surroundings>({
  needs: 'read',
  input: {
    ref: label('The number or id of an observation.', { isRequired: true }),
    before: reach('before'),
    after: reach('after'),
  },
  run: ({ engine, caller }, { ref, before = DEFAULT_REACH, after = DEFAULT_REACH }) =>
    engine.getSurroundings(caller, { ref, before, after }),
  rest: {
    at: 'GET /observations/{ref}/surroundings',
    summary: 'What happened in the same session before and after an observation',
    example: { path: '/observations/42/surroundings?before=5' },
    answers: { 200: 'Oldest first.', 404: 'There is no such observation.' },
  },
});
