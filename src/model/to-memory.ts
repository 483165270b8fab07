import type { JsonObject } from './json.ts';
import type { Memory } from './memory.ts';
import type { StoredRecord } from './record.ts';

export const DEFAULT_TAG = 'untagged';

export function toMemory(record: Omit<StoredRecord, 'generation' | 'dot'>): Memory {
  const { id, content, contentHash, type, tags, key, project, agent, session, conversation, source, trust, quality } =
    record;
  const { revision, createdAt, updatedAt, validFrom, validUntil, supersededBy, deletedAt } = record;
  const metadata = (record.body.metadata ?? {}) as JsonObject;
  return {
    id,
    content,
    contentHash,
    type,
    tags,
    metadata,
    key,
    project,
    agent,
    session,
    conversation,
    source,
    trust,
    quality,
    revision,
    createdAt,
    updatedAt,
    validFrom,
    validUntil,
    supersededBy,
    deletedAt,
  };
}
