import { z } from 'zod';
import { toIso, toIsoOrNull } from '../model/instant.ts';
import type { JsonObject } from '../model/json.ts';
import type { Memory, Resemblance } from '../model/memory.ts';
import { TRUST_TIERS } from '../model/record.ts';

export const instantSchema = z.iso.datetime();
/** What arrives has come out of a JSON parser, so its values need no second look. */
export const metadataSchema = z.record(z.string(), z.unknown()) as z.ZodType<JsonObject>;

/** A memory as REST shows it: the field names of the MCP tools, times in ISO 8601. */
export const memoryJsonSchema = z.strictObject({
  id: z.string(),
  content: z.string(),
  content_hash: z.string().describe('SHA-256 of the trimmed, lower-cased content.'),
  type: z.string(),
  tags: z.array(z.string()),
  metadata: metadataSchema,
  key: z.string().nullable().describe("The caller's own name for it, unique in its project."),
  project: z.string().nullable(),
  agent: z.string().nullable(),
  session: z.string().nullable(),
  conversation_id: z.string().nullable(),
  source: z
    .strictObject({
      door: z.enum(['cli', 'mcp', 'rest', 'import', 'job']),
      user_id: z.string(),
      client: z.string().optional(),
      host: z.string().optional(),
    })
    .describe('Where it came from, stamped by the server.'),
  trust: z.enum(TRUST_TIERS),
  quality: z.number().describe('0 to 1.'),
  revision: z.number().int().describe('One more with every change; also the ETag.'),
  created_at: instantSchema,
  updated_at: instantSchema,
  valid_from: instantSchema.nullable(),
  valid_until: instantSchema.nullable(),
  superseded_by: z.string().nullable().describe('The id of the memory that replaced it.'),
  deleted_at: instantSchema.nullable(),
});
export type MemoryJson = z.infer<typeof memoryJsonSchema>;

export const resemblanceSchema = z.strictObject({
  id: z.string(),
  similarity: z.number().describe('0 to 1; 1 is the same text.'),
  title: z.string().describe('Its first line.'),
});

export function toMemoryJson(memory: Memory): MemoryJson {
  const { id, content, type, metadata, key, project, agent, session, trust, quality, revision, source } = memory;
  return {
    id,
    content,
    content_hash: memory.contentHash,
    type,
    tags: [...memory.tags],
    metadata,
    key,
    project,
    agent,
    session,
    conversation_id: memory.conversation,
    source: {
      door: source.door,
      user_id: source.userId,
      ...(source.client === undefined ? {} : { client: source.client }),
      ...(source.host === undefined ? {} : { host: source.host }),
    },
    trust,
    quality,
    revision,
    created_at: toIso(memory.createdAt),
    updated_at: toIso(memory.updatedAt),
    valid_from: toIsoOrNull(memory.validFrom),
    valid_until: toIsoOrNull(memory.validUntil),
    superseded_by: memory.supersededBy,
    deleted_at: toIsoOrNull(memory.deletedAt),
  };
}

export function toResemblanceJson({ id, similarity, title }: Resemblance): z.infer<typeof resemblanceSchema> {
  return { id, similarity, title };
}
