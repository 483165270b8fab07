import type { Caller } from '../../model/caller.ts';
import type { RecordFilter } from '../../model/filter.ts';
import type { Instant } from '../../model/ids.ts';
import type { SearchQuery, SearchResult } from '../../model/search.ts';
import { createSpaceIndexes } from '../../search/space-indexes.ts';
import type { EngineParts } from '../engine-parts.ts';
import { keepStates } from '../keep-states.ts';
import { checkInstant } from '../records/check-text.ts';
import { resolveQuery } from '../records/resolve-filter.ts';
import { withWholeEntries } from '../searches/derive-passages.ts';
import { createSearch } from '../searches/search.ts';
import { createStoreAsOf } from './store-as-of.ts';

/** The same search over the memory as it was at a time. */
export async function searchAsOf(
  parts: EngineParts,
  caller: Caller,
  { asOf: at, ...query }: SearchQuery & { asOf: Instant },
): Promise<SearchResult> {
  return withPast(parts, at, (past) => past.search(caller, { ...query, filter: narrowTo(query.filter ?? {}, at) }));
}

/** What was there at that time, and valid then, or at the time that is asked about. */
export function narrowTo<Filter extends RecordFilter>(filter: Filter, at: Instant): Filter {
  return { ...filter, before: Math.min(filter.before ?? Infinity, at + 1), validAt: filter.validAt ?? at };
}

/** Parts of an engine that reads the past, as long as `use` runs: its index, its search and its states are of that time. */
export async function withPast<T>(parts: EngineParts, at: Instant, use: (past: EngineParts) => Promise<T>): Promise<T> {
  checkInstant('as_of', at);
  const store = createStoreAsOf(parts, at);
  const { kinds, settings } = parts;
  const indexes = createSpaceIndexes({ ...parts, store: withWholeEntries(store, kinds) }, settings);
  const search = createSearch({ ...parts, store, indexes }, settings);
  const past: EngineParts = {
    ...parts,
    store,
    indexes,
    search: async (caller, query) => search(caller, await resolveQuery(past, caller, query)),
    state: keepStates({ store, kinds }),
  };
  try {
    return await use(past);
  } finally {
    await indexes.close();
  }
}
