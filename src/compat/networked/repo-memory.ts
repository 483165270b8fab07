import type { Memory } from '../../features/memories/memory.ts';
import type { ToolContext } from '../../mcp/tool.ts';
import { isRecordId } from '../../model/ids.ts';
import { toIso } from '../../model/instant.ts';
import { DEFAULT_TAG } from '../../model/memory.ts';
import { describeOrigin, type Reader } from '../../verbs/describe-origin.ts';

/** Where a memory goes, and a key is looked for, when no repository is named. */
export const DEFAULT_REPO = 'global';
const CONTENT_HASH = /^[0-9a-f]{64}$/i;

/** A memory in the words of the networked server: a project is a repository. */
export function describeRepoMemory(memory: Memory, reader: Reader): Record<string, unknown> {
  return {
    id: memory.id,
    repo_id: memory.project,
    key: memory.key,
    content: memory.content,
    tags: memory.tags.filter((tag) => tag !== DEFAULT_TAG),
    metadata: memory.metadata,
    ...describeOrigin(memory, reader),
    created_at: toIso(memory.createdAt),
    updated_at: toIso(memory.updatedAt),
  };
}

/** By id or content hash. A memory of another repository is as good as none. */
export async function findInRepo(
  { engine, caller }: ToolContext,
  ref: string,
  repo: string | undefined,
): Promise<Memory[]> {
  if (!isRecordId(ref) && !CONTENT_HASH.test(ref)) return [];
  const { memories } = await engine.getMemories(caller, { refs: [ref] });
  return memories.filter((memory) => repo === undefined || memory.project === repo);
}
