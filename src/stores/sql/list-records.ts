import type { ListedPage, PageRequest } from '../../engine/ports.ts';
import { type NoteDamage, refuseDamage } from '../../model/damage.ts';
import type { ListFilter } from '../../model/filter.ts';
import type { Instant, RecordId, SpaceId } from '../../model/ids.ts';
import { type Place, readPlace, writePlace } from '../../model/list-place.ts';
import { type StoredRecord, TRUST_TIERS } from '../../model/record.ts';
import { countAll, planTotal } from './list-total.ts';
import { getRecords } from './read-records.ts';
import { CHECKED_COLUMN_LIST, type CheckedRow, toSoundRecord } from './record-row.ts';
import { exists, find, type SqlValue, type Statement, type Steps, selectAll } from './statements.ts';

export interface ListRequest {
  space: SpaceId;
  filter: ListFilter;
  range: Range;
  now: Instant;
  note?: NoteDamage;
}

export interface Range {
  start: Place | null;
  limit: number;
  offset: number;
  /** False: nobody asks how many there are. */
  total: boolean;
}

/** How a database looks for words in contents, case folded by JavaScript's rules: a condition of its own, or a search apart from the listing. */
export type ContentSearch =
  | ContentCondition
  | { find(conditions: Conditions, asked: { contains: string; range: Range }): Steps<FoundPlaces> };

export interface ContentCondition {
  condition(place: string): string;
  value(contains: string): string;
}

export interface FoundPlaces {
  /** One more than asked for, where there are more. */
  places: Place[];
  total: number;
}

/** Throws invalid_cursor; outside the transaction, so that a bad cursor costs none. */
export function readRange(page: PageRequest): Range {
  const start = page.cursor === undefined || page.cursor === null ? null : readPlace(page.cursor);
  return {
    start,
    limit: Math.max(0, Math.trunc(page.limit)),
    offset: start === null ? Math.max(0, page.offset ?? 0) : 0,
    total: page.total ?? true,
  };
}

export function* listRecords(
  { space, filter, range, now, note = refuseDamage }: ListRequest,
  search: ContentSearch,
): Steps<ListedPage> {
  if (filter.contentHash !== undefined && !range.total && !(yield* exists(FIND_HASH, space, filter.contentHash)))
    return { items: [], total: 0, cursor: null, after: range.start };
  const conditions = buildConditions(space, filter, now);
  const { contains } = filter;
  const isSorted = (filter.tags ?? []).length === 0;
  if (contains === undefined || contains === '')
    return yield* listPlainly(conditions, { range, note, ways: planTotal(filter, conditions), isSorted });
  if ('condition' in search) {
    const { sql, values } = conditions;
    const holds = search.condition(`$${values.length + 1}`);
    const narrowed = { sql: `${sql} AND ${holds}`, values: [...values, search.value(contains)] };
    return yield* listPlainly(narrowed, { range, note, ways: null, isSorted });
  }
  const { places, total } = yield* search.find(conditions, { contains, range });
  const shown = places.slice(0, range.limit);
  const ids = shown.map(({ id }) => id);
  const items = yield* getRecords(space, ids, note);
  for (const id of ids.slice(items.length === ids.length ? ids.length : 0))
    if (!items.some((record) => record.id === id)) note({ what: 'record', id });
  return {
    items,
    total,
    cursor: cursorAfter(shown.at(-1), places.length > range.limit),
    after: range.start,
  };
}

interface Listing {
  range: Range;
  note: NoteDamage;
  /** Of counting; null: by looking at each. */
  ways: Statement[] | null;
  /** False: all that pass have to be put in order, for which their places are enough: the rows of a page are read afterwards. */
  isSorted: boolean;
}

/** One row more than asked for is read, to know whether there are more. */
function* listPlainly(
  conditions: Conditions,
  { range: { start, limit, offset, total }, note, ways, isSorted }: Listing,
): Steps<ListedPage> {
  const { sql, values } = conditions;
  const next = values.length + 1;
  const place = start === null ? '' : `AND (created_at, id) < ($${next + 2}, $${next + 3})`;
  const placeValues = start === null ? [] : [start.createdAt, start.id];
  const counting = total ? (ways ?? [countAll(conditions)]) : [];
  const order = 'ORDER BY created_at DESC, id DESC';
  const page = (columns: string) =>
    `SELECT ${columns} FROM records WHERE ${sql} ${place} ${order} LIMIT $${next} OFFSET $${next + 1}`;
  const [rows, ...totals] = yield* selectAll<[CheckedRow, ...{ total: number }[]]>(
    {
      sql: isSorted
        ? page(CHECKED_COLUMN_LIST)
        : `SELECT ${CHECKED_COLUMN_LIST} FROM records WHERE space_id = $1 AND id IN (${page('id')}) ${order}`,
      values: [...values, limit + 1, offset, ...placeValues],
    },
    ...counting,
  );
  const shown = rows.slice(0, limit);
  const items: StoredRecord[] = [];
  const seen = new Set<RecordId>();
  for (const row of shown) {
    // A damaged index of the database may give a row twice in place of another, which nobody else would miss.
    const record = seen.has(row.id) ? null : toSoundRecord(row);
    seen.add(row.id);
    if (record === null) note({ what: 'record', id: row.id });
    else items.push(record);
  }
  // Where a damaged row comes last the next page names it again: what it says of its place is not to be relied on.
  const last = shown.at(-1);
  const end = items.at(-1) ?? (last === undefined ? undefined : { createdAt: last.created_at, id: last.id });
  const isCounted = totals.every(([one]) => one !== undefined);
  const all = isCounted ? totals.reduce((sum, [one]) => sum + one!.total, 0) : yield* countOne(conditions);
  return { items, total: all, cursor: cursorAfter(end, rows.length > limit), after: start };
}

