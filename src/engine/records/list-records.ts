import type { Caller } from '../../model/caller.ts';
import type { Page } from '../../model/page.ts';
import type { RecordKind, StoredRecord } from '../../model/record.ts';
import { authorize } from '../authorize.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { PageRequest } from '../ports.ts';
import { invalid } from './check-text.ts';
import { listAcrossSpaces } from './list-across-spaces.ts';
import { spacesOf } from './locate.ts';
import { type FilterInput, readFilter } from './read-filter.ts';

const DAY = 86_400_000;
const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 1000;

export interface ListRecordsInput extends FilterInput {
  /** Absent: of any kind that the filter lets through. */
  kind?: RecordKind;
  page?: Partial<PageRequest>;
  /** Not created, changed or read in this many days. */
  staleDays?: number;
}

/** Newest first, over all of the caller's spaces. */
export async function listRecords(
  parts: EngineParts,
  caller: Caller,
  { page = {}, staleDays, ...input }: ListRecordsInput,
): Promise<Page<StoredRecord>> {
  const spaces = spacesOf(caller);
  for (const space of spaces) authorize(caller, 'read', space);
  const filter = await readFilter(parts, caller, input);
  if (staleDays !== undefined) {
    if (!(staleDays > 0)) throw invalid('staleDays', 'must be more than 0');
    filter.idleSince = parts.clock.now() - staleDays * DAY;
  }
  return listAcrossSpaces(parts.store, spaces, { filter, page: readPage(page) });
}

function readPage({ limit = DEFAULT_LIMIT, cursor, offset }: Partial<PageRequest>): PageRequest {
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT)
    throw invalid('limit', `must be a whole number from 1 to ${MAX_LIMIT}`);
  if (offset !== undefined && !(Number.isInteger(offset) && offset >= 0))
    throw invalid('offset', 'must be a whole number from 0');
  if (cursor !== undefined && cursor !== null) return { limit, cursor };
  return offset === undefined ? { limit } : { limit, offset };
}
