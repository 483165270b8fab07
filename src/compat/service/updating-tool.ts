import { updateMemory } from '../../features/memories/verbs/update-memory.ts';
import { EngineError } from '../../model/errors.ts';
import type { JsonObject } from '../../model/json.ts';
import { flag, label } from '../../verbs/field.ts';
import { readInput } from '../../verbs/read-input.ts';
import { defineServiceTool, linesAnswer, type ToolContext } from './define-service-tool.ts';
import { inOurNames } from './service-arguments.ts';
import { readUpdates } from './writing-arguments.ts';

interface UpdateArguments {
  content_hash: string;
  updates: JsonObject;
  preserve_timestamps?: boolean;
  versioned?: boolean;
}

export const memoryUpdate = defineServiceTool<UpdateArguments>({
  name: 'memory_update',
  title: 'Update Memory Metadata',
  text: 'Replace tags or type and merge metadata. With versioned, updates.content becomes a new memory and the old one is hidden.',
  action: 'write',
  destructive: true,
  idempotent: true,
  listed: {
    content_hash: label(undefined, { isRequired: true }),
    updates: {
      type: 'json',
      isRequired: true,
      about: 'tags, memory_type, metadata, content, reason; other keys go to metadata',
    },
    preserve_timestamps: flag(),
    versioned: flag(),
  },
  defaults: { preserve_timestamps: true, versioned: false },
  output: { message: 'string', content_hash: 'string' },
  async run(context, { content_hash: hash, updates, preserve_timestamps: preserves, versioned = false }) {
    const done = await updateInService(context, { hash, updates, preserves, versioned });
    const { memory, changed, warnings } = done;
    const facts = { content_hash: memory.contentHash, updated_fields: changed, notices: warnings };
    if (done.outcome === 'versioned')
      return linesAnswer(
        [`Successfully created new version. New hash: ${memory.contentHash}`, `Parent hash: ${done.parentHash}`],
        { ...facts, parent_hash: done.parentHash },
      );
    const fields =
      changed.length === 0 ? 'none' : changed.map((name) => (name === 'type' ? 'memory_type' : name)).join(', ');
    return linesAnswer([`Successfully updated memory metadata. Updated fields: ${fields}`], facts);
  },
});

interface UpdateWanted {
  hash: string;
  updates: JsonObject;
  preserves?: boolean | undefined;
  versioned?: boolean;
}

/** Throws where there is no such memory, and where a version has no text. */
export async function updateInService(context: ToolContext, { hash, updates, preserves, versioned }: UpdateWanted) {
  const { engine, caller } = context;
  const { memories } = await engine.getMemories(caller, { refs: [hash] });
  if (memories[0] === undefined)
    throw new EngineError('not_found', `Memory with hash ${hash.slice(0, 100)} not found.`);
  if (versioned === true && updates.content === undefined)
    throw new EngineError('invalid_input', 'updates.content is required for a versioned update.', {
      details: { field: 'updates' },
    });
  // the service changes a text in no other way than by a new version
  const { content, ...others } = updates;
  const { changes, warnings } = readUpdates(versioned === true ? updates : others, updateMemory.input);
  const skipped =
    versioned === true || content === undefined ? [] : ['content was not changed: set versioned to replace the text.'];
  const input = readInput(updateMemory.input, inOurNames({ ref: memories[0].id, ...changes }));
  const out = await updateMemory.run(context, {
    ...(input as { ref: string }),
    ...(versioned === true && { versioned }),
    ...(preserves !== undefined && { preserveTimestamps: preserves }),
  });
  return { ...out, warnings: [...warnings, ...skipped, ...out.warnings], parentHash: memories[0].contentHash };
}
