import { z } from 'zod';
import { EngineError } from '../model/errors.ts';
import { memoryRefSchema } from '../model/memory.ts';
import { labelField } from './filter-fields.ts';

export const memoryParams = z.strictObject({ ref: memoryRefSchema.describe('An id, a content hash or a key.') });

export const projectField = labelField.optional().describe('Where ref is a key: the project it belongs to.');

/** Absent, foreign and purged memories look the same. */
export function noSuchMemory(): EngineError {
  return new EngineError('not_found', 'There is no such memory.', {
    hint: 'Deleted memories are listed by GET /api/v1/memories?deleted=only.',
  });
}
