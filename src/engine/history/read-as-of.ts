import type { Caller } from '../../model/caller.ts';
import { passOver } from '../../model/damage.ts';
import { EngineError } from '../../model/errors.ts';
import type { ListFilter } from '../../model/filter.ts';
import type { Instant } from '../../model/ids.ts';
import { comparePlaces } from '../../model/list-place.ts';
import type { Page } from '../../model/page.ts';
import type { StoredRecord } from '../../model/record.ts';
import { authorize } from '../authorize.ts';
import type { EngineParts } from '../engine-parts.ts';
import { resolveEntity } from '../entities/resolve-entity.ts';
import type { PageRequest } from '../ports.ts';
import { locateAll, spacesOf } from '../records/find-records.ts';
import { toIndexFilter } from '../search/filter-mask.ts';
import { narrowTo, withPast } from './search-as-of.ts';
import { stateAt } from './state-at.ts';

/** Records as they were at a time; what was not there, or deleted then, is missing. */
export async function getAsOf(
  parts: EngineParts,
  caller: Caller,
  {
    refs,
    at,
    ...named
  }: { refs: readonly string[]; at: Instant; kind: string; anyKindById: boolean; project?: string },
): Promise<{ records: StoredRecord[]; missing: string[] }> {
  const records: StoredRecord[] = [];
  const missing: string[] = [];
  for (const ref of refs) {
    const [record] = await locateAll(parts, caller, { ...named, ref, action: 'read', deleted: 'include' });
    const versions = record === undefined ? [] : await parts.store.listVersions(record.space, record.id, passOver);
    const state = record === undefined ? null : stateAt(record, versions, at);
    if (state === null || state.deletedAt !== null) missing.push(ref);
    else if (!records.some(({ id }) => id === state.id)) records.push(state);
  }
  return { records, missing };
}

const OF_TODAY = ['key', 'contentHash', 'contains', 'idleSince'] as const satisfies (keyof ListFilter)[];

/** A listing as it was at a time, newest first. */
export async function listAsOf(
  parts: EngineParts,
  caller: Caller,
  { filter, page, at }: { filter: ListFilter; page: Partial<PageRequest>; at: Instant },
): Promise<Page<StoredRecord>> {
  const today =
    OF_TODAY.find((name) => filter[name] !== undefined) ?? (filter.deleted === undefined ? undefined : 'deleted');
  if (today !== undefined)
    throw new EngineError(
      'invalid_input',
      `The filter ${today} looks at the present and cannot be combined with as_of.`,
      {
        hint: 'Search with as_of and words instead.',
        details: { field: today },
      },
    );
  const { limit = 20, offset = 0, cursor } = page;
  const from = typeof cursor === 'string' ? readOffset(cursor) : offset;
  return withPast(parts, at, async (past) => {
    const wanted = await resolveEntity(past, caller, narrowTo(filter, at));
    const found = [];
    let total = 0;
    for (const space of spacesOf(caller)) {
      authorize(caller, 'read', space);
      const asked = { filter: toIndexFilter(parts.kinds, wanted), now: at, start: null, count: from + limit + 1 };
      await past.indexes.search([space], () => null);
      const listed = await past.indexes.places(space, asked);
      total += listed?.total ?? 0;
      for (const place of listed?.places ?? []) found.push({ space, ...place });
    }
    found.sort(comparePlaces);
    const shown = found.slice(from, from + limit);
    const items: StoredRecord[] = [];
    for (const { space, id } of shown) items.push(...(await past.store.getRecords(space, [id], passOver)));
    return { items, total, cursor: found.length > from + limit ? `as-of-${from + limit}` : null };
  });
}

function readOffset(cursor: string): number {
  const [, offset] = /^as-of-(\d{1,9})$/.exec(cursor) ?? [];
  if (offset !== undefined) return Number(offset);
  throw new EngineError('invalid_cursor', 'This cursor is not valid for this list.', {
    hint: 'List again from the start.',
  });
}
