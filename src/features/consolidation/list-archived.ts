import { authorize } from '../../engine/authorize.ts';
import type { Records } from '../../engine/ports.ts';
import { readPages } from '../../engine/records/find-records.ts';
import type { Caller } from '../../model/caller.ts';
import { passOver } from '../../model/damage.ts';
import type { Memory } from '../memories/memory.ts';
import { toMemory } from '../memories/to-memory.ts';
import { isArchived } from './restore-archived.ts';
import { type RunPart, runKind } from './run-kind.ts';

const PAGE = 50;

/** What is archived in the caller's space, by the runs that did it, the latest first. */
export async function listArchived({ store }: { store: Records }, caller: Caller, limit: number): Promise<Memory[]> {
  authorize(caller, 'read', caller.space);
  const found = new Map<string, Memory>();
  const filter = { kinds: [runKind.name], types: ['part'] };
  for await (const { items } of readPages(store, caller.space, { filter, limit: PAGE, note: passOver })) {
    const entries = items.flatMap(({ body }) => (body as unknown as RunPart).entries);
    const ids = entries.flatMap((entry) => (entry.what === 'archived' && !found.has(entry.id) ? [entry.id] : []));
    const records = ids.length === 0 ? [] : await store.getRecords(caller.space, ids, passOver);
    for (const record of records)
      if (record.deletedAt === null && isArchived(record) && found.size < limit) found.set(record.id, toMemory(record));
    if (found.size >= limit) break;
  }
  return [...found.values()];
}
