import { EngineError } from '../../model/errors.ts';
import { type Instant, isRecordId, type RecordId } from '../../model/ids.ts';
import { readOpaque, writeOpaque } from '../../model/opaque.ts';

/** Where a page ended: names a place in the order, so that records that come or go do not shift what follows. */
export interface Position {
  createdAt: Instant;
  id: RecordId;
}

export function writeCursor({ createdAt, id }: Position): string {
  return writeOpaque([createdAt, id]);
}

export function readCursor(cursor: string): Position {
  const read = readOpaque(cursor);
  const [createdAt, id, ...rest]: unknown[] = Array.isArray(read) ? read : [];
  if (typeof createdAt !== 'number' || typeof id !== 'string' || !isRecordId(id) || rest.length > 0) {
    throw new EngineError('invalid_cursor', 'This cursor does not come from a listing.', {
      hint: 'Start again without a cursor.',
    });
  }
  return { createdAt, id };
}
