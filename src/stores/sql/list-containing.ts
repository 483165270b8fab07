import { setImmediate as nextTurn } from 'node:timers/promises';
import { comparePlaces, type Place, writePlace } from '../../model/list-place.ts';
import type { Page } from '../../model/page.ts';
import type { StoredRecord } from '../../model/record.ts';
import { buildConditions, type Conditions, type ContentCondition, type ListRequest } from './list-records.ts';
import { getRecords } from './read-records.ts';
import { type SqlDatabase, type Steps, select } from './statements.ts';

/** Contents looked at between two turns of the event loop: some milliseconds. */
const AT_ONCE = 500;

/** For a database that holds up the whole program while it looks: newest first, piece by piece, and no further than somebody wants to know. */
export async function listContaining(
  database: SqlDatabase,
  { space, filter, range, now, note }: ListRequest & { filter: { contains: string } },
  search: ContentCondition,
): Promise<Page<StoredRecord>> {
  const conditions = buildConditions(space, filter, now);
  const wanted = search.value(filter.contains);
  const places: Place[] = [];
  let total = 0;
  let skip = range.offset;
  for (let after = range.total ? null : range.start; ; await nextTurn()) {
    const from = after;
    const rows = await database.read({ space }, () => lookAtNext(conditions, { search, wanted, after: from }));
    for (const { id, created_at: createdAt, holds } of rows) {
      if (holds !== 1) continue;
      total++;
      if (range.start !== null && comparePlaces(range.start, { createdAt, id }) >= 0) continue;
      if (skip > 0) skip--;
      else if (places.length <= range.limit) places.push({ createdAt, id });
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < AT_ONCE || (!range.total && places.length > range.limit)) break;
    after = { createdAt: last.created_at, id: last.id };
  }
  const shown = places.slice(0, range.limit);
  const ids = shown.map(({ id }) => id);
  const end = shown.at(-1);
  return {
    items: await database.read({ space }, () => getRecords(space, ids, note)),
    total: range.total ? total : 0,
    cursor: places.length > range.limit && end !== undefined ? writePlace(end) : null,
  };
}

type Look = { id: string; created_at: number; holds: number };

function lookAtNext(
  { sql, values }: Conditions,
  { search, wanted, after }: { search: ContentCondition; wanted: string; after: Place | null },
): Steps<readonly Look[]> {
  const next = values.length + 1;
  const place = after === null ? '' : `AND (created_at, id) < ($${next + 1}, $${next + 2})`;
  return select<Look>(
    `SELECT id, created_at, ${search.condition(`$${next}`)} AS holds FROM records
     WHERE ${sql} ${place} ORDER BY created_at DESC, id DESC LIMIT ${AT_ONCE}`,
    ...[...values, wanted, ...(after === null ? [] : [after.createdAt, after.id])],
  );
}
