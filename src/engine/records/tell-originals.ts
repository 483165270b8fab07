import { passOver } from '../../model/damage.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import { dayOf } from '../../model/instant.ts';
import type { StoredRecord } from '../../model/record.ts';
import type { EngineParts } from '../engine-parts.ts';

const CANDIDATES = 64;

/**
 * A copy in a team has the id of its original in the space of whoever brought it, as the server knows them: what a file claims of its origin is asked nothing. Where
 * that is gone by now, whoever reads the copy is told so.
 */
export async function tellOriginals(parts: EngineParts, records: readonly StoredRecord[]): Promise<string[]> {
  const copies = records.filter(({ space, source: { userId, door } }) => userId !== space && door !== 'job');
  const notices: string[] = [];
  for (const [owner, some] of Map.groupBy(copies, ({ source }) => source.userId)) {
    const ids = some.map(({ id }) => id);
    const there = new Map((await parts.store.getRecords(owner, ids, passOver)).map((record) => [record.id, record]));
    for (const { id } of some) {
      const went = await whereItWent(parts, { owner, id, original: there.get(id) });
      if (went !== null) notices.push(`${id} is a copy: its original, of ${owner}, ${went}.`);
    }
  }
  return notices;
}

interface Original {
  owner: SpaceId;
  id: RecordId;
  original: StoredRecord | undefined;
}

async function whereItWent({ store }: EngineParts, { owner, id, original }: Original): Promise<string | null> {
  if (original === undefined) {
    // Ids have one length: those with its beginning are few, and follow it in order.
    const near = await store.listGraves(owner, id.slice(0, -1), CANDIDATES, passOver);
    const grave = near.find((one) => one.id === id);
    return grave === undefined ? null : `was purged on ${dayOf(grave.purgedAt)}`;
  }
  if (original.deletedAt !== null) return `was deleted on ${dayOf(original.deletedAt)}`;
  return original.supersededBy === null || original.body.archived !== undefined
    ? null
    : `was replaced by ${original.supersededBy}`;
}
