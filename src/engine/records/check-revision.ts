import { EngineError } from '../../model/errors.ts';
import type { StoredRecord } from '../../model/record.ts';

/** Throws a conflict when the record is no longer at the revision that the caller has read. */
export function checkRevision({ id, kind, revision: actual }: StoredRecord, expected: number | undefined): void {
  if (expected === undefined || actual === expected) return;
  throw new EngineError('conflict', `The ${kind} is at revision ${actual} by now.`, {
    hint: 'Read it again and decide anew.',
    details: { id, expected, actual },
  });
}
