import { defineTool, type ToolContext } from '../../mcp/tool.ts';
import { EngineError } from '../../model/errors.ts';
import { label } from '../../verbs/field.ts';
import { DEFAULT_REPO, findInRepo, jsonAnswer } from './repo-memory.ts';

interface Arguments {
  id?: string;
  key?: string;
  repo_id?: string;
  content_hash?: string;
}

export const deleteMemory = defineTool<Arguments>({
  name: 'delete_memory',
  title: 'Delete a memory of a repository',
  text: 'Delete one memory by id, or by key and repository.',
  action: 'write',
  destructive: true,
  idempotent: true,
  listed: { id: label(), key: label(), repo_id: label(`Of the key; ${DEFAULT_REPO} where not given`) },
  // what mcp-memory-service takes under the same name
  unlisted: { content_hash: label() },
  output: { deleted: { type: 'number' } },
  async run(context, args) {
    const refs = await findRefs(context, args);
    if (refs.length === 0) return jsonAnswer({ deleted: 0 });
    const { count } = await context.engine.deleteMemories(context.caller, { refs });
    return jsonAnswer({ deleted: count });
  },
});

async function findRefs(context: ToolContext, { id, key, repo_id, content_hash }: Arguments): Promise<string[]> {
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
