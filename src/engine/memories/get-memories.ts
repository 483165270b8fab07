import type { Caller } from '../../model/caller.ts';
import type { Memory } from '../../model/memory.ts';
import type { StoredRecord } from '../../model/record.ts';
import { toMemory } from '../../model/to-memory.ts';
import type { GetMemoriesInput } from '../engine.ts';
import type { EngineParts } from '../engine-parts.ts';
import { groupBySpace, locateAll } from './locate.ts';

export async function getMemories(
  parts: EngineParts,
  caller: Caller,
  input: GetMemoriesInput,
): Promise<{ memories: Memory[]; missing: string[] }> {
  const records: StoredRecord[] = [];
  const missing: string[] = [];
  for (const ref of input.refs) {
    const deleted = input.includeDeleted === true ? 'include' : 'exclude';
    const [record] = await locateAll(parts, caller, {
      ref,
      action: 'read',
      project: input.project,
      deleted,
      anyKind: true,
    });
    if (record === undefined) missing.push(ref);
    else if (!records.some(({ id }) => id === record.id)) records.push(record);
  }
  countReads(parts, records);
  return { memories: records.map(toMemory), missing };
}

/** Statistics are kept apart from the memory and never hold up or fail a read. */
function countReads({ store, clock, log, tally }: EngineParts, records: readonly StoredRecord[]): void {
  for (const [space, read] of groupBySpace(records)) {
    const ids = read.map((record) => record.id);
    const counted = store
      .recordReads(space, ids, clock.now())
      .catch((error: unknown) =>
        log.warn('reads_not_counted', { message: error instanceof Error ? error.message : String(error) }),
      )
      .finally(() => tally.unfinished.delete(counted));
    tally.unfinished.add(counted);
  }
}
