import { z } from 'zod';

const text = z.string();
const count = z.number().int();
const counts = z.array(z.strictObject({ name: text, count }));

/** What the verbs about labels, state and exchange answer, by their names. */
export const STATE_ANSWERS: Readonly<Record<string, z.ZodType>> = {
  listTags: z.strictObject({ tags: counts }),
  listProjects: z.strictObject({ projects: counts }),
  listAgents: z.strictObject({ agents: counts }),
  listTypes: z.strictObject({
    types: counts,
    known: z.record(text, z.array(text)).describe('Bases and their subtypes.'),
  }),
  showStats: z.strictObject({
    memories: count,
    deleted: count,
    superseded: count,
    created_this_week: count,
    tags: count,
    passages: count,
    relations: count,
    versions: count,
    bytes: count,
    changes: count.describe('Lines of the change feed.'),
  }),
  checkHealth: z.strictObject({
    status: z.enum(['healthy', 'degraded']),
    version: text,
    problems: z.array(text),
    store: z.enum(['sqlite', 'postgres']),
    location: text.optional().describe('Shown to administrators only.'),
    schema_version: count,
    bytes: z.number(),
    embedder: z.strictObject({ id: text, dimensions: count, pending: count, searching: text }).nullable(),
    index: z.strictObject({
      spaces: z.number(),
      passages: z.number(),
      bytes: z.number(),
      segments: z.number(),
      segment_bytes: z.number(),
      head: z.number(),
    }),
    searches: z.strictObject({ total: z.number(), average_ms: z.number() }),
  }),
  importRecords: z.strictObject({
    records: count,
    unchanged: count,
    conflicts: z.array(text),
    versions: count,
    relations: count,
    problems: z.array(z.strictObject({ line: count, message: text })),
  }),
};
