import { choice, flag, integer, label, text } from '../../../verbs/field.ts';
import { type FoundMemory, type ServiceSearch, searchInService } from '../search-in-service.ts';
import { projectOfStore } from '../service-arguments.ts';
import { toServiceMemory } from '../service-memory.ts';
import { readMemory } from './memory-routes.ts';
import { type CallWith, defineRoute, type ServiceCall, type ServiceRoute } from './service-route.ts';

const query = text(undefined, { min: 1, max: 10_000, isRequired: true });
const many = integer(1, 100);
const tags = { type: 'tags' } as const;
const time = text(undefined, { max: 500 });
const SEARCHED = {
  query,
  n_results: many,
  limit: many,
  similarity_threshold: { type: 'number', min: 0, max: 1 } as const,
  quality_boost: flag(),
  quality_weight: { type: 'number', min: 0, max: 1 } as const,
  tags,
  tag_match: choice(['any', 'all']),
  match_all: flag(),
  time_filter: time,
  time_expr: time,
  store: label(),
};
const BY_TAG = { tags: { ...tags, isRequired: true }, match_all: flag(), time_filter: time, store: label() } as const;
const BY_TIME = {
  query: text(undefined, { max: 500, isRequired: true }),
  n_results: many,
  semantic_query: text(undefined, { max: 10_000 }),
  store: label(),
};
const SIMILAR = { n_results: many };

interface Answered {
  type: string;
  query: string;
  threshold?: number | undefined;
  reason(one: FoundMemory): string;
}

async function answer(call: ServiceCall, search: ServiceSearch, { type, query, threshold = 0, reason }: Answered) {
  const startedAt = performance.now();
  const { found } = await searchInService(call, search);
  const results = found
    .map((one) => ({
      memory: toServiceMemory(one.memory, call),
      similarity_score: Math.round(one.hit.confidence * 10_000) / 10_000,
      relevance_reason: reason(one),
    }))
    .filter(({ similarity_score: score }) => score >= threshold);
  return {
    results,
    total_found: results.length,
    query,
    search_type: type,
    processing_time_ms: Math.round((performance.now() - startedAt) * 100) / 100,
  };
}

const byMatch = ({ hit }: FoundMemory): string =>
  `Matched by ${hit.why.matched.join(' and ')}${hit.why.words.length === 0 ? '' : `: ${hit.why.words.slice(0, 6).join(', ')}`}`;

type SearchCall = CallWith<{ body: typeof SEARCHED }>;

async function search(call: SearchCall) {
  const { body } = call;
  const isBoosted = body.quality_boost === true;
  return answer(
    call,
    {
      query: body.query,
      limit: body.n_results ?? body.limit ?? 10,
      tags: body.tags,
      project: projectOfStore(body.store),
      tagMatch: body.tag_match ?? (body.match_all === true ? 'all' : 'any'),
      timeExpr: body.time_expr ?? body.time_filter,
      qualityBoost: isBoosted
        ? (body.quality_weight ?? 0.3)
        : body.quality_boost === undefined
          ? call.settings.qualityBoost
          : 0,
    },
    {
      type: isBoosted ? 'semantic_quality_boost' : 'semantic',
      query: body.query,
      threshold: body.similarity_threshold,
      reason: byMatch,
    },
  );
}

/** As the service's README promises it: the memories themselves, narrowed by tags. */
async function searchMemories(call: SearchCall): Promise<object> {
  const answered = await search(call);
  const memories = answered.results.map(({ memory, similarity_score }) => ({ ...memory, similarity_score }));
  return { memories, ...answered };
}

async function searchByTag(call: CallWith<{ body: typeof BY_TAG }>): Promise<object> {
  const { body } = call;
  const tagMatch = body.match_all === true ? 'all' : 'any';
  const tags = [body.tags].flat().join(', ');
  return answer(
    call,
    { tags: body.tags, tagMatch, timeExpr: body.time_filter, limit: 100, project: projectOfStore(body.store) },
    { type: 'tag', query: `Tags: ${tags}`, reason: () => `Tags match (${tagMatch})` },
  );
}

async function searchByTime(call: CallWith<{ body: typeof BY_TIME }>): Promise<object> {
  const { body } = call;
  return answer(
    call,
    {
      timeExpr: body.query,
      query: body.semantic_query,
      limit: body.n_results ?? 10,
      project: projectOfStore(body.store),
    },
    { type: 'time', query: body.query, reason: () => `Time match: ${body.query}` },
  );
}

async function findSimilar(call: CallWith<{ query: typeof SIMILAR }>): Promise<object> {
  const { n_results: limit = 10 } = call.query;
  const memory = await readMemory(call, call.params.hash ?? '');
  const startedAt = performance.now();
  const { found } = await searchInService(call, {
    query: memory.content.slice(0, 5000),
    mode: 'semantic',
    limit: Math.min(100, limit + 1),
  });
  const results = found
    .filter((one) => one.memory.id !== memory.id)
    .slice(0, limit)
    .map((one) => ({
      memory: toServiceMemory(one.memory, call),
      similarity_score: Math.round(one.hit.confidence * 10_000) / 10_000,
      relevance_reason: `Similar to ${memory.contentHash}`,
    }));
  const processing_time_ms = Math.round((performance.now() - startedAt) * 100) / 100;
  return {
    results,
    total_found: results.length,
    query: memory.contentHash,
    search_type: 'similar',
    processing_time_ms,
  };
}

export const SEARCH_ROUTES: readonly ServiceRoute[] = [
  defineRoute({ at: 'POST /search', needs: 'read', body: SEARCHED, handle: search }),
  defineRoute({ at: 'POST /memories/search', needs: 'read', body: SEARCHED, handle: searchMemories }),
  defineRoute({
    at: 'POST /search/by-tag',
    needs: 'read',
    body: BY_TAG,
    handle: searchByTag,
  }),
  defineRoute({
    at: 'POST /search/by-time',
    needs: 'read',
    body: BY_TIME,
    handle: searchByTime,
  }),
  defineRoute({ at: 'GET /search/similar/{hash}', needs: 'read', query: SIMILAR, handle: findSimilar }),
];
