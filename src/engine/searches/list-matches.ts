import type { NoteDamage } from '../../model/damage.ts';
import type { ListFilter } from '../../model/filter.ts';
import type { SpaceId } from '../../model/ids.ts';
import type { Page } from '../../model/page.ts';
import type { StoredRecord } from '../../model/record.ts';
import { listPage } from '../records/list-page.ts';
import type { ListingParts } from '../records/second-opinion.ts';

const PAGE = 200;

interface Matching {
  filter: ListFilter;
  /** False: nobody asks how many there are. */
  total: boolean;
  note: NoteDamage;
}

export interface Listed {
  records: StoredRecord[];
  /** How many there are in all. */
  total: number;
  /** There may be more than that. */
  isLeast: boolean;
  hasMore: boolean;
}

/** The newest records of several spaces that pass, from `offset` on. */
export async function listMatches(
  parts: ListingParts,
  {
    spaces,
    filter,
    offset,
    limit,
    total: wantsTotal,
    note,
  }: Matching & { spaces: readonly SpaceId[]; offset: number; limit: number },
): Promise<Listed> {
  if (spaces.length === 1) {
    const page = await listPage(parts, spaces[0]!, { filter, page: { limit, offset, total: wantsTotal }, note });
    return {
      records: page.items,
      total: page.total,
      isLeast: page.atLeast === true,
      hasMore: page.cursor !== null,
    };
  }
  const lists = await Promise.all(
    spaces.map((space) => listFirst(parts, { space, filter, total: wantsTotal, note, count: offset + limit })),
  );
  const records = lists.flatMap((list) => list.records).sort(compareAge);
  return {
    records: records.slice(offset, offset + limit),
    total: lists.reduce((sum, list) => sum + list.total, 0),
    isLeast: lists.some((list) => list.isLeast),
    hasMore: records.length > offset + limit || lists.some((list) => list.hasMore),
  };
}

async function listFirst(
  parts: ListingParts,
  { space, filter, total: wantsTotal, note, count }: Matching & { space: SpaceId; count: number },
): Promise<Listed> {
  const records: StoredRecord[] = [];
  let cursor: string | null = null;
  let total = 0;
  let isLeast = false;
  do {
    const wanted = { limit: Math.min(PAGE, count - records.length), cursor, total: wantsTotal && cursor === null };
    const page: Page<StoredRecord> = await listPage(parts, space, { filter, page: wanted, note });
    records.push(...page.items);
    if (cursor === null) total = page.total;
    isLeast ||= page.atLeast === true;
    cursor = page.cursor;
  } while (cursor !== null && records.length < count);
  return { records, total, isLeast, hasMore: cursor !== null };
}

function compareAge(a: StoredRecord, b: StoredRecord): number {
  return b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1);
}
