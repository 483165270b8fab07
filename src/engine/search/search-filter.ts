import { listMatches } from './list-matches.ts';
import { presentRecords } from './search-exact.ts';
import type { Found, Searching } from './search-words.ts';

/** No query: whatever passes the filter, newest first. */
export async function searchFilter({ ports, kinds, spaces, request }: Searching): Promise<Found> {
  const { filter, offset, limit } = request;
  const started = performance.now();
  const { records, total } = await listMatches(ports.store, { spaces, filter, offset, limit });
  const hits = await presentRecords({ store: ports.store, kinds }, records, { query: '', matched: 'filter' });
  const debug = {
    candidates: total,
    filtered: total,
    passages: 0,
    head: {},
    ms: { read: performance.now() - started },
  };
  return {
    hits,
    total,
    next: total > offset + limit ? offset + limit : null,
    searchedBy: 'filter',
    notices: [],
    debug,
  };
}