function* countOne(conditions: Conditions): Steps<number> {
  const { sql, values } = countAll(conditions);
  return (yield* find<{ total: number }>(sql, ...values))?.total ?? 0;
}

function cursorAfter(last: Place | undefined, hasMore: boolean): string | null {
  return hasMore && last !== undefined ? writePlace(last) : null;
}

/** A WHERE clause over `records` and its values, in order; the space is $1. What the content must contain is not in it. */
export interface Conditions {
  sql: string;
  values: SqlValue[];
}

/** Writes a condition with the places of its values. */
type Add = (write: (...places: string[]) => string, ...values: SqlValue[]) => void;

export function* lastChange(space: SpaceId, filter: ListFilter, now: Instant): Steps<Instant> {
  const { sql, values } = buildConditions(space, filter, now);
  const row = yield* find<{ changed: Instant | null; deleted: Instant | null }>(
    `SELECT max(updated_at) AS changed, max(deleted_at) AS deleted FROM records WHERE ${sql}`,
    ...values,
  );
  return Math.max(row?.changed ?? 0, row?.deleted ?? 0);
}

export function buildConditions(space: SpaceId, filter: ListFilter, now: Instant): Conditions {
  const values: SqlValue[] = [space];
  const parts: string[] = ['space_id = $1'];
  const add: Add = (write, ...more) => {
    const first = values.length + 1;
    values.push(...more);
    parts.push(write(...more.map((_, i) => `$${first + i}`)));
  };
  addLifeConditions(filter, now, add);
  addTagConditions(filter, add);
  addListCondition('kind', filter.kinds, add);
  addListCondition('type', filter.types, add);
  for (const column of ['project', 'workspace', 'agent', 'session', 'conversation', 'key'] as const) {
    const wanted = filter[column];
    if (wanted !== undefined) add((value) => `${column} = ${value}`, wanted);
  }
  if (filter.ids !== undefined) add((list) => `id = ANY (${list}::text[])`, filter.ids);
  if (filter.contentHash !== undefined)
    add((hash) => `content_hash = ${hash} AND ${HASH_BEGINS} = substr(${hash}, 1, 16)`, filter.contentHash);
  if (filter.after !== undefined) add((after) => `created_at >= ${after}`, filter.after);
  if (filter.before !== undefined) add((before) => `created_at < ${before}`, filter.before);
  if (filter.minTrust !== undefined)
    addListCondition('trust', TRUST_TIERS.slice(TRUST_TIERS.indexOf(filter.minTrust)), add);
  return { sql: parts.join(' AND '), values };
}

/** What the index of hashes has of them. */
const HASH_BEGINS = 'substr(content_hash, 1, 16)';
/** Asked before every record that is stored, and mostly for nothing: no listing has to be put together for that. */
const FIND_HASH = `SELECT 1 FROM records WHERE space_id = $1 AND content_hash = $2 AND ${HASH_BEGINS} = substr($2, 1, 16) LIMIT 1`;

function addLifeConditions(filter: ListFilter, now: Instant, add: Add): void {
  const deleted = filter.deleted ?? 'exclude';
  if (deleted === 'exclude') add(() => 'deleted_at IS NULL');
  if (deleted === 'only') add(() => 'deleted_at IS NOT NULL');
  if (filter.includeSuperseded !== true) {
    const isValid = (at: string | undefined) =>
      `(valid_from IS NULL OR valid_from <= ${at}) AND (valid_until IS NULL OR valid_until > ${at})`;
    add((at) => `superseded_by IS NULL AND ${isValid(at)}`, filter.validAt ?? now);
  }
  if (filter.idleSince !== undefined) {
    add(
      (since) => `created_at < ${since} AND updated_at < ${since} AND NOT EXISTS (
         SELECT 1 FROM read_statistics AS s WHERE s.space_id = $1 AND s.record_id = records.id AND s.last_read_at >= ${since})`,
      filter.idleSince,
    );
  }
}

function addTagConditions(filter: ListFilter, add: Add): void {
  const tags = [...new Set(filter.tags ?? [])];
  if (tags.length === 0) return;
  const withTag = (list: string | undefined) =>
    `SELECT record_id FROM record_tags WHERE space_id = $1 AND tag = ANY (${list}::text[])`;
  if (filter.tagMatch === 'all')
    add((list, count) => `id IN (${withTag(list)} GROUP BY record_id HAVING count(*) = ${count})`, tags, tags.length);
  else add((list) => `id IN (${withTag(list)})`, tags);
}

function addListCondition(column: 'kind' | 'type' | 'trust', wanted: readonly string[] | undefined, add: Add): void {
  if (wanted !== undefined && wanted.length > 0) add((list) => `${column} = ANY (${list}::text[])`, wanted);
}
