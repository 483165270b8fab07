import * as z from 'zod';
import type { DeleteMemoriesInput, DeleteOutcome } from '../../engine/engine.ts';
import { EngineError } from '../../model/errors.ts';
import { previewMemory, unlessEmpty } from '../describe-memory.ts';
import { filterArguments, noticesOfStore, readFilter, unlistedFilterArguments } from '../filter-arguments.ts';
import { contentHashArgument, idArgument, idsArgument, readRefs } from '../memory-refs.ts';
import { defineTool } from '../tool.ts';

const listed = {
  id: idArgument,
  ids: idsArgument,
  ...filterArguments,
  dry_run: z.boolean().optional().describe('Only show what would go'),
};

const unlisted = {
  ...unlistedFilterArguments,
  content_hash: contentHashArgument,
  revision: z.number().int().positive().optional(),
};

type Arguments = z.output<z.ZodObject<typeof listed & typeof unlisted>>;

export const memoryDelete = defineTool({
  name: 'memory_delete',
  title: 'Delete memories',
  description: 'Delete by id, or everything that passes the filters. memory_restore undoes it.',
  action: 'write',
  destructive: true,
  idempotent: true,
  listed,
  unlisted,
  output: { message: z.string(), outcome: z.string(), count: z.number() },
  run: async ({ engine, caller, now }, args) => {
    const refs = readRefs(args);
    const outcome = await engine.deleteMemories(caller, refs.length > 0 ? readNamed(args, refs) : readFiltered(args));
    const notices = [...noticesOfStore(args.store), ...(refs.length > 0 ? noticesOfFilters(args) : [])];
    return {
      structured: {
        message: summarise(outcome),
        outcome: outcome.outcome,
        count: outcome.count,
        memories: outcome.memories.map((memory) => previewMemory(memory, now)),
        missing: unlessEmpty(outcome.missing),
        notices: unlessEmpty(notices),
      },
    };
  },
});

function readNamed(args: Arguments, refs: string[]): DeleteMemoriesInput {
  return {
    refs,
    ...(args.project && { project: args.project }),
    ...(args.dry_run !== undefined && { dryRun: args.dry_run }),
    ...(args.revision !== undefined && { revision: args.revision }),
  };
}

function readFiltered(args: Arguments): DeleteMemoriesInput {
  const filter = readFilter(args);
  const { tagMatch: _, includeSuperseded: __, ...narrowing } = filter;
  if (Object.keys(narrowing).length === 0 && !args.after && !args.before) {
    throw new EngineError('invalid_input', 'Nothing says what to delete.', {
      hint: 'Give id, ids, tags, type, project, agent, after or before.',
      details: { field: 'id' },
    });
  }
  return {
    filter,
    ...(args.after && { after: args.after }),
    ...(args.before && { before: args.before }),
    ...(args.dry_run !== undefined && { dryRun: args.dry_run }),
  };
}

/** Ids win over filters, as in mcp-memory-service; the caller is told. */
function noticesOfFilters(args: Arguments): string[] {
  const unused = (['tags', 'type', 'agent', 'after', 'before'] as const).filter(
    (name) => args[name] !== undefined && args[name].length > 0,
  );
  return unused.length === 0 ? [] : [`Memories were named by id, so these were not used: ${unused.join(', ')}.`];
}

function summarise({ outcome, count, missing, memories }: DeleteOutcome): string {
  const notThere = missing.length === 0 ? '' : ` ${missing.length} not there.`;
  const shown = count > memories.length ? ` The first ${memories.length} are shown.` : '';
  if (outcome === 'would_delete') return `Would delete ${count}; nothing was changed.${shown}${notThere}`;
  return count === 0
    ? `Nothing was deleted.${notThere}`
    : `Deleted ${count}; memory_restore undoes it.${shown}${notThere}`;
}
