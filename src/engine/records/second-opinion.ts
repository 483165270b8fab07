import { collectDamage, type NoteDamage } from '../../model/damage.ts';
import type { ListFilter } from '../../model/filter.ts';
import type { RecordId, Sequence, SpaceId } from '../../model/ids.ts';
import type { Place } from '../../model/list-place.ts';
import type { Page } from '../../model/page.ts';
import type { StoredRecord } from '../../model/record.ts';
import { toIndexFilter } from '../../search/filter-mask.ts';
import { createPacer } from '../../search/index/pacer.ts';
import type { Passing } from '../../search/list-passing.ts';
import type { SpaceIndexes } from '../../search/space-indexes.ts';
import type { Clock, Condition, Feed, ListedPage, PageRequest, Records } from '../ports.ts';
import { compareDeleted } from './deleted-opinion.ts';
import { readPages } from './find-records.ts';
import type { KindTable } from './kind.ts';

/** What a listing is made from: the database, and the index that checks it. */
export interface ListingParts {
  store: Records & Feed & Condition;
  indexes: SpaceIndexes;
  kinds: KindTable;
  clock: Clock;
}

interface Listing {
  filter: ListFilter;
  page: PageRequest;
  note: NoteDamage;
}

/** Somebody may write between the two looks: then both are taken again, so often at most. */
const MAX_LOOKS = 3;
const PAGE = 500;

/**
 * A page, compared with what the index says it should hold: a row that the database's own indexes have lost is in no answer otherwise, and
 * nobody would know. Where the index cannot judge the filter, or would take long to load, the page is what the database says.
 */
export async function listCompared(parts: ListingParts, space: SpaceId, listing: Listing): Promise<Page<StoredRecord>> {
  const { store, clock } = parts;
  const { page, note } = listing;
  const filter = { ...listing.filter, validAt: listing.filter.validAt ?? clock.now() };
  for (let look = 1; ; look++) {
    const before = look < MAX_LOOKS ? await store.head(space) : null;
    const damage = collectDamage();
    const listed = await store.listRecords(space, filter, page, damage.note);
    const opinion = before === null ? null : await askIndex(parts, space, filter);
    if (opinion !== null && opinion.head !== before) continue;
    // Which contents hold the words is not for the index to say; where nobody has counted how many were looked through, it is not asked.
    const isComparable = (filter.contains ?? '') === '' || listed.lookedThrough !== undefined;
    const compared = { listed, page, damaged: damage.ids() };
    const missing = opinion === null || !isComparable ? [] : findMissing(opinion, compared);
    const doubt = missing.length > 0 ? await compareAll(parts, { space, filter, opinion: opinion!, missing }) : null;
    if (doubt !== null && (await store.head(space)) !== before) continue;
    const deleted = before === null ? [] : await compareDeleted(parts, space, filter);
    for (const each of damage.noted) note(each);
    for (const id of [...(doubt?.different ?? []), ...deleted]) note({ what: 'record', id });
    const { items, total, cursor } = listed;
    return { items, total: doubt?.total ?? total, cursor };
  }
}

/** Null where it cannot judge. The words that a content must hold are left to the database. */
async function askIndex(
  { indexes, kinds, clock }: ListingParts,
  space: SpaceId,
  filter: ListFilter,
): Promise<Passing | null> {
  const { key, contentHash, idleSince, deleted = 'exclude', contains: _, ...rest } = filter;
  if (key !== undefined || contentHash !== undefined || idleSince !== undefined || deleted !== 'exclude') return null;
  return indexes.passing(space, toIndexFilter(kinds, rest), clock.now());
}

interface Compared {
  listed: ListedPage;
  page: PageRequest;
  damaged: readonly RecordId[];
}

/** Where the count of the index is another, nobody knows yet which record it is. */
const SOME: readonly (RecordId | null)[] = [null];

