import * as z from 'zod';
import type { Health } from '../../engine/engine.ts';
import { defineTool } from '../tool.ts';

export const memoryHealth = defineTool({
  name: 'memory_health',
  title: 'Memory health',
  description: 'Whether the memory works, and how much it holds.',
  action: 'read',
  listed: {},
  unlisted: {},
  output: { message: z.string(), status: z.string(), statistics: z.looseObject({}) },
  run: async ({ engine, caller }) => ({
    structured: describeHealth(await engine.checkHealth(caller), caller.scopes.has('admin')),
  }),
});

/** Where the database lies is told to the owner only. */
export function describeHealth(health: Health, isOwner: boolean): Record<string, unknown> {
  const { facts, embedder, index, searches } = health;
  return {
    message:
      health.status === 'healthy' ? `Healthy: ${facts.records} memories.` : `Degraded: ${health.problems.join(' ')}`,
    status: health.status,
    version: health.version,
    problems: health.problems.length === 0 ? undefined : health.problems,
    statistics: {
      total_memories: facts.records,
      deleted: facts.deleted,
      superseded: facts.superseded,
      memories_this_week: health.createdThisWeek,
      unique_tags: health.tags,
      passages: facts.passages,
      relations: facts.relations,
      versions: facts.versions,
      backend: facts.store,
      database_size_bytes: facts.bytes,
      database_size_mb: round(facts.bytes / 1_000_000),
      schema_version: facts.schemaVersion,
      embedding_model: embedder?.id ?? 'none: words are searched, meaning is not',
      embedding_dimension: embedder?.dimensions,
      embedding_pending: embedder?.pending,
    },
    location: isOwner ? facts.location : undefined,
    index: { spaces: index.spaces, passages: index.passages, bytes: index.bytes, segments: facts.segments },
    performance: { total_queries: searches.total, average_query_time_ms: round(searches.averageMs) },
  };
}

function round(value: number): number {
  return Number(value.toFixed(2));
}
