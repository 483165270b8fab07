import type { PageRequest } from '../../engine/ports.ts';
import type { ListFilter } from '../../model/filter.ts';
import type { Instant, SpaceId } from '../../model/ids.ts';
import type { Page } from '../../model/page.ts';
import type { StoredRecord } from '../../model/record.ts';
import { type Position, readCursor, writeCursor } from '../list-cursor.ts';
import { RECORD_COLUMNS, type RecordRow, toStoredRecord } from '../rows/record-row.ts';
import { type Connection, readSnapshot } from './connection.ts';
import { buildConditions, type Conditions } from './list-filter.ts';

export interface ListRequest {
  space: SpaceId;
  filter: ListFilter;
  page: PageRequest;
  now: Instant;
}

export function listRecords(connection: Connection, { space, filter, page, now }: ListRequest): Page<StoredRecord> {
  const conditions = buildConditions(space, filter, now);
  const start = page.cursor === undefined || page.cursor === null ? null : readCursor(page.cursor);
  const limit = Math.max(0, Math.trunc(page.limit));
  return readSnapshot(connection, () => {
    const rows = selectRows(connection, conditions, {
      start,
      limit: limit + 1,
      offset: start === null ? Math.max(0, page.offset ?? 0) : 0,
    });
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    const cursor =
      rows.length > limit && last !== undefined ? writeCursor({ createdAt: last.created_at, id: last.id }) : null;
    return { items: shown.map(toStoredRecord), total: count(connection, conditions), cursor };
  });
}

function selectRows(
  connection: Connection,
  { sql, values }: Conditions,
  range: { start: Position | null; limit: number; offset: number },
): RecordRow[] {
  const { start, limit, offset } = range;
  const place = start === null ? '' : 'AND (created_at, id) < (?, ?)';
  const placeValues = start === null ? [] : [start.createdAt, start.id];
  return connection
    .statement(
      `SELECT ${RECORD_COLUMNS} FROM records WHERE ${sql} ${place} ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`,
    )
    .all(...values, ...placeValues, limit, offset) as RecordRow[];
}

function count(connection: Connection, { sql, values }: Conditions): number {
  return Number(connection.statement(`SELECT count(*) AS total FROM records WHERE ${sql}`).get(...values)?.total);
}
