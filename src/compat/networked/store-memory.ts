import { defineTool, type ToolContext } from '../../mcp/tool.ts';
import { toIso } from '../../model/instant.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Memory, StoreOutcome } from '../../model/memory.ts';
import { readTags } from '../../model/tags.ts';
import { DEFAULT_TAG } from '../../model/to-memory.ts';
import { label } from '../../verbs/field.ts';
import { NEW_MEMORY } from '../../verbs/memory-input.ts';
import { DEFAULT_REPO, jsonAnswer } from './repo-memory.ts';

interface Arguments {
  content: string;
  repo_id?: string;
  key?: string;
  tags?: string[];
  metadata?: JsonObject;
  memory_type?: string;
  client_hostname?: string;
  conversation_id?: string;
}

export const storeMemory = defineTool<Arguments>({
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
  output: { id: { type: 'string' }, created_at: { type: 'string' }, updated: { type: 'boolean' } },
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
  { tags = [], metadata = {} }: Arguments,
): Promise<void> {
  const more = readTags(tags).filter((tag) => !memory.tags.includes(tag));
  if (more.length === 0 && Object.keys(metadata).length === 0) return;
  await engine.updateMemory(caller, {
    ref: memory.id,
    tags: [...memory.tags.filter((tag) => tag !== DEFAULT_TAG), ...more],
    metadata,
  });
}

/** A key that was in use is an update even where nothing had to be changed. */
function isUpdate(outcome: Exclude<StoreOutcome, { outcome: 'refused' }>, key: string | undefined): boolean {
  return (
    outcome.outcome === 'updated' ||
    (outcome.outcome === 'duplicate' && key !== undefined && outcome.memory.key === key)
  );
}
