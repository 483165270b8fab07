import * as z from 'zod';
import { EngineError } from '../model/errors.ts';
import { memoryRefSchema } from '../model/memory.ts';

/** The ways to name memories that tools share. */
export const idArgument = memoryRefSchema.optional().describe('Id, content hash or key');
export const idsArgument = z.array(memoryRefSchema).max(100).optional();
export const contentHashArgument = memoryRefSchema.optional();

export interface RefArguments {
  id?: string | undefined;
  ids?: readonly string[] | undefined;
  content_hash?: string | undefined;
  key?: string | undefined;
}

export function readRefs(args: RefArguments): string[] {
  const given = [args.content_hash, args.id, args.key, ...(args.ids ?? [])];
  return [...new Set(given.filter((ref) => ref !== undefined))];
}

export function requireRefs(args: RefArguments): string[] {
  const refs = readRefs(args);
  if (refs.length > 0) return refs;
  throw new EngineError('invalid_input', 'id is required.', {
    hint: 'Give id or ids: ids, content hashes or keys of memories.',
    details: { field: 'id' },
  });
}

/** For verbs that act on exactly one memory. */
export function requireRef(args: RefArguments): string {
  const refs = requireRefs(args);
  if (refs.length === 1) return refs[0]!;
  throw new EngineError('invalid_input', `id must name one memory, not ${refs.length}.`, {
    details: { field: 'id', limit: 1, value: refs.length },
  });
}
