import * as z from 'zod';
import { toIso } from '../../../model/instant.ts';
import { jsonObjectSchema } from '../../../model/json.ts';
import { type Memory, type StoreMemoryInput, type StoreOutcome, storeMemorySchema } from '../../../model/memory.ts';
import { readTags } from '../../../model/tags.ts';
import { DEFAULT_TAG } from '../../../model/to-memory.ts';
import { defineTool, type ToolContext } from '../../tool.ts';
import { DEFAULT_REPO, jsonAnswer, labelArgument } from './repo-memory.ts';

const listed = {
  content: storeMemorySchema.shape.content.describe('One idea, understandable on its own'),
  repo_id: labelArgument.describe(`Repository it belongs to; ${DEFAULT_REPO} where not given`),
  key: labelArgument.describe('Own name in the repository; the same key replaces'),
  tags: z.array(z.string()).max(1000).optional(),
  metadata: jsonObjectSchema.optional(),
};

/** What mcp-memory-service takes under the same name. */
const unlisted = { memory_type: labelArgument, client_hostname: labelArgument, conversation_id: labelArgument };

type Arguments = z.output<z.ZodObject<typeof listed & typeof unlisted>>;

export const storeMemory = defineTool({
  name: 'store_memory',
  title: 'Store memory in a repository',
  description: 'Save a text for later sessions, in one repository.',
  action: 'write',
  listed,
  unlisted,
  output: { id: z.string(), created_at: z.string(), updated: z.boolean() },
  run: async ({ engine, caller }: ToolContext, args) => {
    const outcome = await engine.storeMemory(caller, readInput(args));
    if (outcome.outcome === 'refused') throw new Error('a store that reports duplicates refused one');
    const { id, createdAt, contentHash } = outcome.memory;
    if (outcome.outcome === 'duplicate') await addLabels({ engine, caller }, outcome.memory, args);
    return jsonAnswer({
      id,
      created_at: toIso(createdAt),
      updated: isUpdate(outcome, args.key),
      content_hash: contentHash,
    });
  },
});

/** Similar texts are stored all the same; the very same text in the same repository is one memory. */
function readInput(args: Arguments): StoreMemoryInput {
  return {
    content: args.content,
    project: args.repo_id || DEFAULT_REPO,
    onDuplicate: 'report',
    ...(args.key && { key: args.key }),
    ...(args.tags !== undefined && args.tags.length > 0 && { tags: args.tags }),
    ...(args.metadata !== undefined && { metadata: args.metadata }),
    ...(args.memory_type && { type: args.memory_type }),
    ...(args.client_hostname && { host: args.client_hostname }),
    ...(args.conversation_id && { conversation: args.conversation_id }),
  };
}

/** The text is there already; what this call says about it is kept too. */
async function addLabels(
  { engine, caller }: Pick<ToolContext, 'engine' | 'caller'>,
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
    outcome.outcome === 'updated' || (outcome.outcome === 'duplicate' && Boolean(key) && outcome.memory.key === key)
  );
}
