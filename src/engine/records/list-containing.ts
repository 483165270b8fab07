import type { NoteDamage } from '../../model/damage.ts';
import type { ListFilter } from '../../model/filter.ts';
import type { SpaceId } from '../../model/ids.ts';
import { comparePlaces, type Place, readPlace, writePlace } from '../../model/list-place.ts';
import type { Page } from '../../model/page.ts';
import type { StoredRecord } from '../../model/record.ts';
import { toIndexFilter } from '../../search/filter-mask.ts';
import type { FoundPlaces } from '../../search/list-places.ts';
import { cutNeedle } from '../../search/text/word-runs.ts';
import type { PageRequest } from '../ports.ts';
import type { ListingParts } from './second-opinion.ts';

interface Listing {
  filter: ListFilter & { contains: string };
  page: PageRequest;
  note: NoteDamage;
}

/** Contents asked for at once: a millisecond. Where more come into question, the answer says at least how many hold the text. */
const AT_ONCE = 150;

/**
 * One page of the records whose content holds a text. The index says which come into question, by the runs of letters and digits that the text
 * consists of; whether they do is for the contents to say. Null where the index cannot help, or does not know what the database knows.
 */
export async function listContaining(
  parts: ListingParts,
  space: SpaceId,
  { filter, page, note }: Listing,
): Promise<Page<StoredRecord> | null> {
  const { contains, ...rest } = filter;
  const wanted = { needle: cutNeedle(contains), filter: toIndexFilter(parts.kinds, rest), now: parts.clock.now() };
  const search: ContentSearch = {
    ask: (start, count) => parts.indexes.candidates(space, { ...wanted, start, count }),
    look: (places, most) => lookAt(parts, space, { filter, places, most, note }),
  };
  const start = page.cursor === undefined || page.cursor === null ? null : readPlace(page.cursor);
  const skipped = start === null ? (page.offset ?? 0) : 0;
  const range = { start, enough: skipped + page.limit + 1, isCounted: page.total !== false };
  const found = await findEnough(search, range);
  if (found === null) return null;
  const items = found.records.slice(skipped, skipped + page.limit);
  const end = items.at(-1);
  const cursor = found.records.length >= range.enough && end !== undefined ? writePlace(end) : null;
  return { items, total: found.total, cursor, ...(found.isLeast && { atLeast: true }) };
}

interface ContentSearch {
  ask(start: Place | null, count: number): Promise<FoundPlaces | null>;
  /** So many of those that hold it, and how many do. Null where the database does not find what the index knows. */
  look(places: readonly Place[], most: number): Promise<Looked | null>;
}

interface Looked {
  records: StoredRecord[];
  total: number;
}

interface Wanted {
  start: Place | null;
  enough: number;
  isCounted: boolean;
}

interface Enough {
  records: StoredRecord[];
  total: number;
  isLeast: boolean;
}

async function findEnough(search: ContentSearch, { start, enough, isCounted }: Wanted): Promise<Enough | null> {
  const first = await search.ask(isCounted ? null : start, Math.max(AT_ONCE, isCounted ? 0 : enough));
  if (first === null) return null;
  if (first.isExact) return findSurely(search, { first, start, enough, isCounted });
  const looked = await search.look(first.places, start === null ? enough : AT_ONCE);
  if (looked === null) return null;
  const records = looked.records.filter((record) => start === null || comparePlaces(start, record) < 0);
  let { total } = looked;
  let seen = first.places.length;
  const isWhole = first.places.length < AT_ONCE;
  for (let after = later(start, first.places.at(-1)); !isWhole && records.length < enough; ) {
    const next = await search.ask(after, AT_ONCE);
    const more = next === null ? null : await search.look(next.places, enough - records.length);
    if (next === null || more === null) return null;
    records.push(...more.records);
    total += more.total;
    seen += next.places.length;
    if (next.places.length < AT_ONCE) break;
    after = next.places.at(-1)!;
  }
  return { records, total: isCounted ? total : 0, isLeast: isCounted && first.total > seen };
}

/** The index knows which they are: their contents only confirm it. */
async function findSurely(
  { ask, look }: ContentSearch,
  { first, start, enough, isCounted }: Wanted & { first: FoundPlaces },
): Promise<Enough | null> {
  const isEnough = start === null && enough <= first.places.length;
  const { places } = isEnough ? first : ((await ask(start, enough)) ?? first);
  const shown = places.slice(0, enough);
  const looked = await look(shown, enough);
  if (looked === null || looked.total < shown.length) return null;
  return { records: looked.records, total: isCounted ? first.total : 0, isLeast: false };
}

function later(start: Place | null, place: Place | undefined): Place | null {
  if (place === undefined) return start;
  return start === null || comparePlaces(start, place) < 0 ? place : start;
}

/** The records that hold it, in the order of the places; null where the database does not find them all. */
async function lookAt(
  { store }: ListingParts,
  space: SpaceId,
  {
    filter,
    places,
    most,
    note,
  }: { filter: Listing['filter']; places: readonly Place[]; most: number; note: NoteDamage },
): Promise<Looked | null> {
  const { contains, includeSuperseded, validAt } = filter;
  const records: StoredRecord[] = [];
  let total = 0;
  for (let at = 0; at < places.length; at += AT_ONCE) {
    const ids = places.slice(at, at + AT_ONCE).map(({ id }) => id);
    const asked = { ids, contains, includeSuperseded, validAt };
    const listed = await store.listRecords(space, asked, { limit: Math.max(0, most - records.length) }, note);
    if (listed.lookedThrough !== undefined && listed.lookedThrough !== ids.length) return null;
    records.push(...listed.items);
    total += listed.total;
  }
  return { records, total };
}
