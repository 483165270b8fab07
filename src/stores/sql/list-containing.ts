import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ListedPage } from '../../engine/ports.ts';
import { refuseDamage } from '../../model/damage.ts';
import { foldCase } from '../../model/fold-case.ts';
import type { SpaceId } from '../../model/ids.ts';
import { comparePlaces, type Place, writePlace } from '../../model/list-place.ts';
import type { StoredRecord } from '../../model/record.ts';
import { buildConditions, type Conditions, type ListRequest, type Range } from './list-records.ts';
import { selectRecords } from './read-records.ts';
import {
  CHECKED_COLUMN_LIST,
  type CheckedRow,
  isAsWritten,
  type RecordRowWithSums,
  sumContent,
  toStoredRecord,
} from './record-row.ts';
import { type SqlDatabase, type Steps, select } from './statements.ts';

/** Contents looked at between two turns of the event loop: some milliseconds. */
const AT_ONCE = 200;
const MAX_NAMED = 500;

/**
 * For a database that holds up the whole program while it looks: newest first, piece by piece, and no further than somebody wants to know. Of a damaged
 * record nobody can say whether it holds the words: it is named.
 */
export async function listContaining(
  database: SqlDatabase,
  { space, filter, range, now, note = refuseDamage }: ListRequest & { filter: { contains: string } },
): Promise<ListedPage> {
  const conditions = buildConditions(space, filter, now);
  const wanted = foldCase(filter.contains);
  const found: StoredRecord[] = [];
  let total = 0;
  let lookedThrough = 0;
  let before: Place | null = null;
  let skip = range.offset;
  const isNamed = filter.ids !== undefined && filter.ids.length <= MAX_NAMED;
  const quick = isNamed
    ? await database.read({ space }, () => lookQuickly(conditions, { space, wanted, range }))
    : null;
  if (quick !== null) return quick;
  for (let after = range.total ? null : range.start; ; await nextTurn()) {
    const from = after;
    const rows = await database.read({ space }, () => (isNamed ? readNamed(conditions) : readNext(conditions, from)));
    for (const row of rows) {
      if (!isAsWritten(row)) {
        note({ what: 'record', id: row.id });
        lookedThrough++;
        continue;
      }
      const place = { createdAt: row.created_at, id: row.id };
      // One that comes twice, in place of another, must not make up for it.
      if (before !== null && comparePlaces(before, place) >= 0) continue;
      before = place;
      lookedThrough++;
      if (!foldCase(row.content).includes(wanted)) continue;
      const record = toStoredRecord(row);
      total++;
      if (range.start !== null && comparePlaces(range.start, record) >= 0) continue;
      if (skip > 0) skip--;
      else if (found.length <= range.limit) found.push(record);
    }
    const last = rows.at(-1);
    if (last === undefined || isNamed || rows.length < AT_ONCE || (!range.total && found.length > range.limit)) break;
    after = { createdAt: last.created_at, id: last.id };
  }
  const items = found.slice(0, range.limit);
  const end = items.at(-1);
  return {
    items,
    total: range.total ? total : 0,
    cursor:
      found.length > range.limit && end !== undefined ? writePlace({ createdAt: end.createdAt, id: end.id }) : null,
    after: range.start,
    ...(range.total && { lookedThrough }),
  };
}

type ContentRow = Pick<RecordRowWithSums, 'id' | 'created_at' | 'content' | 'content_sum'>;

/** At the contents alone, which have a sum of their own; whole rows are read of what is shown. Null where one is not as it was written, has no sum, or comes twice. */
function* lookQuickly(
  { sql, values }: Conditions,
  { space, wanted, range }: { space: SpaceId; wanted: string; range: Range },
): Steps<ListedPage | null> {
  const rows = yield* select<ContentRow>(
    `SELECT id, created_at, content, content_sum FROM records WHERE ${sql}`,
    ...values,
  );
  if (new Set(rows.map(({ id }) => id)).size < rows.length) return null;
  if (rows.some((row) => row.content_sum !== sumContent(row))) return null;
  const holding = rows
    .filter(({ content }) => foldCase(content).includes(wanted))
    .map(({ id, created_at }): Place => ({ createdAt: created_at, id }))
    .sort(comparePlaces);
  const { start, offset, limit, total } = range;
  const following = start === null ? holding : holding.filter((place) => comparePlaces(start, place) < 0);
  const shown = following.slice(offset, offset + limit);
  const last = shown.at(-1);
  const ids = shown.map(({ id }) => id);
  const asked = selectRecords(space, ids);
  const whole = new Map((yield* select<CheckedRow>(asked.sql, ...asked.values)).map((row) => [row.id, row]));
  const items = ids.flatMap((id) => {
    const row = whole.get(id);
    return row !== undefined && isAsWritten(row) ? [toStoredRecord(row)] : [];
  });
  if (items.length < ids.length) return null;
  const hasMore = last !== undefined && following.length > offset + limit;
  return {
    items,
    total: total ? holding.length : 0,
    cursor: hasMore ? writePlace(last) : null,
    after: start,
    ...(total && { lookedThrough: rows.length }),
  };
}

/** All of them at once, put in order here: the database would carry whole rows about for it. */
function* readNamed({ sql, values }: Conditions): Steps<readonly CheckedRow[]> {
  const rows = yield* select<CheckedRow>(`SELECT ${CHECKED_COLUMN_LIST} FROM records WHERE ${sql}`, ...values);
  return rows.toSorted((a, b) => b.created_at - a.created_at || (a.id < b.id ? 1 : -1));
}

function readNext({ sql, values }: Conditions, after: Place | null): Steps<readonly CheckedRow[]> {
  const next = values.length + 1;
  const place = after === null ? '' : `AND (created_at, id) < ($${next}, $${next + 1})`;
  return select<CheckedRow>(
    `SELECT ${CHECKED_COLUMN_LIST} FROM records WHERE ${sql} ${place} ORDER BY created_at DESC, id DESC LIMIT ${AT_ONCE}`,
    ...values,
    ...(after === null ? [] : [after.createdAt, after.id]),
  );
}
