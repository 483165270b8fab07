import type { Memory } from '../../features/memories/memory.ts';
import { cleanText } from '../../model/hidden-characters.ts';
import type { Instant } from '../../model/ids.ts';
import { toIso } from '../../model/instant.ts';
import type { JsonObject } from '../../model/json.ts';
import { USUAL_QUALITY } from '../../verbs/describe-memory.ts';
import { describeOrigin, type Reader } from '../../verbs/describe-origin.ts';

/** A memory in the service's words: seconds and ISO times, the type as `memory_type`. Where a text came from stands beside it as everywhere. */
export function toServiceMemory(memory: Memory, reader: Reader): Record<string, unknown> {
  return {
    content: memory.content,
    content_hash: memory.contentHash,
    tags: memory.tags,
    memory_type: memory.type,
    metadata: metadataOf(memory),
    created_at: toSeconds(memory.createdAt),
    updated_at: toSeconds(memory.updatedAt),
    created_at_iso: toIso(memory.createdAt),
    updated_at_iso: toIso(memory.updatedAt),
    ...(memory.agent !== null && { agent_id: memory.agent }),
    ...describeOrigin(memory, reader),
  };
}

export function toSeconds(instant: Instant): number {
  return instant / 1000;
}

/** What the service keeps in the metadata and we beside it. */
function metadataOf({ metadata, conversation, quality, supersededBy }: Memory): JsonObject {
  return {
    ...metadata,
    ...(conversation !== null && { conversation_id: conversation }),
    ...(quality !== USUAL_QUALITY && { quality_score: quality }),
    ...(supersededBy !== null && { superseded_by: supersededBy }),
  };
}

/** A stored text in an answer made of lines: no line of it can pass for one of ours. */
export function quoteText(text: string, indent = '   '): string {
  return cleanText(text).replaceAll('\n', `\n${indent}| `);
}

/** How far it is to be believed, and where it came from. */
export function originLine(memory: Memory, reader: Reader): string[] {
  const { trust, source } = describeOrigin(memory, reader);
  return [`Trust: ${trust} (${cleanText(source)})`];
}
