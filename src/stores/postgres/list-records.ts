import type { PageRequest } from '../../engine/ports.ts';
import type { ListFilter } from '../../model/filter.ts';
import type { Instant, SpaceId } from '../../model/ids.ts';
import type { Page } from '../../model/page.ts';
import type { StoredRecord } from '../../model/record.ts';
import { type Position, readCursor, writeCursor } from '../list-cursor.ts';
import { RECORD_COLUMNS, type RecordRow, toStoredRecord } from '../rows/record-row.ts';
import type { Session } from './database.ts';
import { findContaining } from './find-containing.ts';
import { buildConditions, type Conditions } from './list-filter.ts';
import { getRecords } from './read-records.ts';

export interface ListRequest {
  space: SpaceId;
  filter: ListFilter;
  page: PageRequest;
  now: Instant;
}

export interface Range {
  start: Position | null;
  limit: number;
  offset: number;
}

/** Throws invalid_cursor; outside the transaction, so that a bad cursor costs none. */
export function readRange(page: PageRequest): Range {
  const start = page.cursor === undefined || page.cursor === null ? null : readCursor(page.cursor);
  return {
    start,
    limit: Math.max(0, Math.trunc(page.limit)),
    offset: start === null ? Math.max(0, page.offset ?? 0) : 0,
  };
}

export async function listRecords(
  session: Session,
  { space, filter, now }: ListRequest,
  range: Range,
): Promise<Page<StoredRecord>> {
  const conditions = buildConditions(space, filter, now);
  const { contains } = filter;
  if (contains === undefined || contains === '') return listPlainly(session, conditions, range);
  const { places, total } = await findContaining(session, conditions, { contains, range });
  const shown = places.slice(0, range.limit);
  const items = await getRecords(
    session,
    space,
    shown.map(({ id }) => id),
  );
  return { items, total, cursor: cursorAfter(shown.at(-1), places.length > range.limit) };
}

async function listPlainly(session: Session, conditions: Conditions, range: Range): Promise<Page<StoredRecord>> {
  const [rows, total] = await Promise.all([selectRows(session, conditions, range), count(session, conditions)]);
  const shown = rows.slice(0, range.limit);
  const last = shown.at(-1);
  const place = last === undefined ? undefined : { createdAt: last.created_at, id: last.id };
  return { items: shown.map(toStoredRecord), total, cursor: cursorAfter(place, rows.length > range.limit) };
}

function cursorAfter(last: Position | undefined, hasMore: boolean): string | null {
  return hasMore && last !== undefined ? writeCursor(last) : null;
}

/** One row more than asked for, to know whether there are more. */
async function selectRows(
  session: Session,
  { sql, values }: Conditions,
  { start, limit, offset }: Range,
): Promise<RecordRow[]> {
  const next = values.length + 1;
  const place = start === null ? '' : `AND (created_at, id) < ($${next + 2}, $${next + 3})`;
  const placeValues = start === null ? [] : [start.createdAt, start.id];
  const { rows } = await session.query<RecordRow>(
    `SELECT ${RECORD_COLUMNS} FROM records WHERE ${sql} ${place} ORDER BY created_at DESC, id DESC LIMIT $${next} OFFSET $${next + 1}`,
    [...values, limit + 1, offset, ...placeValues],
  );
  return rows;
}

async function count(session: Session, { sql, values }: Conditions): Promise<number> {
  const { rows } = await session.query<{ total: number }>(`SELECT count(*) AS total FROM records WHERE ${sql}`, values);
  return rows[0]?.total ?? 0;
}
