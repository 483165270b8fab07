import type { PageRequest } from '../../engine/ports.ts';
import type { ListFilter } from '../../model/filter.ts';
import type { Instant, SpaceId } from '../../model/ids.ts';
import type { Page } from '../../model/page.ts';
import type { StoredRecord } from '../../model/record.ts';
import { RECORD_COLUMN_LIST, type RecordRow } from '../rows/record-columns.ts';
import { toStoredRecord } from '../rows/record-row.ts';
import { type Position, readCursor, writeCursor } from './list-cursor.ts';
import { buildConditions, type Conditions } from './list-filter.ts';
import { getRecords } from './read-records.ts';
import { type Steps, selectAll } from './statements.ts';

export interface ListRequest {
  space: SpaceId;
  filter: ListFilter;
  range: Range;
  now: Instant;
}

export interface Range {
  start: Position | null;
  limit: number;
  offset: number;
}

/** How a database looks for words in contents, case folded by JavaScript's rules: a condition of its own, or a search apart from the listing. */
export type ContentSearch =
  | { condition(place: string): string; value(contains: string): string }
  | { find(conditions: Conditions, asked: { contains: string; range: Range }): Steps<FoundPlaces> };

export interface FoundPlaces {
  /** One more than asked for, where there are more. */
  places: Position[];
  total: number;
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

export function* listRecords(
  { space, filter, range, now }: ListRequest,
  search: ContentSearch,
): Steps<Page<StoredRecord>> {
  const conditions = buildConditions(space, filter, now);
  const { contains } = filter;
  if (contains === undefined || contains === '') return yield* listPlainly(conditions, range);
  if ('condition' in search) {
    const { sql, values } = conditions;
    const holds = search.condition(`$${values.length + 1}`);
    return yield* listPlainly({ sql: `${sql} AND ${holds}`, values: [...values, search.value(contains)] }, range);
  }
  const { places, total } = yield* search.find(conditions, { contains, range });
  const shown = places.slice(0, range.limit);
  const ids = shown.map(({ id }) => id);
  return {
    items: yield* getRecords(space, ids),
    total,
    cursor: cursorAfter(shown.at(-1), places.length > range.limit),
  };
}

/** One row more than asked for is read, to know whether there are more. */
function* listPlainly({ sql, values }: Conditions, { start, limit, offset }: Range): Steps<Page<StoredRecord>> {
  const next = values.length + 1;
  const place = start === null ? '' : `AND (created_at, id) < ($${next + 2}, $${next + 3})`;
  const placeValues = start === null ? [] : [start.createdAt, start.id];
  const [rows, [counted]] = yield* selectAll<[RecordRow, { total: number }]>(
    {
      sql: `SELECT ${RECORD_COLUMN_LIST} FROM records WHERE ${sql} ${place} ORDER BY created_at DESC, id DESC LIMIT $${next} OFFSET $${next + 1}`,
      values: [...values, limit + 1, offset, ...placeValues],
    },
    { sql: `SELECT count(*) AS total FROM records WHERE ${sql}`, values },
  );
  const shown = rows.slice(0, limit).map(toStoredRecord);
  return { items: shown, total: counted?.total ?? 0, cursor: cursorAfter(shown.at(-1), rows.length > limit) };
}

function cursorAfter(last: Position | undefined, hasMore: boolean): string | null {
  return hasMore && last !== undefined ? writeCursor(last) : null;
}
