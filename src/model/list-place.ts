import { EngineError } from './errors.ts';
import { type Instant, isRecordId, type RecordId } from './ids.ts';

/** Where a page of a listing ends (newest first, then by id, both descending): names a place in the order, so that records that come or go do not shift what follows. */
export interface Place {
  createdAt: Instant;
  id: RecordId;
}

export function writePlace({ createdAt, id }: Place): string {
  return `${createdAt}.${id}`;
}

const PLACE = /^(-?\d{1,16})\.(.+)$/;

/** Throws invalid_cursor. */
export function readPlace(cursor: string): Place {
  const [, createdAt, id = ''] = PLACE.exec(cursor) ?? [];
  if (!isRecordId(id)) {
    throw new EngineError('invalid_cursor', 'This cursor is not valid for a list.', {
      hint: 'Start again without a cursor.',
    });
  }
  return { createdAt: Number(createdAt), id };
}

/** Below 0: `a` comes first. */
export function comparePlaces(a: Place, b: Place): number {
  return b.createdAt - a.createdAt || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
}
