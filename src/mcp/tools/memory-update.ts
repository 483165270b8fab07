import * as z from 'zod';
import { type JsonObject, jsonObjectSchema } from '../../model/json.ts';
import { type UpdateMemoryInput, type UpdateOutcome, updateMemorySchema } from '../../model/memory.ts';
import { describeWritten, unlessEmpty } from '../describe-memory.ts';
import { contentHashArgument, idArgument, requireRef } from '../memory-refs.ts';
import { readTime } from '../read-time.ts';
import { readUpdates } from '../read-updates.ts';
import { defineTool, type ToolContext } from '../tool.ts';

const label = z.string().trim().max(200).optional();
const { content, quality, versioned, reason, revision, preserveTimestamps } = updateMemorySchema.shape;

const listed = {
  id: idArgument,
  content,
  type: label,
  tags: z.array(z.string()).max(1000).optional().describe('Replaces all'),
  metadata: jsonObjectSchema.optional().describe('Merged; null removes a key'),
  project: label,
  versioned: versioned.describe('Keep the old one as superseded'),
  reason,
};

const unlisted = {
  content_hash: contentHashArgument,
  memory_type: label,
  quality,
  valid_from: z.string().max(200).optional(),
  valid_until: z.string().max(200).optional(),
  revision,
  preserve_timestamps: preserveTimestamps,
  updates: jsonObjectSchema.optional(),
  created_at: z.string().max(200).optional(),
};

type Arguments = z.output<z.ZodObject<typeof listed & typeof unlisted>>;

export const memoryUpdate = defineTool({
  name: 'memory_update',
  title: 'Update memory',
  description: 'Change a memory; earlier states are kept.',
  action: 'write',
  destructive: true,
  idempotent: true,
  listed,
  unlisted,
  output: {
    message: z.string(),
    outcome: z.string(),
    id: z.string(),
    content_hash: z.string(),
    changed: z.array(z.string()),
  },
  run: async (context, args) => {
    const { merged, warnings } = readUpdates(args.updates);
    const outcome = await context.engine.updateMemory(context.caller, await readInput(context, { ...args, ...merged }));
    return {
      structured: {
        message: summarise(outcome),
        outcome: outcome.outcome,
        changed: outcome.changed,
        previous: outcome.previous ?? undefined,
        ...describeWritten(outcome.memory),
        warnings: unlessEmpty([...outcome.warnings, ...warnings]),
      },
    };
  },
});

/** Empty text clears a project or an end of validity; null means "not given". */
async function readInput(context: ToolContext, args: Arguments): Promise<UpdateMemoryInput> {
  const input: UpdateMemoryInput = { ref: requireRef(args) };
  if (args.content !== undefined) input.content = args.content;
  const type = args.type || args.memory_type;
  if (type) input.type = type;
  if (args.tags !== undefined) input.tags = args.tags;
  if (args.metadata !== undefined) input.metadata = args.metadata satisfies JsonObject;
  if (args.project !== undefined) input.project = args.project === '' ? null : args.project;
  if (args.quality !== undefined) input.quality = args.quality;
  if (args.versioned !== undefined) input.versioned = args.versioned;
  if (args.reason) input.reason = args.reason;
  if (args.revision !== undefined) input.revision = args.revision;
  if (args.preserve_timestamps !== undefined) input.preserveTimestamps = args.preserve_timestamps;
  if (args.valid_from !== undefined) input.validFrom = (await readTime(args.valid_from, 'start', context)) ?? null;
  if (args.valid_until !== undefined) input.validUntil = (await readTime(args.valid_until, 'end', context)) ?? null;
  const createdAt = await readTime(args.created_at, 'start', context);
  if (createdAt !== undefined) input.createdAt = createdAt;
  return input;
}

function summarise({ outcome, memory, changed, previous }: UpdateOutcome): string {
  if (outcome === 'unchanged') return `Memory ${memory.id} was like that already.`;
  if (outcome === 'versioned') return `Memory ${memory.id} takes over; ${previous} stays readable as superseded.`;
  return `Memory ${memory.id} updated: ${changed.join(', ')}.`;
}
