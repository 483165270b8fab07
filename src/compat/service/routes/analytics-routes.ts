import { toIso } from '../../../model/instant.ts';
import { round } from '../../../verbs/describe-health.ts';
import { choice, integer } from '../../../verbs/field.ts';
import { DAY, type Day, dayOf, inZone, shareOf, streaks, tally } from './count-days.ts';
import { type CallWith, defineRoute, type ServiceCall, type ServiceRoute } from './service-route.ts';
import { type SurveyedMemory, surveyMemories } from './survey-memories.ts';

const MB = 1_000_000;

async function overview(call: ServiceCall): Promise<object> {
  const [memories, { facts, tags }] = await Promise.all([surveyMemories(call), call.engine.checkHealth(call.caller)]);
  const since = (days: number): number => memories.filter(({ createdAt }) => createdAt >= call.now - days * DAY).length;
  return {
    total_memories: memories.length,
    memories_this_week: since(7),
    memories_this_month: since(30),
    unique_tags: tags,
    database_size_mb: facts.bytes === undefined ? null : round(facts.bytes / MB),
    uptime_seconds: Math.round((call.now - call.ports.startedAt) / 1000),
    backend_type: facts.store,
  };
}

const PERIODS = { week: [7, 1], month: [30, 7], quarter: [90, 7], year: [365, 30] } as const;
const IN_GROWTH = { period: choice(['week', 'month', 'quarter', 'year']) };
const IN_USAGE = { period: choice(['all', 'week', 'month', 'quarter', 'year']), limit: integer(1, 100) };
const IN_TOP = { period: choice(['7d', '30d', '90d', 'all']), limit: integer(1, 100) };
const IN_HEATMAP = { days: integer(1, 3660) };
const IN_BREAKDOWN = { granularity: choice(['hourly', 'daily', 'weekly']) };

/** The days of the period, of which the last is today, in intervals; what is older is in the first sum. */
async function growth(call: CallWith<{ query: typeof IN_GROWTH }>): Promise<object> {
  const { period = 'month' } = call.query;
  const [length, interval] = PERIODS[period];
  const days = Array.from({ length }, (_, n) => dayOf(call.now - (length - 1 - n) * DAY, call));
  const stored = (await surveyMemories(call)).map(({ createdAt }) => dayOf(createdAt, call));
  let cumulative = stored.filter((day) => day < days[0]!).length;
  const data_points = [];
  for (let at = 0; at < length; at += interval) {
    const [date, next] = [days[at]!, days[at + interval]];
    const count = stored.filter((day) => day >= date && (next === undefined || day < next)).length;
    cumulative += count;
    data_points.push({ date, count, cumulative, label: interval === 1 ? date : `From ${date}` });
  }
  return { data_points, total_memories: stored.length, period };
}

async function tagUsage(call: CallWith<{ query: typeof IN_USAGE }>): Promise<object> {
  const { period = 'all', limit = 20 } = call.query;
  const memories = within(await surveyMemories(call), period, call.now);
  const counts = tally(memories.flatMap(({ tags }) => tags));
  const tags = counts.slice(0, limit).map(([tag, count]) => ({
    tag,
    count,
    percentage: shareOf(count, memories.length),
    growth_rate: null,
  }));
  return { tags, total_memories: memories.length, period };
}

async function memoryTypes(call: ServiceCall): Promise<object> {
  const memories = await surveyMemories(call);
  const counts = tally(memories.map(({ type }) => type));
  const types = counts.map(([memory_type, count]) => ({
    memory_type,
    count,
    percentage: shareOf(count, memories.length),
  }));
  return { types, total_memories: memories.length };
}

async function searchAnalytics({ engine, caller }: ServiceCall): Promise<object> {
  const { searches } = await engine.checkHealth(caller);
  const average = searches?.averageMs ?? null;
  // what was searched for is kept nowhere
  return { total_searches: searches?.total ?? null, avg_response_time: average, popular_tags: [], search_types: {} };
}

async function performanceOf({ engine, caller, ports, now }: ServiceCall): Promise<object> {
  const { searches, index } = await engine.checkHealth(caller);
  const { rss, heapUsed } = process.memoryUsage();
  return {
    average_query_time_ms: searches?.averageMs ?? null,
    total_queries: searches?.total ?? null,
    index_bytes: index.bytes ?? null,
    memory_usage_mb: round(rss / MB),
    heap_used_mb: round(heapUsed / MB),
    uptime_seconds: Math.round((now - ports.startedAt) / 1000),
  };
}

async function heatmap(call: CallWith<{ query: typeof IN_HEATMAP }>): Promise<object> {
  const { days = 365 } = call.query;
  const counts = new Map(tally((await surveyMemories(call)).map(({ createdAt }) => dayOf(createdAt, call))));
  const dates = Array.from({ length: days }, (_, n) => dayOf(call.now - (days - 1 - n) * DAY, call));
  const max = Math.max(0, ...dates.map((date) => counts.get(date) ?? 0));
  const data = dates.map((date) => {
    const count = counts.get(date) ?? 0;
    return { date, count, level: count === 0 ? 0 : Math.min(4, Math.ceil((count / max) * 4)) };
  });
  const active = data.filter(({ count }) => count > 0).length;
  return { data, total_days: active, max_count: max };
}

async function topTags(call: CallWith<{ query: typeof IN_TOP }>): Promise<object> {
  const { period = '30d', limit = 20 } = call.query;
  const memories = within(await surveyMemories(call), period, call.now);
  const tags = tally(memories.flatMap((memory) => memory.tags))
    .slice(0, limit)
    .map(([tag, count]) => {
      const beside = memories.filter((memory) => memory.tags.includes(tag)).flatMap((memory) => memory.tags);
      const others = tally(beside.filter((one) => one !== tag)).slice(0, 5);
      return {
        tag,
        count,
        percentage: shareOf(count, memories.length),
        trending: isTrending(memories, tag, call.now),
        co_occurring_tags: others.map(([other, times]) => ({
          tag: other,
          count: times,
          strength: shareOf(times, count) / 100,
        })),
      };
    });
  return { tags, period };
}

