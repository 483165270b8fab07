import { collectDamage, describeLeftOut } from '../../model/damage.ts';
import type { Hit, SearchQuery } from '../../model/search.ts';
import { keepRelevant } from '../../search/keep-relevant.ts';
import type { Search, SearchPorts, SearchSettings } from '../../search/ports.ts';
import { createScratch } from '../../search/scratch.ts';
import { type Searching, searchWords } from '../../search/search-words.ts';
import type { SpaceIndexes } from '../../search/space-indexes.ts';
import { authorize } from '../authorize.ts';
import type { Clock, Log, Reads } from '../ports.ts';
import { refuseSealed } from '../refuse-sealed.ts';
import { writeCursor } from './cursor.ts';
import { cutAnswer } from './cut-answer.ts';
import { createKeptRows } from './kept-rows.ts';
import { searchList } from './list-hits.ts';
import { readRequest, type SearchRequest } from './read-request.ts';

export function createSearch(ports: SearchPorts, settings: SearchSettings, indexes: SpaceIndexes): Search {
  const scratch = createScratch();
  const kept = createKeptRows();
  const { kinds } = ports;
  return async (caller, query) => {
    const spaces = [...new Set(caller.spaces)];
    for (const space of spaces) authorize(caller, 'read', space);
    kinds.check(query.filter?.kinds);
    const isRankedAgain = query.rerank === true || query.ranking !== undefined;
    // Another order may put a weak hit first, so each is shown in full.
    const wanted = isRankedAgain ? { ...query, limit: poolFor(query.limit), weakInFull: true } : query;
    const request = await readRequest(ports, settings, { caller, query: wanted });
    if (request.filter.kinds !== undefined) request.filter.kinds = kinds.withParts(request.filter.kinds);
    else if (kinds.unusual.length > 0) request.filter.kinds = kinds.usual;
    const find = request.query === '' || request.mode === 'exact' ? searchList : searchWords;
    const damage = collectDamage();
    const searching: Searching = {
      note: damage.note,
      ports,
      kinds,
      indexes,
      scratch,
      kept,
      spaces,
      request,
      without: settings.rankWithout,
      weights: { words: settings.wordsWeight, meaning: settings.meaningWeight },
    };
    const { hits, total, atLeast, searchedBy, notices, next, debug, isReliable, leftOut } = await find(searching);
    // A sealed space holds nothing that could be found; others that are searched with it may.
    if (hits.length === 0 && request.offset === 0 && (total === 0 || spaces.length > 1))
      await refuseSealed(ports, caller.space);
    const verdict = isReliable ? 'found' : 'nothing';
    const relevant = request.relevantOnly ? keepRelevant(hits, verdict) : hits;
    const again = isRankedAgain ? await rankPage(ports, relevant, { query, request, settings }) : { hits: relevant };
    const { shown, truncated } = cutAnswer(again.hits, request.maxChars);
    const following = isRankedAgain
      ? null
      : shown.length === hits.length && leftOut === 0
        ? next
        : request.offset + shown.length;
    countReads(ports, shown);
    const damaged = damage.ids();
    const lost = ports.store.lostWrites?.() ?? null;
    return {
      hits: shown,
      total,
      ...(atLeast && { atLeast }),
      verdict,
      searchedBy,
      cursor: following === null ? null : writeCursor(following, request.fingerprint),
      weaker: again.hits.filter((hit) => hit.weak).length + hits.length - relevant.length + leftOut,
      truncated,
      notices: [
        ...notices,
        ...(again.notices ?? []),
        ...(damaged.length === 0 ? [] : [describeLeftOut(damaged)]),
        ...(lost === null ? [] : [lost.message]),
      ],
      ...(damaged.length > 0 && { damaged }),
      timeRange: request.timeRange,
      ...(request.debug ? { debug } : {}),
    };
  };
}

/** More than are shown, as many as one page can hold. */
const SHARE_SHOWN = 3;
const LEAST_POOL = 40;
const MAX_POOL = 100;

/** A limit that cannot be is left for the request to refuse. */
function poolFor(limit = 10): number {
  return limit > MAX_POOL || limit < 1
    ? limit
    : Math.min(MAX_POOL, Math.max(LEAST_POOL, Math.ceil(limit) * SHARE_SHOWN));
}

interface RankedAgain {
  query: SearchQuery;
  request: SearchRequest;
  settings: SearchSettings;
}

async function rankPage(
  ports: SearchPorts,
  found: readonly Hit[],
  { query: { rerank = false, ranking, limit = 10 }, request, settings }: RankedAgain,
): Promise<{ hits: readonly Hit[]; notices?: string[] }> {
  const { rankAgain } = await import('./rank-again.ts');
  const { query, now } = request;
  const { decayWindowDays } = settings;
  const { hits, notices } = await rankAgain(ports, found, {
    rerank,
    weights: ranking ?? null,
    query,
    now,
    decayWindowDays,
  });
  return { hits: hits.slice(0, limit), notices };
}

/** Nobody waits for statistics. */
function countReads({ store, clock, log }: { store: Reads; clock: Clock; log: Log }, hits: readonly Hit[]): void {
  for (const [space, own] of Map.groupBy(hits, (hit) => hit.space)) {
    const ids = own.map((hit) => hit.id);
    store
      .recordReads(space, ids, clock.now())
      .catch((error: unknown) => log.warn('reads_not_counted', { space, message: String(error) }));
  }
}
