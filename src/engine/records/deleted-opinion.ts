import { collectDamage } from '../../model/damage.ts';
import type { ListFilter } from '../../model/filter.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { SpaceIndexes } from '../../search/space-indexes.ts';
import type { Clock, Condition, Records } from '../ports.ts';
import { readPages } from './find-records.ts';

/** Records of a space up to which the deleted ones are compared one by one. */
const MAX_COMPARED = 20_000;
const PAGE = 500;

/**
 * Deleted records are not in the index. How many a listing finds is compared with how many there should be; where these differ, they are all
 * records but those that the index knows to be alive. Returns those that the listing does not find, or that are damaged.
 */
export async function compareDeleted(
  { store, indexes, clock }: { store: Records & Condition; indexes: SpaceIndexes; clock: Clock },
  space: SpaceId,
  filter: ListFilter,
): Promise<RecordId[]> {
  const expected = filter.deleted === 'only' || filter.deleted === 'include' ? await store.expectedRows(space) : null;
  if (store.guardsItsPages === true || expected === null) return [];
  const { note, ids } = collectDamage();
  const listed = new Set<RecordId>();
  const all = { filter: { deleted: 'only', includeSuperseded: true }, limit: PAGE, note } as const;
  for await (const { items } of readPages(store, space, all)) for (const { id } of items) listed.add(id);
  const damaged = ids();
  if (listed.size + damaged.length === expected.records - expected.live) return damaged;
  const living = await indexes.passing(space, { includeSuperseded: true }, clock.now());
  if (living === null || living.head !== expected.head || expected.records > MAX_COMPARED) return damaged;
  const alive = new Set([...living.places().map(({ id }) => id), ...living.damaged]);
  const rest = await listEveryId(store, space);
  return [...damaged, ...rest.filter((id) => !alive.has(id) && !listed.has(id))];
}

async function listEveryId(store: Records, space: SpaceId): Promise<RecordId[]> {
  const found: RecordId[] = [];
  for (;;) {
    const page = await store.listIds(space, { after: found.at(-1) ?? null, limit: PAGE, of: 'all' });
    found.push(...page);
    if (page.length < PAGE) return found;
  }
}
