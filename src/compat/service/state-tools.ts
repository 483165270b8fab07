import type { Health } from '../../engine/engine.ts';
import { describeHealth } from '../../verbs/describe-health.ts';
import { text } from '../../verbs/field.ts';
import { defineServiceTool, documentAnswer, linesAnswer, type Tool } from './define-service-tool.ts';

/** The service's words for what `memory_health` of ours says. */
export function describeServiceHealth(health: Health): Record<string, unknown> {
  const ours = describeHealth(health);
  const { embedder, facts, searches, status, problems } = health;
  return {
    version: health.version,
    validation: {
      status: status === 'healthy' ? 'healthy' : 'unhealthy',
      message: problems.length === 0 ? 'The database works.' : problems.join(' '),
    },
    statistics: {
      status: 'operational',
      ...(ours.statistics as object),
      has_embedding_model: embedder !== null,
      has_embedding_tables: true,
      // a vector is kept with its passage and goes with it
      orphaned_embeddings: 0,
      rowid_collision_risk: false,
      missing_embeddings: embedder?.pending ?? 0,
      embedding_model: embedder?.id ?? null,
    },
    integrity: {
      enabled: true,
      running: false,
      last_check_healthy: problems.length === 0,
      ...(problems.length > 0 && { problems }),
    },
    performance: {
      storage: { index: ours.index },
      server: {
        average_query_time_ms: searches?.averageMs ?? 0,
        total_queries: searches?.total ?? 0,
        storage_type: facts.store,
        storage_initialization: 'complete',
      },
    },
  };
}

const memoryHealth = defineServiceTool<object>({
  name: 'memory_health',
  title: 'Check Database Health',
  text: 'Whether the memory works, and how much it holds.',
  action: 'read',
  output: { version: 'string', validation: 'object', statistics: 'object' },
  async run({ engine, caller }) {
    const answer = documentAnswer(describeServiceHealth(await engine.checkHealth(caller)));
    return { ...answer, text: `Database Health Check Results:\n${answer.text}` };
  },
});

const memoryStats = defineServiceTool<object>({
  name: 'memory_stats',
  title: 'Get Cache Stats',
  text: 'What is loaded, and how fast searches are answered.',
  action: 'read',
  output: { total_calls: 'number', hit_rate: 'number', storage_cache: 'object', backend_info: 'object' },
  async run({ engine, caller }) {
    const { facts, embedder, index, searches } = await engine.checkHealth(caller);
    const total = searches?.total ?? 0;
    const average = searches?.averageMs ?? 0;
    // the index of a space is what is kept in memory between searches
    const loaded = index.spaces ?? 0;
    const hitRate = total === 0 ? 0 : Math.max(0, Math.round((1 - loaded / total) * 10_000) / 100);
    return documentAnswer({
      total_calls: total,
      hit_rate: hitRate,
      storage_cache: {
        hits: Math.max(0, total - loaded),
        misses: Math.min(loaded, total),
        hit_rate: hitRate,
        size: loaded,
        keys: [],
      },
      service_cache: { hits: total, misses: 0, hit_rate: total === 0 ? 0 : 100, size: 1 },
      performance: { average_query_time_ms: average, index_passages: index.passages, index_bytes: index.bytes },
      backend_info: {
        storage_backend: facts.store,
        sqlite_path: facts.location ?? null,
        embedding_model: embedder?.id ?? null,
      },
      message: `${total} searches since the start, ${average} ms on average.`,
    });
  },
});

const SHOWN_VALUES = 10;

/** An older tool that has no successor; never listed. */
export const rawEmbedding = defineServiceTool<{ content: string }>({
  name: 'get_raw_embedding',
  title: 'Get raw embedding',
  text: 'The vector of a text: its dimension and its first and last values.',
  action: 'read',
  listed: { content: text(undefined, { min: 1, max: 100_000, isRequired: true }) },
  output: { message: 'string', dimension: 'number' },
  async run({ engine, caller }, { content }) {
    const { model, vectors } = await engine.embedTexts(caller, [content]);
    const values = [...(vectors[0] ?? [])];
    const show = (some: readonly number[]): string => some.map((value) => value.toFixed(6)).join(', ');
    const [first, last] = [values.slice(0, SHOWN_VALUES), values.slice(-SHOWN_VALUES)];
    return linesAnswer(
      [
        `Embedding of ${values.length} dimensions by ${model}`,
        `First ${SHOWN_VALUES} values: ${show(first)}`,
        `Last ${SHOWN_VALUES} values: ${show(last)}`,
      ],
      { dimension: values.length, model, first, last },
    );
  },
});

export const STATE_TOOLS: readonly Tool[] = [memoryHealth, memoryStats];
