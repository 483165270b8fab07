import type { Records } from '../../../engine/ports.ts';
import type { RecordId, SpaceId } from '../../../model/ids.ts';

const PAGE = 10_000;

export async function listAllIds(store: Records, space: SpaceId): Promise<RecordId[]> {
  const ids: RecordId[] = [];
  for (;;) {
    const page = await store.listIds(space, { after: ids.at(-1) ?? null, limit: PAGE });
    ids.push(...page);
    if (page.length < PAGE) return ids;
  }
}
