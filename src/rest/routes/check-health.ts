import { z } from 'zod';
import type { Health } from '../../engine/engine.ts';
import { defineRoute } from '../route.ts';

const healthSchema = z.strictObject({
  status: z.enum(['healthy', 'degraded']),
  version: z.string(),
  problems: z.array(z.string()),
  store: z.enum(['sqlite', 'postgres']),
  location: z.string().optional().describe('Shown to administrators only.'),
  schema_version: z.number().int(),
  bytes: z.number(),
  embedder: z
    .strictObject({ id: z.string(), dimensions: z.number().int(), pending: z.number().int(), searching: z.string() })
    .nullable(),
  index: z.strictObject({
    spaces: z.number(),
    passages: z.number(),
    bytes: z.number(),
    segments: z.number(),
    segment_bytes: z.number(),
    head: z.number(),
  }),
  searches: z.strictObject({ total: z.number(), average_ms: z.number() }),
});

export const checkHealth = defineRoute({
  method: 'GET',
  path: '/health',
  name: 'checkHealth',
  action: 'read',
  group: 'State',
  summary: 'How the server is, in detail',
  answers: { 200: { description: 'GET /health, without a token, says only whether it runs.', schema: healthSchema } },
  async handle({ engine, caller }) {
    return { status: 200, body: toHealthJson(await engine.checkHealth(caller), caller.scopes.has('admin')) };
  },
});

function toHealthJson(
  { status, version, problems, facts, embedder, index, searches }: Health,
  isAdmin: boolean,
): z.infer<typeof healthSchema> {
  return {
    status,
    version,
    problems,
    store: facts.store,
    ...(isAdmin ? { location: facts.location } : {}),
    schema_version: facts.schemaVersion,
    bytes: facts.bytes,
    embedder,
    index: { ...index, segments: facts.segments, segment_bytes: facts.segmentBytes },
    searches: { total: searches.total, average_ms: searches.averageMs },
  };
}
