import * as z from 'zod';
import type { JsonObject } from '../../model/json.ts';
import { jsonObjectSchema } from '../../model/json.ts';
import {
  type Memory,
  ON_DUPLICATE,
  type StoreMemoryInput,
  type StoreOutcome,
  storeMemorySchema,
} from '../../model/memory.ts';
import { hashContent } from '../../model/record.ts';
import { readTags } from '../../model/tags.ts';
import { describeWritten, unlessEmpty } from '../describe-memory.ts';
import { noticesOfStore } from '../filter-arguments.ts';
import { readTime } from '../read-time.ts';
import { defineTool, type ToolAnswer, type ToolContext } from '../tool.ts';

const label = z.string().trim().max(200).optional();

const listed = {
  content: storeMemorySchema.shape.content.describe('One idea, understandable on its own'),
  type: label.describe('e.g. decision, error, note'),
  tags: z.array(z.string()).max(1000).optional(),
  project: label,
  metadata: jsonObjectSchema.optional(),
  key: label.describe('Own name; the same key replaces'),
  conversation_id: label.describe('Skips the near-duplicate check'),
  on_duplicate: z.enum(ON_DUPLICATE).optional(),
  valid_until: z.string().max(200).optional().describe('Date or phrase'),
};

const unlisted = {
  valid_from: z.string().max(200).optional(),
  agent: label,
  session: label,
  quality: storeMemorySchema.shape.quality,
  idempotency_key: storeMemorySchema.shape.idempotencyKey,
  memory_type: label,
  agent_id: label,
  session_id: label,
  client_hostname: label,
  restore_deleted: z.boolean().optional(),
  store: label,
};

type Arguments = z.output<z.ZodObject<typeof listed & typeof unlisted>>;

export const memoryStore = defineTool({
  name: 'memory_store',
  title: 'Store memory',
  description:
    'Save a fact, decision, preference, fix or lesson for later sessions. Exact duplicates are not stored twice; near ones are reported.',
  action: 'write',
  alwaysLoad: true,
  listed,
  unlisted,
  output: {
    message: z.string(),
    outcome: z.string(),
    id: z.string(),
    content_hash: z.string(),
    resembles: z.array(z.looseObject({})),
  },
  run: storeMemory,
});

async function storeMemory(context: ToolContext, args: Arguments): Promise<ToolAnswer> {
  const { engine, caller } = context;
  const notices = noticesOfStore(args.store);
  const restored = args.restore_deleted === true ? await restoreSameText(context, args.content) : null;
  if (restored !== null) return { structured: { ...describeRestored(restored), warnings: unlessEmpty(notices) } };
  const outcome = await engine.storeMemory(caller, await readInput(context, args));
  return { structured: describeOutcome(outcome, notices), isError: outcome.outcome === 'refused' };
}

/** metadata.tags and metadata.type are how mcp-memory-service takes tags and type. */
async function readInput(context: ToolContext, args: Arguments): Promise<StoreMemoryInput> {
  const { tags: metadataTags, type: metadataType, ...metadata } = args.metadata ?? {};
  const tags = [...(args.tags ?? []), ...readTags(isTagsInput(metadataTags) ? metadataTags : null)];
  const type = args.type || args.memory_type || (typeof metadataType === 'string' ? metadataType : '');
  const input: StoreMemoryInput = { content: args.content };
  if (type) input.type = type;
  if (tags.length > 0) input.tags = tags;
  if (Object.keys(metadata).length > 0) input.metadata = metadata;
  if (args.key) input.key = args.key;
  if (args.project) input.project = args.project;
  const agent = args.agent || args.agent_id;
  if (agent) input.agent = agent;
  const session = args.session || args.session_id;
  if (session) input.session = session;
  if (args.conversation_id) input.conversation = args.conversation_id;
  if (args.client_hostname) input.host = args.client_hostname;
  if (args.quality !== undefined) input.quality = args.quality;
  if (args.on_duplicate !== undefined) input.onDuplicate = args.on_duplicate;
  if (args.idempotency_key !== undefined) input.idempotencyKey = args.idempotency_key;
  const [validFrom, validUntil] = await Promise.all([
    readTime(args.valid_from, 'start', context),
    readTime(args.valid_until, 'end', context),
  ]);
  if (validFrom !== undefined) input.validFrom = validFrom;
  if (validUntil !== undefined) input.validUntil = validUntil;
  return input;
}

function isTagsInput(value: JsonObject[string] | undefined): value is string | string[] {
  return typeof value === 'string' || (Array.isArray(value) && value.every((item) => typeof item === 'string'));
}

async function restoreSameText({ engine, caller }: ToolContext, content: string): Promise<Memory | null> {
  const hash = hashContent(content);
  const { memories } = await engine.getMemories(caller, { refs: [hash] });
  if (memories.length > 0) return null;
  const { restored } = await engine.restoreMemories(caller, [hash]);
  return restored[0] ?? null;
}

function describeRestored(memory: Memory): Record<string, unknown> {
  return {
    message: `The same text had been deleted; memory ${memory.id} is restored.`,
    outcome: 'restored',
    ...describeWritten(memory),
  };
}

function describeOutcome(outcome: StoreOutcome, notices: readonly string[]): Record<string, unknown> {
  const warnings = unlessEmpty([...outcome.warnings, ...notices]);
  const resembles = 'resembles' in outcome ? unlessEmpty(outcome.resembles) : undefined;
  if (outcome.outcome === 'refused') {
    const message = explain(outcome);
    const hint = 'Update one of the memories listed, or store with on_duplicate: store.';
    const details = { id: outcome.resembles[0]?.id, similarity: outcome.resembles[0]?.similarity };
    return { message, outcome: 'refused', error: { code: 'duplicate', message, hint, details }, resembles, warnings };
  }
  const rest =
    outcome.outcome === 'stored'
      ? { supersedes: unlessEmpty(outcome.supersedes), chunks: unlessEmpty(outcome.chunks.map((chunk) => chunk.id)) }
      : {};
  return {
    message: explain(outcome),
    outcome: outcome.outcome,
    ...describeWritten(outcome.memory),
    searchable_by: outcome.searchableBy,
    resembles,
    ...rest,
    warnings,
  };
}

function explain(outcome: StoreOutcome): string {
  switch (outcome.outcome) {
    case 'refused':
      return 'Not stored: it repeats the memories listed, and on_duplicate is refuse.';
    case 'duplicate':
      return `Not stored again: memory ${outcome.memory.id} holds this text already. Use memory_update to change it.`;
    case 'merged':
    case 'appended':
      return `Memory ${outcome.memory.id} has taken the new text in (${outcome.outcome}).`;
    case 'updated':
      return `The key was in use: memory ${outcome.memory.id} has the new content now; the old one stays as a version.`;
    case 'stored':
      return explainStored(outcome.memory.id, outcome.chunks.length, outcome.resembles.length);
  }
}

function explainStored(id: string, chunks: number, resembles: number): string {
  const stored = chunks > 1 ? `Stored as ${chunks} memories, ${id} first.` : `Stored as ${id}.`;
  if (resembles === 0) return stored;
  return `${stored} It resembles the memories listed: if it replaces one, delete that one; if it says the same, delete this one. on_duplicate: supersede or merge does so at once.`;
}
