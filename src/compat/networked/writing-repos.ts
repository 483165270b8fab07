import type { Memory, StoredOutcome } from '../../features/memories/memory.ts';
import { defineTool, jsonAnswer, type ToolContext } from '../../mcp/tool.ts';
import { EngineError } from '../../model/errors.ts';
import { toIso } from '../../model/instant.ts';
import type { JsonObject } from '../../model/json.ts';
import { DEFAULT_TAG } from '../../model/memory.ts';
import { readTags, splitTags } from '../../model/tags.ts';
import { label } from '../../verbs/field.ts';
import { NEW_MEMORY } from '../../verbs/memory-input.ts';
import { DEFAULT_REPO, findInRepo } from './repo-memory.ts';

interface StoreArguments {
  content: string;
  repo_id?: string;
  key?: string;
  tags?: string[];
  metadata?: JsonObject;
  memory_type?: string;
  client_hostname?: string;
  conversation_id?: string;
}

export const storeMemory = defineTool<StoreArguments>({
  name: 'store_memory',
  title: 'Store memory in a repository',
  text: 'Save a text for later sessions, in one repository.',
  action: 'write',
  listed: {
    content: { ...NEW_MEMORY.content!, about: 'One idea, understandable on its own' },
    repo_id: label(`Repository it belongs to; ${DEFAULT_REPO} where not given`),
    key: label('Own name in the repository; the same key replaces'),
    tags: { type: 'tags' },
    metadata: { type: 'json' },
  },
  // what mcp-memory-service takes under the same name
  unlisted: { memory_type: label(), client_hostname: label(), conversation_id: label() },
  output: { id: 'string', created_at: 'string', updated: 'boolean' },
  async run(context, args) {
    // similar texts are stored all the same; the very same text in the same repository is one memory
    const outcome = await context.engine.storeMemory(context.caller, {
      content: args.content,
      project: args.repo_id ?? DEFAULT_REPO,
      onDuplicate: 'report',
      key: args.key,
      tags: args.tags?.length === 0 ? undefined : args.tags,
      metadata: args.metadata,
      type: args.memory_type,
      host: args.client_hostname,
      conversation: args.conversation_id,
    });
    if (outcome.outcome === 'refused') throw new Error('a store that reports duplicates refused one');
    const { id, createdAt, contentHash } = outcome.memory;
    if (outcome.outcome === 'duplicate') await addLabels(context, outcome.memory, args);
    return jsonAnswer({
      id,
      created_at: toIso(createdAt),
      updated: isUpdate(outcome, args.key),
      content_hash: contentHash,
    });
  },
});

/** The text is there already; what this call says about it is kept too. */
async function addLabels(
  { engine, caller }: ToolContext,
  memory: Memory,
  { tags = [], metadata = {} }: StoreArguments,
): Promise<void> {
  const more = splitTags(tags).filter((tag) => readTags([tag]).some((one) => !memory.tags.includes(one)));
  if (more.length === 0 && Object.keys(metadata).length === 0) return;
  await engine.updateMemory(caller, {
    ref: memory.id,
    tags: [...memory.tags.filter((tag) => tag !== DEFAULT_TAG), ...more],
    metadata,
  });
}

/** A key that was in use is an update even where nothing had to be changed. */
function isUpdate(outcome: Exclude<StoredOutcome, { outcome: 'refused' }>, key: string | undefined): boolean {
  return (
    outcome.outcome === 'updated' ||
    (outcome.outcome === 'duplicate' && key !== undefined && outcome.memory.key === key)
  );
}

interface DeleteArguments {
  id?: string;
  key?: string;
  repo_id?: string;
  content_hash?: string;
}

export const deleteMemory = defineTool<DeleteArguments>({
  name: 'delete_memory',
  title: 'Delete a memory of a repository',
  text: 'Delete one memory by id, or by key and repository.',
  action: 'write',
  destructive: true,
  idempotent: true,
  listed: { id: label(), key: label(), repo_id: label(`Of the key; ${DEFAULT_REPO} where not given`) },
  // what mcp-memory-service takes under the same name
  unlisted: { content_hash: label() },
  output: { deleted: 'number' },
  async run(context, args) {
    const refs = await findRefs(context, args);
    if (refs.length === 0) return jsonAnswer({ deleted: 0 });
    const { count } = await context.engine.deleteMemories(context.caller, { refs });
    return jsonAnswer({ deleted: count });
  },
});

async function findRefs(context: ToolContext, { id, key, repo_id, content_hash }: DeleteArguments): Promise<string[]> {
  const ref = id ?? content_hash;
  if (ref !== undefined) return (await findInRepo(context, ref, repo_id)).map((memory) => memory.id);
  if (key === undefined) {
    throw new EngineError('invalid_input', 'Nothing says what to delete.', {
      hint: 'Give id, or key and repo_id.',
      details: { field: 'id' },
    });
  }
  const filter = { key, project: repo_id ?? DEFAULT_REPO, kinds: ['memory' as const] };
  const { items } = await context.engine.listMemories(context.caller, { filter, page: { limit: 1 } });
  return items.map((memory) => memory.id);
}
