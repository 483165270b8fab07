import { EngineError } from '../../../model/errors.ts';
import { type Field, type Fields, label } from '../../../verbs/field.ts';

export const projectOfKey = label('If a key is given: the project it belongs to.');
export const refList: Field = {
  type: 'refs',
  isRequired: true,
  min: 1,
  max: 100,
  about: 'Ids, content hashes or keys.',
};

/** How tools name memories: one, several, by hash or by key. */
export const NAMED: Fields = {
  id: label('Id, content hash or key'),
  ids: { type: 'refs', max: 100 },
  content_hash: label(),
};

/** Absent, foreign and purged memories look the same. */
export function theOne<T>([found]: readonly T[]): T {
  if (found !== undefined) return found;
  throw new EngineError('not_found', 'There is no such memory.', {
    hint: 'Deleted memories are listed by GET /api/v1/memories?deleted=only.',
  });
}

type Arguments = Readonly<Record<string, unknown>>;

/** The arguments of a tool with everything that names a memory gathered in `ids`. */
export function gatherRefs(args: Arguments): { ids: string[]; rest: Record<string, unknown> } {
  const { id, ids, content_hash, key, ...rest } = args;
  const given = [content_hash, id, key, ...(Array.isArray(ids) ? ids : [])];
  return { ids: [...new Set(given.filter((name) => typeof name === 'string' && name !== ''))] as string[], rest };
}

export function requireRefs(args: Arguments): ReturnType<typeof gatherRefs> {
  const found = gatherRefs(args);
  if (found.ids.length > 0) return found;
  throw new EngineError('invalid_input', 'id is required.', {
    hint: 'Give id or ids: ids, content hashes or keys of memories.',
    details: { field: 'id' },
  });
}

/** For verbs that act on exactly one memory. */
export function requireRef(args: Arguments): Record<string, unknown> {
  const { ids, rest } = requireRefs(args);
  if (ids.length === 1) return { ref: ids[0], ...rest };
  throw new EngineError('invalid_input', `id must name one memory, not ${ids.length}.`, {
    details: { field: 'id', limit: 1, value: ids.length },
  });
}
