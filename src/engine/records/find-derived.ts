import { passOver } from '../../model/damage.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { StoredRecord } from '../../model/record.ts';
import { MADE_FROM, spellType } from '../../model/relation-types.ts';
import type { Records, Relations } from '../ports.ts';
import type { KindTable } from './kind.ts';

const AT_ONCE = 500;

/**
 * Records that were made from these, directly or by way of others, and are not among them: what replaced one, what says that it was derived from one, and what
 * its kind composes of several (`madeInto`).
 */
export async function findDerived(
  { store }: { store: Records & Relations },
  space: SpaceId,
  { ids, madeInto }: { ids: readonly RecordId[]; madeInto: Iterable<RecordId> },
): Promise<RecordId[]> {
  const known = new Set(ids);
  const derived: RecordId[] = [];
  const take = (found: Iterable<RecordId>): RecordId[] => {
    const fresh = [...new Set(found)].filter((id) => !known.has(id));
    for (const id of fresh) known.add(id);
    derived.push(...fresh);
    return fresh;
  };
  const composed = await listThere(store, space, [...madeInto]);
  for (let next = [...ids, ...take(composed)]; next.length > 0; ) {
    const found: RecordId[] = [];
    for (let i = 0; i < next.length; i += AT_ONCE) {
      const some = next.slice(i, i + AT_ONCE);
      const ends = new Set(some);
      for (const { from, to, type } of await store.listRelations(space, some, passOver))
        if (ends.has(to) && MADE_FROM.has(spellType(type))) found.push(from);
    }
    next = take(found);
  }
  return derived;
}

async function listThere(store: Records, space: SpaceId, ids: readonly RecordId[]): Promise<RecordId[]> {
  const there: RecordId[] = [];
  for (let i = 0; i < ids.length; i += AT_ONCE)
    for (const { id } of await store.getRecords(space, ids.slice(i, i + AT_ONCE), passOver)) there.push(id);
  return there;
}

/** What its kind composes of this record and others. */
export function madeIntoOf({ kinds }: { kinds: KindTable }, record: StoredRecord): readonly RecordId[] {
  return kinds.find(record.kind)?.madeInto?.(record) ?? [];
}