/** More than half of its uses are of the last seven days, and there are at least three. */
function isTrending(memories: readonly SurveyedMemory[], tag: string, now: number): boolean {
  const used = memories.filter(({ tags }) => tags.includes(tag));
  const recent = used.filter(({ createdAt }) => createdAt >= now - 7 * DAY).length;
  return recent >= 3 && recent * 2 > used.length;
}

const DAYS: readonly Day[] = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

async function breakdown(call: CallWith<{ query: typeof IN_BREAKDOWN }>): Promise<object> {
  const { granularity = 'daily' } = call.query;
  const memories = await surveyMemories(call);
  const places = memories.map(({ createdAt }) => inZone(createdAt, call));
  const labels =
    granularity === 'hourly'
      ? Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`)
      : granularity === 'daily'
        ? DAYS
        : [...new Set(places.map(({ week }) => week))].sort();
  const keyOf = ({ hour, weekday, week }: ReturnType<typeof inZone>): string =>
    granularity === 'hourly' ? `${String(hour).padStart(2, '0')}:00` : granularity === 'daily' ? weekday : week;
  const counts = new Map(tally(places.map(keyOf)));
  const parts = labels.map((label) => ({ label, count: counts.get(label) ?? 0 }));
  const most = Math.max(0, ...parts.map(({ count }) => count));
  const dates = [...new Set(places.map(({ date }) => date))].sort();
  const { current, longest } = streaks(dates, dayOf(call.now, call));
  const total =
    dates.length === 0 ? 0 : Math.round((Date.parse(dayOf(call.now, call)) - Date.parse(dates[0]!)) / DAY) + 1;
  return {
    breakdown: parts.map((part) => ({ ...part, timestamp: part.label })),
    peak_times: most === 0 ? [] : parts.filter(({ count }) => count === most).map(({ label }) => label),
    active_days: dates.length,
    total_days: total,
    current_streak: current,
    longest_streak: longest,
  };
}

async function storageStats(call: ServiceCall): Promise<object> {
  const [memories, { facts }] = await Promise.all([surveyMemories(call), call.engine.checkHealth(call.caller)]);
  const chars = memories.reduce((sum, memory) => sum + memory.chars, 0);
  const largest = memories.toSorted((a, b) => b.chars - a.chars).slice(0, 10);
  const bytes = facts.bytes;
  return {
    total_size_mb: bytes === undefined ? null : round(bytes / MB),
    average_memory_size: memories.length === 0 ? 0 : round(chars / memories.length),
    largest_memories: largest.map(({ hash, chars: size, createdAt, tags, preview }) => ({
      content_hash: hash,
      size_bytes: size,
      size_kb: round(size / 1000),
      created_at: toIso(createdAt),
      tags,
      content_preview: preview,
    })),
    growth_trend: lastDays(memories, call, 30),
    storage_efficiency: bytes === undefined || bytes === 0 ? null : round((chars / bytes) * 100),
  };
}

function lastDays(memories: readonly SurveyedMemory[], call: ServiceCall, days: number) {
  const sizes = new Map<string, number>();
  for (const { createdAt, chars } of memories) {
    const date = dayOf(createdAt, call);
    sizes.set(date, (sizes.get(date) ?? 0) + chars);
  }
  return Array.from({ length: days }, (_, n) => dayOf(call.now - (days - 1 - n) * DAY, call)).map((date) => ({
    date,
    added_size_mb: (sizes.get(date) ?? 0) / MB,
  }));
}

function within(memories: readonly SurveyedMemory[], period: string, now: number): readonly SurveyedMemory[] {
  const named: Readonly<Record<string, number>> = { week: 7, month: 30, quarter: 90, year: 365 };
  const days = named[period] ?? Number(/^(\d+)d$/.exec(period)?.[1] ?? Number.NaN);
  return Number.isNaN(days) ? memories : memories.filter(({ createdAt }) => createdAt >= now - days * DAY);
}

export const ANALYTICS_ROUTES: readonly ServiceRoute[] = [
  defineRoute({ at: 'GET /analytics/overview', needs: 'read', handle: overview }),
  defineRoute({
    at: 'GET /analytics/memory-growth',
    needs: 'read',
    query: IN_GROWTH,
    handle: growth,
  }),
  defineRoute({
    at: 'GET /analytics/tag-usage',
    needs: 'read',
    query: IN_USAGE,
    handle: tagUsage,
  }),
  defineRoute({ at: 'GET /analytics/memory-types', needs: 'read', handle: memoryTypes }),
  defineRoute({ at: 'GET /analytics/search-analytics', needs: 'read', handle: searchAnalytics }),
  defineRoute({ at: 'GET /analytics/performance', needs: 'read', handle: performanceOf }),
  defineRoute({
    at: 'GET /analytics/activity-heatmap',
    needs: 'read',
    query: IN_HEATMAP,
    handle: heatmap,
  }),
  defineRoute({
    at: 'GET /analytics/top-tags',
    needs: 'read',
    query: IN_TOP,
    handle: topTags,
  }),
  defineRoute({
    at: 'GET /analytics/activity-breakdown',
    needs: 'read',
    query: IN_BREAKDOWN,
    handle: breakdown,
  }),
  defineRoute({ at: 'GET /analytics/storage-stats', needs: 'read', handle: storageStats }),
];
