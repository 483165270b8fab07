import { EngineError } from './errors.ts';
import { type Instant, isRecordId, type RecordId } from './ids.ts';
import { readOpaque, writeOpaque } from './opaque.ts';

/** Where a page of a listing ends (newest first, then by id, both descending): names a place in the order, so that records that come or go do not shift what follows. */
export interface Place {
  createdAt: Instant;
  id: RecordId;
}

export function writePlace({ createdAt, id }: Place): string {
  return writeOpaque([createdAt, id]);
}

/** Throws invalid_cursor. */
export function readPlace(cursor: string): Place {
  const read = readOpaque(cursor);
  const [createdAt, id, ...rest]: unknown[] = Array.isArray(read) ? read : [];
  if (typeof createdAt !== 'number' || typeof id !== 'string' || !isRecordId(id) || rest.length > 0) {
    throw new EngineError('invalid_cursor', 'This cursor is not valid for a list.', {
      hint: 'Start again without a cursor.',
    });
  }
  return { createdAt, id };
}

/** Below 0: `a` comes first. */
export function comparePlaces(a: Place, b: Place): number {
  return b.createdAt - a.createdAt || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
}
