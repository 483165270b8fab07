import type { Caller } from '../../model/caller.ts';
import { passOver } from '../../model/damage.ts';
import { EngineError } from '../../model/errors.ts';
import type { ListFilter } from '../../model/filter.ts';
import { type Instant, isRecordId, type RecordId, type SpaceId } from '../../model/ids.ts';
import { comparePlaces } from '../../model/list-place.ts';
import type { Page } from '../../model/page.ts';
import type { StoredRecord } from '../../model/record.ts';
import { toIndexFilter } from '../../search/filter-mask.ts';
import { authorize } from '../authorize.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { PageRequest, Records } from '../ports.ts';
import { locateAll, readPages, spacesOf } from '../records/find-records.ts';
import { resolveFilter } from '../records/resolve-filter.ts';
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
    const state = await findAsOf(parts, caller, { ...named, ref, at });
    if (state === null || state.deletedAt !== null) missing.push(ref);
    else if (!records.some(({ id }) => id === state.id)) records.push(state);
  }
  return { records, missing };
}

/** A key or a text may have been another record's then; an id never was. */
async function findAsOf(
  parts: EngineParts,
  caller: Caller,
  { at, ...named }: { ref: string; at: Instant; kind: string; anyKindById: boolean; project?: string },
): Promise<StoredRecord | null> {
  if (!isRecordId(named.ref.trim()))
    return withPast(parts, at, async (past) => {
      const [record] = await locateAll(past, caller, { ...named, action: 'read', deleted: 'exclude' });
      return record ?? null;
    });
  const [record] = await locateAll(parts, caller, { ...named, action: 'read', deleted: 'include' });
  if (record === undefined) return null;
  return stateAt(record, await parts.store.listVersions(record.space, record.id, passOver), at);
}

const PAGE = 1000;

/** A listing as it was at a time, newest first. */
export async function listAsOf(
  parts: EngineParts,
  caller: Caller,
  { filter, page, at }: { filter: ListFilter; page: Partial<PageRequest>; at: Instant },
): Promise<Page<StoredRecord>> {
  const { key, contentHash, contains, ...rest } = filter;
  const named =
    key === undefined && contentHash === undefined && contains === undefined ? null : { key, contentHash, contains };
  // When something was read is known of the last time alone.
  const today = filter.idleSince !== undefined ? 'stale_days' : filter.deleted === undefined ? undefined : 'deleted';
  if (today !== undefined)
    throw new EngineError(
      'invalid_input',
      `The filter ${today} looks at the present and cannot be combined with as_of.`,
      {
        hint: 'Leave it out, or leave as_of out.',
        details: { field: today },
      },
    );
  const { limit = 20, offset = 0, cursor } = page;
  const from = typeof cursor === 'string' ? readOffset(cursor) : offset;
  return withPast(parts, at, async (past) => {
    const wanted = await resolveFilter(past, caller, narrowTo(rest, at));
    const found = [];
    let total = 0;
    for (const space of spacesOf(caller)) {
      authorize(caller, 'read', space);
      const bearing = named === null ? null : await listBearing(past, space, named);
      const ids = bearing === null ? wanted.ids : (wanted.ids ?? [...bearing]).filter((id) => bearing.has(id));
      const asked = {
        filter: toIndexFilter(parts.kinds, { ...wanted, ids }),
        now: at,
        start: null,
        count: from + limit + 1,
      };
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

/** The records that had this key, or this text, or held it then: the index knows of neither. */
async function listBearing({ store }: { store: Records }, space: SpaceId, named: ListFilter): Promise<Set<RecordId>> {
  const ids = new Set<RecordId>();
  const filter = { ...named, includeSuperseded: true, deleted: 'include' } as const;
  for await (const { items } of readPages(store, space, { filter, limit: PAGE, note: passOver }))
    for (const { id } of items) ids.add(id);
  return ids;
}

function readOffset(cursor: string): number {
  const [, offset] = /^as-of-(\d{1,9})$/.exec(cursor) ?? [];
  if (offset !== undefined) return Number(offset);
  throw new EngineError('invalid_cursor', 'This cursor is not valid for this list.', {
    hint: 'List again from the start.',
  });
}
