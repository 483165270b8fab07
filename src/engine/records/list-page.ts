import type { NoteDamage } from '../../model/damage.ts';
import type { ListFilter } from '../../model/filter.ts';
import type { SpaceId } from '../../model/ids.ts';
import { readPlace, writePlace } from '../../model/list-place.ts';
import type { Page } from '../../model/page.ts';
import type { StoredRecord } from '../../model/record.ts';
import { toIndexFilter } from '../../search/filter-mask.ts';
import type { PageRequest } from '../ports.ts';
import { listContaining } from './list-containing.ts';
import { type ListingParts, listCompared } from './second-opinion.ts';

export type Listing = { filter: ListFilter; page: PageRequest; note: NoteDamage };

/** What the index has no columns for. */
const OF_ROWS = ['key', 'contentHash', 'idleSince', 'ids'] as const satisfies (keyof ListFilter)[];
/** What a database goes through in the order of a listing or has counted, as long as nothing else is asked for. */
const OF_DATABASE = ['project', 'workspace', 'session', 'conversation'] as const satisfies (keyof ListFilter)[];
const OF_INDEX = ['types', 'tags', 'agent', 'minTrust'] as const satisfies (keyof ListFilter)[];

/**
 * One page of one space. Where a database would have to look at every record with a tag, the index in memory says which come first and how many
 * there are; the records themselves are the database's all the same.
 */
export async function listPage(parts: ListingParts, space: SpaceId, listing: Listing): Promise<Page<StoredRecord>> {
  return (await listQuickly(parts, space, listing)) ?? listCompared(parts, space, listing);
}

async function listQuickly(parts: ListingParts, space: SpaceId, listing: Listing): Promise<Page<StoredRecord> | null> {
  const { contains, ...filter } = listing.filter;
  if (contains === undefined || contains === '') return listByIndex(parts, space, listing);
  return canIndexJudge(filter) ? listContaining(parts, space, { ...listing, filter: { ...filter, contains } }) : null;
}

function canIndexJudge(filter: ListFilter): boolean {
  return (filter.deleted ?? 'exclude') === 'exclude' && !OF_ROWS.some((name) => isAsked(filter[name]));
}

/** Null where it is not asked: it cannot judge, the database is as fast, or it is not in memory or lacks something. */
async function listByIndex(
  { store, indexes, kinds, clock }: ListingParts,
  space: SpaceId,
  { filter, page, note }: Listing,
): Promise<Page<StoredRecord> | null> {
  if (!isForIndex(filter)) return null;
  const start = page.cursor === undefined || page.cursor === null ? null : readPlace(page.cursor);
  const skipped = start === null ? (page.offset ?? 0) : 0;
  const count = skipped + page.limit + 1;
  const found = await indexes.places(space, { filter: toIndexFilter(kinds, filter), now: clock.now(), start, count });
  if (found === null) return null;
  const places = found.places.slice(skipped, skipped + page.limit);
  const ids = places.map(({ id }) => id);
  const last = places.at(-1);
  // The labels are judged already; what was deleted or superseded a moment ago is left out.
  const { includeSuperseded, validAt } = filter;
  const items =
    last === undefined
      ? []
      : (await store.listRecords(space, { ids, includeSuperseded, validAt }, { limit: page.limit, total: false }, note))
          .items;
  // One that the index knows and the database does not find: the two are compared.
  if (items.length < ids.length) return null;
  const hasMore = found.places.length > skipped + page.limit;
  return { items, total: found.total, cursor: hasMore && last !== undefined ? writePlace(last) : null };
}

function isForIndex(filter: ListFilter): boolean {
  if (!canIndexJudge(filter)) return false;
  const isTimed = isAsked(filter.after) || isAsked(filter.before);
  const others = OF_DATABASE.filter((name) => isAsked(filter[name])).length + (isTimed ? 1 : 0);
  return others > 1 || OF_INDEX.some((name) => isAsked(filter[name]));
}

function isAsked(value: ListFilter[keyof ListFilter]): boolean {
  return value !== undefined && !(Array.isArray(value) && value.length === 0);
}
