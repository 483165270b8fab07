import type { Caller } from '../../model/caller.ts';
import type { RecordKind, StoredRecord } from '../../model/record.ts';
import type { EngineParts } from '../engine-parts.ts';
import { groupBySpace, locateAll } from './locate.ts';

export interface GetRecordsInput {
  /** Absent: of any kind. */
  kind?: RecordKind;
  /** Ids, content hashes or keys. */
  refs: readonly string[];
  /** Where a ref is a key: the project it belongs to. */
  project?: string;
  includeDeleted?: boolean;
}

export interface FoundRecords {
  records: StoredRecord[];
  /** Absent, foreign and purged look the same. */
  missing: string[];
}

export async function getRecords(
  parts: EngineParts,
  caller: Caller,
  { refs, includeDeleted, ...named }: GetRecordsInput & { anyKindById?: boolean },
): Promise<FoundRecords> {
  const records: StoredRecord[] = [];
  const missing: string[] = [];
  const deleted = includeDeleted === true ? 'include' : 'exclude';
  for (const ref of refs) {
    const [record] = await locateAll(parts, caller, { ...named, ref, action: 'read', deleted });
    if (record === undefined) missing.push(ref);
    else if (!records.some(({ id }) => id === record.id)) records.push(record);
  }
  countReads(parts, records);
  return { records, missing };
}

/** Statistics are kept apart from the record and never hold up or fail a read. */
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
