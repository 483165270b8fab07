import type { ListFilter } from '../../model/filter.ts';
import type { RecordKind, StoredRecord } from '../../model/record.ts';

export interface FilterInput {
  filter?: ListFilter;
  /** Time texts, read in the caller's zone. */
  after?: string;
  before?: string;
}

export interface DeleteRecordsInput extends FilterInput {
  kind: RecordKind;
  /** Ids, content hashes or keys. They win over a filter, which may not be empty. */
  refs?: readonly string[];
  project?: string;
  dryRun?: boolean;
  /** Only at this revision; with one ref. */
  revision?: number;
  /** What they state does not come back, whoever says it; without it, it is not taken from the same source again. */
  forever?: boolean;
  /** With `forever`. */
  why?: string;
}

export interface DeletedRecords {
  outcome: 'deleted' | 'would_delete';
  /** The first hundred; `count` says how many in all. */
  records: StoredRecord[];
  count: number;
  missing: string[];
}
