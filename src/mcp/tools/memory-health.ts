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
  output: { message: z.string(), status: z.string(), memories: z.number() },
  run: async ({ engine, caller }) => ({ structured: describeHealth(await engine.checkHealth(caller), caller.scopes.has('admin')) }),
});

/** Where the database lies is told to the owner only. */
export function describeHealth(health: Health, isOwner: boolean): Record<string, unknown> {
  const { facts, embedder, index, searches } = health;
  return {
    message: health.status === 'healthy' ? `Healthy: ${facts.records} memories.` : `Degraded: ${health.problems.join(' ')}`,
    status: health.status,
    version: health.version,
    problems: health.problems.length === 0 ? undefined : health.problems,
    memories: facts.records,
    deleted: facts.deleted,
    superseded: facts.superseded,
    created_this_week: health.createdThisWeek,
    tags: health.tags,
    passages: facts.passages,
    relations: facts.relations,
    versions: facts.versions,
    store: facts.store,
    location: isOwner ? facts.location : undefined,
    bytes: facts.bytes,
    schema_version: facts.schemaVersion,
    embedder: embedder === null ? 'none: words are searched, meaning is not' : embedder,
    index: { spaces: index.spaces, passages: index.passages, bytes: index.bytes, segments: facts.segments },
    searches: { total: searches.total, average_ms: Number(searches.averageMs.toFixed(2)) },
  };
}
