import type { Records } from '../../engine/ports.ts';
import { passOver } from '../../model/damage.ts';
import type { SpaceId } from '../../model/ids.ts';
import type { StoredRecord } from '../../model/record.ts';
import { runKind } from './run-kind.ts';

/** The latest first. */
export async function listRunRecords(
  { store }: { store: Records },
  space: SpaceId,
  limit: number,
): Promise<StoredRecord[]> {
  const filter = { kinds: [runKind.name], types: ['run'] };
  return (await store.listRecords(space, filter, { limit, total: false }, passOver)).items;
}
