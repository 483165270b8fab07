import * as z from 'zod';
import { EngineError } from '../../../model/errors.ts';
import { defineTool, type ToolContext } from '../../tool.ts';
import { DEFAULT_REPO, findInRepo, jsonAnswer, labelArgument } from './repo-memory.ts';

const listed = {
  id: labelArgument,
  key: labelArgument,
  repo_id: labelArgument.describe(`Of the key; ${DEFAULT_REPO} where not given`),
};

/** What mcp-memory-service takes under the same name. */
const unlisted = { content_hash: labelArgument };

type Arguments = z.output<z.ZodObject<typeof listed & typeof unlisted>>;

export const deleteMemory = defineTool({
  name: 'delete_memory',
  title: 'Delete a memory of a repository',
  description: 'Delete one memory by id, or by key and repository.',
  action: 'write',
  destructive: true,
  idempotent: true,
  listed,
  unlisted,
  output: { deleted: z.number() },
  run: async (context, args) => {
    const refs = await findRefs(context, args);
    if (refs.length === 0) return jsonAnswer({ deleted: 0 });
    const { count } = await context.engine.deleteMemories(context.caller, { refs });
    return jsonAnswer({ deleted: count });
  },
});

async function findRefs(context: ToolContext, args: Arguments): Promise<string[]> {
  const ref = args.id || args.content_hash;
  if (ref) return (await findInRepo(context, ref, args.repo_id)).map(({ id }) => id);
  if (!args.key) {
    throw new EngineError('invalid_input', 'Nothing says what to delete.', {
      hint: 'Give id, or key and repo_id.',
      details: { field: 'id' },
    });
  }
  const filter = { key: args.key, project: args.repo_id || DEFAULT_REPO, kinds: ['memory' as const] };
  const { items } = await context.engine.listMemories(context.caller, { filter, page: { limit: 1 } });
  return items.map(({ id }) => id);
}
