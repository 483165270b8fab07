import { EngineError } from '../../model/errors.ts';
import { type Instant, isRecordId, type RecordId } from '../../model/ids.ts';

/** Where a page ended: names a place in the order, so that records that come or go do not shift what follows. */
export interface Position {
  createdAt: Instant;
  id: RecordId;
}

export function writeCursor({ createdAt, id }: Position): string {
  return Buffer.from(`${createdAt} ${id}`).toString('base64url');
}

export function readCursor(cursor: string): Position {
  const [time, id, ...rest] = Buffer.from(cursor, 'base64url').toString().split(' ');
  const createdAt = Number(time);
  if (id === undefined || !isRecordId(id) || !Number.isSafeInteger(createdAt) || time === '' || rest.length > 0) {
    throw new EngineError('invalid_cursor', 'This cursor does not come from a listing.', {
      hint: 'Start again without a cursor.',
    });
  }
  return { createdAt, id };
}
