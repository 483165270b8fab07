import { EngineError } from '../../../model/errors.ts';
import type { JsonObject } from '../../../model/json.ts';
import {
  type Hit,
  type RankingWeights,
  SEARCH_MODES,
  type SearchQuery,
  type SearchResult,
} from '../../../model/search.ts';
import { choice, cursor, flag, integer, text } from '../../../verbs/field.ts';
import {
  ALL_TAGS,
  AS_OF,
  type AsOfInput,
  FILTER_FLAGS,
  FILTERS,
  type FilterInput,
  readAsOf,
  readValidAt,
  SHOWN_FILTERS,
  toFilter,
  VALID_AT,
  type ValidAtInput,
} from '../../../verbs/memory-input.ts';
import { defineVerb } from '../../../verbs/verb.ts';
import { describeSearchResult } from './describe-search-result.ts';

export interface SearchInput
  extends FilterInput,
    AsOfInput,
    ValidAtInput,
    Omit<SearchQuery, 'filter' | 'debug' | 'weakInFull' | 'asOf' | 'ranking'> {
  ranking?: JsonObject;
  includeDebug?: boolean;
  all?: boolean;
}

/** As callers see it: which space a hit lies in is the engine's business. */
export type FoundHit = Omit<Hit, 'space'>;
export type Found = Omit<SearchResult, 'hits'> & { hits: FoundHit[] };

const WEIGHTS = {
  semantic: 'semantic',
  time_decay: 'timeDecay',
  access_frequency: 'accessFrequency',
  quality: 'quality',
} as const;

/** Throws for a weight that is no number, or that nobody knows. */
export function readRanking(given: JsonObject): RankingWeights {
  const read: RankingWeights = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === null) continue;
    if (!Object.hasOwn(WEIGHTS, name) || typeof value !== 'number')
      throw new EngineError('invalid_input', `ranking: ${name.slice(0, 60)} is not a weight that is a number.`, {
        hint: `The weights are ${Object.keys(WEIGHTS).join(', ')}.`,
        details: { field: 'ranking' },
      });
    read[WEIGHTS[name as keyof typeof WEIGHTS]] = value;
  }
  return read;
}

export const searchMemories = defineVerb<SearchInput, Found>({
  needs: 'read',
  input: {
    query: text('Words, a question, "a phrase", prefix*. Without a query, only the filters apply.', {
      isTrimmed: true,
      min: 1,
      max: 10_000,
    }),
    mode: choice(
      SEARCH_MODES,
      'hybrid: words and meaning; text: words only; semantic: meaning only; exact: literal substring.',
    ),
    when: text('A time phrase, such as "last Tuesday afternoon".', { isTrimmed: true, min: 1, max: 500 }),
    cursor,
    ...FILTERS,
    ...AS_OF,
    ...VALID_AT,
    limit: integer(1, 100, 'Maximum number of results. Default: 10.'),
    max_chars: integer(0, 100_000_000, 'Maximum number of content characters in the result; 0 means unlimited.'),
    quality_boost: {
      type: 'number',
      min: 0,
      max: 1,
      about: 'Weight of quality against relevance, from 0 to 1.',
    },
    rerank: flag('Rank the best hits a second time, by their nearest sentence. The result is one page.'),
    ranking: {
      type: 'json',
      about: 'Weights of `semantic`, `time_decay`, `access_frequency` and `quality` for the order of the best hits.',
    },
    all: flag('Show weak hits in full as well, instead of one line each.'),
    relevant_only: flag('Leave out weak hits.'),
    fallback: flag('If few hits are found, also match literally and by tag.'),
    include_debug: flag('Include debug information and timings.'),
  },
  async run(context, { query, mode, when, after, before, limit, cursor: from, asOf, validAt, ...input }) {
    const { engine, caller } = context;
    const { maxChars, qualityBoost, rerank, ranking, fallback, ...others } = input;
    const { all: weakInFull, relevantOnly, includeDebug: debug, ...filter } = others;
    const held = { ...toFilter(filter), ...(await readValidAt({ validAt }, context)) };
    const narrowed = { filter: held, when, after, before, asOf: await readAsOf({ asOf }, context) };
    const page = { limit, cursor: from, maxChars };
    const wishes = {
      qualityBoost,
      fallback,
      relevantOnly,
      weakInFull,
      debug,
      rerank,
      ...(ranking !== undefined && { ranking: readRanking(ranking) }),
    };
    const result = await engine.search(caller, { query, mode, ...narrowed, ...page, ...wishes });
    return { ...result, hits: result.hits.map(({ space: _, ...hit }) => hit) };
  },
  rest: {
    at: 'POST /search',
    summary: 'Find memories by words and meaning',
    headers: ['X-Time-Zone'],
    example: { body: { query: 'when do we deploy?', project: 'shop' } },
    answers: { 200: 'Hits, best first.' },
    byUrl: {
      name: 'searchMemoriesByUrl',
      summary: 'The same search, with parameters in the URL',
      rename: { q: 'query' },
      example: { path: '/search?q=deploy&when=last%20week' },
    },
  },
  tool: {
    name: 'memory_search',
    title: 'Search memory',
    text: 'Find memories by words and meaning; filters narrow before ranking. Returns excerpts with ids.',
    shown: {
      query: 'Question or words; "exact phrase", prefix*',
      mode: '',
      ...SHOWN_FILTERS,
      when: 'Time phrase, e.g. last week',
      limit: '',
      cursor: '',
      max_chars: { type: 'integer', minimum: 0 },
      relevant_only: '',
    },
    alwaysLoad: true,
    output: {
      verdict: 'found|nothing',
      total: 'number',
      weaker: 'number',
      hits: [{ id: 'string', title: 'string', snippet: 'string', confidence: 'number' }],
      cursor: 'string',
    },
    answer: (out, { context }) => describeSearchResult(out, context),
  },
  command: {
    name: 'search',
    summary: 'Find memories by words, meaning and time',
    usage: '[QUERY]',
    about:
      'Accepts words, a question, "quoted phrases" and prefix*. Without a query, lists everything that passes the filters, newest first.',
    flags: [
      ['limit', 'n'],
      'all',
      'relevant_only',
      'cursor',
      'mode',
      ['when', 'w'],
      ...FILTER_FLAGS,
      'as_of',
      'valid_at',
      'max_chars',
    ],
    own: [ALL_TAGS, { name: 'explain', description: 'Show how each hit was scored.' }],
    examples: [
      'ltm search staging port',
      'ltm search "why did we choose sqlite" --type decision',
      'ltm search deploy --when "last week" --json',
    ],
  },
});
