import { passOver } from '../../model/damage.ts';
import type { ListFilter } from '../../model/filter.ts';
import type { SpaceId } from '../../model/ids.ts';
import type { StoredRecord } from '../../model/record.ts';
import type { Records } from '../ports.ts';
import { readPages } from '../records/find-records.ts';
import { isReadOut, sourceOf } from './claims.ts';

const PAGE = 500;

/** Memories that programs read out of a session: what was harvested from it, and what its prompts asked to be remembered. */
export async function findReadOut(
  store: Records,
  space: SpaceId,
  { session, deleted }: { session: string } & Pick<ListFilter, 'deleted'>,
): Promise<StoredRecord[]> {
  const found: StoredRecord[] = [];
  const filter: ListFilter = { kinds: ['memory'], includeSuperseded: true, deleted };
  for await (const { items } of readPages(store, space, { filter, limit: PAGE, note: passOver }))
    found.push(...items.filter((record) => isReadOut(record) && sourceOf(record) === `session:${session}`));
  return found;
}
