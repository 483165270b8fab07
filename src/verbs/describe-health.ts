import type { Health } from '../engine/engine.ts';
import { unlessEmpty } from './describe-memory.ts';

/** As an agent is told of it. */
export function describeHealth(health: Health): Record<string, unknown> {
  const { facts, embedder, index, searches, workers } = health;
  const { head: _, ...loaded } = index;
  return {
    message:
      health.status === 'healthy' ? `Healthy: ${health.memories} memories.` : `Degraded: ${health.problems.join(' ')}`,
    status: health.status,
    version: health.version,
    problems: unlessEmpty(health.problems),
    notices: unlessEmpty(health.notices),
    statistics: {
      total_memories: health.memories,
      deleted: facts.deleted,
      superseded: facts.superseded,
      memories_this_week: health.createdThisWeek,
      unique_tags: health.tags,
      passages: facts.passages,
      relations: facts.relations,
      versions: facts.versions,
      backend: facts.store,
      database_size_bytes: facts.bytes,
      database_size_mb: facts.bytes === undefined ? undefined : round(facts.bytes / 1_000_000),
      schema_version: facts.schemaVersion,
      embedding_model: embedder?.id ?? 'none: words are searched, meaning is not',
      embedding_dimension: embedder?.dimensions,
      embedding_pending: embedder?.pending,
    },
    location: facts.location,
    row_security: facts.rowSecurity?.detail,
    index: { ...loaded, segments: facts.segments },
    performance: searches && { total_queries: searches.total, average_query_time_ms: round(searches.averageMs) },
    workers,
  };
}

/** To two decimals. */
export function round(value: number): number {
  return Number(value.toFixed(2));
}
