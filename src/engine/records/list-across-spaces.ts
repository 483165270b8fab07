import { EngineError } from '../../model/errors.ts';
import type { ListFilter } from '../../model/filter.ts';
import type { SpaceId } from '../../model/ids.ts';
import { readOpaque, writeOpaque } from '../../model/opaque.ts';
import type { Page } from '../../model/page.ts';
import type { StoredRecord } from '../../model/record.ts';
import type { PageRequest, Store } from '../ports.ts';

interface Listing {
  filter: ListFilter;
  page: PageRequest;
}

/** Where each space's listing goes on; a space that is at its end is left out. */
type Positions = Map<SpaceId, string | null>;

/** One page over several spaces, newest first, as if they were one. */
export async function listAcrossSpaces(
  store: Store,
  spaces: readonly SpaceId[],
  { filter, page }: Listing,
): Promise<Page<StoredRecord>> {
  const [only] = spaces;
  if (spaces.length === 1 && only !== undefined) return store.listRecords(only, filter, page);
  const positions = readPositions(spaces, page.cursor ?? null);
  const reach = page.limit + (page.offset ?? 0);
  const pages = await Promise.all(
    spaces.map(async (space) => {
      const cursor = positions.get(space);
      if (cursor === undefined)
        return { space, items: [], total: (await store.listRecords(space, filter, { limit: 1 })).total, cursor: null };
      return { space, ...(await store.listRecords(space, filter, { limit: reach, cursor })) };
    }),
  );
  const taken = pages
    .flatMap(({ items }) => items)
    .sort(newestFirst)
    .slice(0, reach);
  const next: Positions = new Map();
  for (const { space, items, cursor } of pages) {
    const count = taken.filter((record) => record.space === space).length;
    if (count < items.length)
      next.set(
        space,
        count === 0
          ? (positions.get(space) ?? null)
          : await cursorAfter(store, space, { filter, count, from: positions.get(space) ?? null }),
      );
    else if (cursor !== null) next.set(space, cursor);
  }
  const total = pages.reduce((sum, one) => sum + one.total, 0);
  return { items: taken.slice(page.offset ?? 0), total, cursor: next.size === 0 ? null : writePositions(next) };
}

async function cursorAfter(
  store: Store,
  space: SpaceId,
  at: { filter: ListFilter; count: number; from: string | null },
): Promise<string | null> {
  return (await store.listRecords(space, at.filter, { limit: at.count, cursor: at.from })).cursor;
}

function newestFirst(a: StoredRecord, b: StoredRecord): number {
  return b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1);
}

function writePositions(positions: Positions): string {
  return writeOpaque([...positions]);
}

/** A cursor names spaces, but only the caller's own are ever looked at. */
function readPositions(spaces: readonly SpaceId[], cursor: string | null): Positions {
  if (cursor === null) return new Map(spaces.map((space) => [space, null]));
  const read = readOpaque(cursor);
  if (!Array.isArray(read) || !read.every(isPosition)) {
    throw new EngineError('invalid_cursor', 'This cursor is not one that a listing gave out.', {
      hint: 'List again from the start.',
    });
  }
  return new Map(read.filter(([space]) => spaces.includes(space)));
}

function isPosition(value: unknown): value is [SpaceId, string | null] {
  return (
    Array.isArray(value) &&
    value.length === 2 &&
    typeof value[0] === 'string' &&
    (value[1] === null || typeof value[1] === 'string')
  );
}