/** Of the records that the index knows in the stretch that the page covers, those that are not on it; null stands for one that may be anywhere. */
function findMissing(opinion: Passing, { listed, page, damaged }: Compared): readonly (RecordId | null)[] {
  // A page of none says nothing, and lacks nothing.
  if (page.limit === 0) return [];
  if (opinion.damaged.length > 0) return SOME;
  // Which of them hold the words is not for the index to say, but how many had to be looked through.
  if (listed.lookedThrough !== undefined) return listed.lookedThrough === opinion.count ? [] : SOME;
  if (page.total !== false && opinion.count !== listed.total) return SOME;
  const { items, after, cursor } = listed;
  const shown = new Set([...items.map(({ id }) => id), ...damaged]);
  const { limit, offset = 0 } = page;
  if (offset > 0) {
    const expected = opinion.places().sort((a, b) => (isBefore(a, b) ? -1 : 1));
    return listIdsOf(expected.slice(offset, offset + limit)).filter((id) => !shown.has(id));
  }
  const end = cursor === null ? null : (items.at(-1) ?? null);
  const stretch = opinion
    .places(end?.createdAt, after?.createdAt)
    .filter((place) => !shown.has(place.id) && !isBefore(place, after) && (end === null || isBefore(place, end)));
  return listIdsOf(stretch);
}

function listIdsOf(places: readonly Place[]): RecordId[] {
  return places.map(({ id }) => id);
}

/** Whether the place comes at or before the other in a listing. */
function isBefore(place: Place, other: Place | null): boolean {
  if (other === null) return false;
  return place.createdAt > other.createdAt || (place.createdAt === other.createdAt && place.id >= other.id);
}

interface Disagreement {
  space: SpaceId;
  filter: ListFilter;
  opinion: Passing;
  missing: readonly (RecordId | null)[];
}

interface Doubt {
  /** Records that the page lacks, or that only one of the two knows of. */
  different: readonly RecordId[];
  /** Of the listing, one by one: a damaged index may miscount what another finds. */
  total: number;
}

async function compareAll(parts: ListingParts, { space, filter, opinion, missing }: Disagreement): Promise<Doubt> {
  const listed = new Set(await listIds(parts, space, { ...filter, contains: undefined }));
  const passing = new Set(opinion.places().map(({ id }) => id));
  const hidden = [...passing].filter((id) => !listed.has(id));
  const strange = [...listed].filter((id) => !passing.has(id));
  const total = filter.contains === undefined ? listed.size : (await listIds(parts, space, filter)).length;
  const known = missing.filter((id) => id !== null);
  return { different: [...new Set([...known, ...hidden, ...strange, ...opinion.damaged])], total };
}

async function listIds({ store }: ListingParts, space: SpaceId, filter: ListFilter): Promise<RecordId[]> {
  const { note, ids } = collectDamage();
  const listed = new Set<RecordId>();
  for await (const { items } of readPages(store, space, { filter, limit: PAGE, note }))
    for (const { id } of items) listed.add(id);
  return [...new Set([...listed, ...ids()])];
}

interface Hiding {
  space: SpaceId;
  filter: ListFilter;
  /** Where the feed was when the listing began; null: nobody knows. */
  head: Sequence | null;
  isListed(id: RecordId): boolean;
}

/** Live records that a listing of all pages should have held by what the index says, and did not. */
export async function findHidden(parts: ListingParts, { space, filter, head, isListed }: Hiding): Promise<RecordId[]> {
  const opinion = await askIndex(parts, space, filter);
  if (opinion === null || head === null) return [];
  const pace = createPacer();
  const missing: RecordId[] = [];
  for (const ids of [opinion.ids(), opinion.damaged])
    for (const id of ids) {
      if (!isListed(id)) missing.push(id);
      const turn = pace();
      if (turn !== undefined) await turn;
    }
  if (missing.length === 0 || opinion.head === head) return missing;
  const { note, noted } = collectDamage();
  const changed = await parts.store.changesAfter(space, head, opinion.head - head, note);
  const moved = new Set(changed.map(({ id }) => id));
  return noted.length > 0 ? [] : missing.filter((id) => !moved.has(id));
}
