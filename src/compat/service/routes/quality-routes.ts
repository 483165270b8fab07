import { integer, text } from '../../../verbs/field.ts';
import { describeQuality, providersOf, rate } from '../quality-tool.ts';
import { dayOf } from './count-days.ts';
import { type CallWith, defineRoute, type ServiceCall, type ServiceRoute } from './service-route.ts';
import { surveyMemories } from './survey-memories.ts';

const DAY = 86_400_000;

const fraction = { type: 'number', min: 0, max: 1 } as const;
const RATED = {
  rating: { type: 'integer', min: -1, max: 1, isRequired: true },
  feedback: text(undefined, { max: 1000 }),
} as const;
const SPREAD = { min_quality: fraction, max_quality: fraction };
const IN_TRENDS = { days: integer(1, 3660) };

async function rateOne(call: CallWith<{ body: typeof RATED }>): Promise<object> {
  const { rating, feedback } = call.body;
  const { previous, quality, memory } = await rate(call, { hash: call.params.hash ?? '', rating, feedback });
  const { contentHash } = memory;
  const message = `Quality score ${previous} → ${quality}`;
  return { success: true, message, content_hash: contentHash, old_quality_score: previous, new_quality_score: quality };
}

async function evaluate(call: ServiceCall): Promise<object> {
  const startedAt = performance.now();
  const hash = call.params.hash ?? '';
  const { memory, quality, by, score, usage, notice } = await call.engine.evaluateQuality(call.caller, hash);
  return {
    success: true,
    content_hash: memory.contentHash,
    quality_score: quality,
    quality_provider: by === 'usage' ? 'implicit' : by,
    ai_score: score,
    implicit_score: usage.score,
    evaluation_time_ms: Math.round((performance.now() - startedAt) * 100) / 100,
    message: notice ?? 'Evaluated',
  };
}

async function distribution(call: CallWith<{ query: typeof SPREAD }>): Promise<object> {
  const { min_quality: min = 0, max_quality: max = 1 } = call.query;
  const analysis = await call.engine.analyzeQuality(call.caller, { min, max });
  const shown = (list: typeof analysis.best) =>
    list.map(({ contentHash, title, quality }) => ({
      content_hash: contentHash,
      quality_score: quality,
      content_preview: title,
    }));
  return {
    total_memories: analysis.total,
    high_quality_count: analysis.bands.high,
    medium_quality_count: analysis.bands.medium,
    low_quality_count: analysis.bands.low,
    average_score: analysis.average,
    provider_breakdown: providersOf(analysis),
    top_10_memories: shown(analysis.best),
    bottom_10_memories: shown(analysis.worst),
  };
}

/** By the day on which memories were stored. */
async function trends(call: CallWith<{ query: typeof IN_TRENDS }>): Promise<object> {
  const { days = 30 } = call.query;
  const memories = (await surveyMemories(call)).filter(({ createdAt }) => createdAt >= call.now - days * DAY);
  const byDay = Map.groupBy(memories, ({ createdAt }) => dayOf(createdAt, call));
  const points = [...byDay]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([date, stored]) => ({
      date,
      memory_count: stored.length,
      average_score: stored.reduce((sum, { quality }) => sum + quality, 0) / stored.length,
    }));
  return { trends: points, period_days: days };
}

export const QUALITY_ROUTES: readonly ServiceRoute[] = [
  defineRoute({
    at: 'POST /quality/memories/{hash}/rate',
    needs: 'write',
    body: RATED,
    handle: rateOne,
  }),
  defineRoute({
    at: 'POST /quality/memories/{hash}/evaluate',
    needs: 'write',
    body: { query: text(undefined) },
    handle: evaluate,
  }),
  defineRoute({
    at: 'GET /quality/memories/{hash}',
    needs: 'read',
    handle: (call) => describeQuality(call, call.params.hash ?? ''),
  }),
  defineRoute({
    at: 'GET /quality/distribution',
    needs: 'read',
    query: SPREAD,
    handle: distribution,
  }),
  defineRoute({ at: 'GET /quality/trends', needs: 'read', query: IN_TRENDS, handle: trends }),
];
