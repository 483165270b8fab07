import type { ListFilter } from '../../model/filter.ts';
import type { Hit } from '../../model/search.ts';
import { tokenize } from '../../search/text/tokenize.ts';
import type { Answering, FoundHits } from './answering.ts';
import { derivePassages } from './derive-passages.ts';
import { type Listed, listMatches } from './list-matches.ts';
import { makeHit } from './show-hits.ts';

/** Records whose content holds the query as it stands, or without one whatever passes the filter; newest first. */
export async function searchList(answering: Answering): Promise<FoundHits> {
  const { query, filter, offset, limit } = answering.request;
  const searchedBy = query === '' ? 'filter' : 'exact';
  const started = performance.now();
  const { hits, total, isLeast, hasMore } = await listHits(answering, {
    filter: query === '' ? filter : { ...filter, contains: query },
    matched: searchedBy,
    offset,
  });
  const ms = { read: performance.now() - started };
  const debug = { candidates: total, filtered: total, passages: 0, head: {}, ms };
  const next = hasMore ? offset + limit : null;
  return {
    hits,
    total,
    ...(isLeast && { atLeast: true }),
    next,
    leftOut: 0,
    isReliable: total > 0,
    searchedBy,
    notices: [],
    debug,
  };
}

interface Wanted {
  filter: ListFilter;
  matched: 'exact' | 'tag' | 'filter';
  offset: number;
  /** False: nobody asks how many there are. */
  total?: boolean;
}

/** Hits that no ranking stands behind: certain, equal, newest first. */
export async function listHits(
  { parts, spaces, request, note }: Answering,
  { filter, matched, offset, total: wantsTotal = true }: Wanted,
): Promise<Omit<Listed, 'records'> & { hits: Hit[] }> {
  const { store, kinds } = parts;
  const { records, ...counted } = await listMatches(parts, {
    spaces,
    filter,
    offset,
    limit: request.limit,
    note,
    total: wantsTotal,
  });
  const words = matched === 'exact' ? [...tokenize(request.query)] : [];
  const needle = request.query.toLowerCase();
  const hits: Hit[] = [];
  for (const [space, own] of Map.groupBy(records, (record) => record.space)) {
    const ids = own.map(({ id }) => id);
    const passages = matched === 'exact' ? await store.readPassages(space, ids) : null;
    for (const record of own) {
      const texts = passages === null ? [] : (passages.get(record.id) ?? derivePassages(kinds, record));
      const ordinal = texts.find(({ text }) => text.toLowerCase().includes(needle))?.ordinal ?? 0;
      const why = { matched: [matched], words, text: null, meaning: null, weights: {} };
      hits.push(
        makeHit(
          kinds,
          { record, passages: texts },
          { ordinal, words, score: 1, confidence: 1, weak: false, isShort: false, why },
        ),
      );
    }
  }
  const order = new Map(records.map((record, i) => [record.id, i]));
  return { hits: hits.sort((a, b) => order.get(a.id)! - order.get(b.id)!), ...counted };
}
