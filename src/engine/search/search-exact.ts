import type { StoredRecord } from '../../model/record.ts';
import type { Hit } from '../../model/search.ts';
import type { Store } from '../ports.ts';
import type { KindTable } from '../records/kind.ts';
import { listMatches } from './list-matches.ts';
import { makeHit } from './present-hits.ts';
import type { Found, Searching } from './search-words.ts';
import { tokenize } from './text/tokenize.ts';

/** Records whose content holds the query as it stands, newest first. */
export async function searchExact({ ports, kinds, spaces, request }: Searching): Promise<Found> {
  const { query, filter, offset, limit } = request;
  const started = performance.now();
  const { records, total } = await listMatches(ports.store, {
    spaces,
    filter: { ...filter, contains: query },
    offset,
    limit,
  });
  const hits = await presentRecords({ store: ports.store, kinds }, records, { query, matched: 'exact' });
  const debug = {
    candidates: total,
    filtered: total,
    passages: 0,
    head: {},
    ms: { read: performance.now() - started },
  };
  return { hits, total, next: total > offset + limit ? offset + limit : null, searchedBy: 'exact', notices: [], debug };
}

/** Hits that no ranking stands behind: certain, equal, in the order given. */
export async function presentRecords(
  { store, kinds }: { store: Store; kinds: KindTable },
  records: readonly StoredRecord[],
  { query, matched }: { query: string; matched: 'exact' | 'tag' | 'filter' },
): Promise<Hit[]> {
  const needle = query.toLowerCase();
  const words = matched === 'exact' ? tokenize(query) : [];
  const hits: Hit[] = [];
  for (const [space, inSpace] of Map.groupBy(records, (record) => record.space)) {
    const passages =
      matched === 'exact'
        ? await store.readPassages(
            space,
            inSpace.map(({ id }) => id),
          )
        : new Map();
    for (const record of inSpace) {
      const own = passages.get(record.id) ?? [];
      const ordinal = own.find(({ text }: { text: string }) => text.toLowerCase().includes(needle))?.ordinal ?? 0;
      const why = { matched: [matched], words, text: null, meaning: null, weights: {} };
      hits.push(makeHit(kinds, { record, passages: own }, { ordinal, words, score: 1, confidence: 1, why }));
    }
  }
  const order = new Map(records.map((record, i) => [record.id, i]));
  return hits.sort((a, b) => order.get(a.id)! - order.get(b.id)!);
}
