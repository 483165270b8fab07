import { collectDamage, describeLeftOut } from '../../model/damage.ts';
import type { SpaceId } from '../../model/ids.ts';
import { lateFunctions } from '../../model/late.ts';
import type { Hit, SearchQuery, SearchResult } from '../../model/search.ts';
import { toIndexFilter } from '../../search/filter-mask.ts';
import { keepRelevant } from '../../search/keep-relevant.ts';
import { createScratch } from '../../search/scratch.ts';
import { searchWords } from '../../search/search-words.ts';
import { authorize } from '../authorize.ts';
import type { Clock, Log, Reads } from '../ports.ts';
import { refuseSealed } from '../refuse-sealed.ts';
import type { Answering, FoundHits } from './answering.ts';
import { writeCursor } from './cursor.ts';
import { readWholePassages } from './derive-passages.ts';
import { addFallback } from './fallback-hits.ts';
import { createKeptRows } from './kept-rows.ts';
import { searchList } from './list-hits.ts';
import { readRequest } from './read-request.ts';
import type { Search, SearchParts, SearchSettings } from './search-parts.ts';
import { showHits } from './show-hits.ts';

const { rankAgain } = lateFunctions(() => import('./rank-again.ts'), 'rankAgain');

export function createSearch(parts: SearchParts, settings: SearchSettings): Search {
  const scratch = createScratch();
  const kept = createKeptRows();
  return async (caller, query) => {
    const spaces = [...new Set(caller.spaces)];
    for (const space of spaces) authorize(caller, 'read', space);
    const isRankedAgain = query.rerank === true || query.ranking !== undefined;
    // Another order may put a weak hit first, so each is shown in full.
    const wanted = isRankedAgain ? { ...query, limit: poolFor(query.limit), weakInFull: true } : query;
    const request = await readRequest(parts, settings, { caller, query: wanted });
    const damage = collectDamage();
    const answering: Answering = { parts, settings, spaces, request, scratch, kept, note: damage.note };
    const found = await findHits(answering);
    await refuseWhereSealed(parts, found, { own: caller.space, spaces, offset: request.offset });
    const relevant = request.relevantOnly ? keepRelevant(found.hits, verdictOf(found)) : found.hits;
    const again = isRankedAgain ? await rankPage(answering, relevant, query) : { hits: relevant };
    const { shown, truncated } = cutAnswer(again.hits, request.maxChars);
    countReads(parts, shown);
    const next = isRankedAgain ? null : findNext(found, shown, request.offset);
    const damaged = damage.ids();
    const lost = parts.store.lostWrites?.() ?? null;
    return {
      hits: shown,
      total: found.total,
      ...(found.atLeast && { atLeast: true }),
      verdict: verdictOf(found),
      searchedBy: found.searchedBy,
      cursor: next === null ? null : writeCursor(next, request.fingerprint),
      weaker: again.hits.filter((hit) => hit.weak).length + found.hits.length - relevant.length + found.leftOut,
      truncated,
      notices: [
        ...found.notices,
        ...(again.notices ?? []),
        ...(damaged.length === 0 ? [] : [describeLeftOut(damaged)]),
        ...(lost === null ? [] : [lost.message]),
      ],
      ...(damaged.length > 0 && { damaged }),
      timeRange: request.timeRange,
      ...(request.debug ? { debug: found.debug } : {}),
    };
  };
}

async function findHits(answering: Answering): Promise<FoundHits> {
  const { query, mode, fallback } = answering.request;
  if (query === '' || mode === 'exact') return searchList(answering);
  const found = await searchPassages(answering, mode);
  return fallback ? addFallback(answering, found) : found;
}

/** Asks the index, and reads what is shown of what it found. */
async function searchPassages(
  { parts, settings, spaces, request, scratch, kept, note }: Answering,
  mode: Exclude<Answering['request']['mode'], 'exact'>,
): Promise<FoundHits> {
  const { store, kinds, indexes, log } = parts;
  const { findings, isLean, ...found } = await searchWords({
    indexes,
    passages: readWholePassages(store, kinds),
    log,
    scratch,
    spaces,
    question: {
      ...request,
      mode,
      filter: toIndexFilter(kinds, request.filter),
      // What a fallback adds to is the whole page.
      relevantOnly: request.relevantOnly && !request.fallback,
    },
    weights: { words: settings.wordsWeight, meaning: settings.meaningWeight },
    without: settings.rankWithout,
    note,
  });
  const started = performance.now();
  const hits = await showHits({ store, kinds, note, kept: isLean ? null : kept }, findings);
  found.debug.ms.read! += performance.now() - started;
  return { ...found, hits };
}

/** A sealed space holds nothing that could be found; others that are searched with it may. */
async function refuseWhereSealed(
  parts: SearchParts,
  { hits, total }: FoundHits,
  { own, spaces, offset }: { own: SpaceId; spaces: readonly SpaceId[]; offset: number },
): Promise<void> {
  if (hits.length === 0 && offset === 0 && (total === 0 || spaces.length > 1)) await refuseSealed(parts, own);
}

function verdictOf({ isReliable }: FoundHits): SearchResult['verdict'] {
  return isReliable ? 'found' : 'nothing';
}

/** Where the page after this one begins, which is earlier where hits were left out or cut off. */
function findNext({ hits, leftOut, next }: FoundHits, shown: readonly Hit[], offset: number): number | null {
  return shown.length === hits.length && leftOut === 0 ? next : offset + shown.length;
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

async function rankPage(
  { parts, settings, request }: Answering,
  found: readonly Hit[],
  { rerank = false, ranking, limit = 10 }: SearchQuery,
): Promise<{ hits: readonly Hit[]; notices?: string[] }> {
  const { query, now } = request;
  const { decayWindowDays } = settings;
  const { hits, notices } = await rankAgain(parts, found, {
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

/** Leaves out whole hits from the end until the rest fits, but never the first. */
function cutAnswer(hits: readonly Hit[], maxChars: number): { shown: Hit[]; truncated: SearchResult['truncated'] } {
  const totalChars = FRAME + hits.reduce((sum, hit) => sum + measureHit(hit), 0);
  if (maxChars === 0 || totalChars <= maxChars) return { shown: [...hits], truncated: null };
  const shown: Hit[] = [];
  let chars = FRAME;
  for (const hit of hits) {
    const size = measureHit(hit);
    if (shown.length > 0 && chars + size > maxChars) break;
    shown.push(hit);
    chars += size;
  }
  const omitted = hits.length - shown.length;
  return { shown, truncated: omitted === 0 ? null : { shown: shown.length, omitted, chars, totalChars } };
}

/** What stands around the hits of an answer to an agent, and around the texts of each: id, age, names of fields, notices. */
const FRAME = 300;
const AROUND = 120;

/** About as many characters as an agent gets to read. */
function measureHit({ title, snippet, tags, project, type }: Hit): number {
  const labels = [...tags, project ?? '', type].join(', ').length;
  const shownTitle = snippet.startsWith(title.replace(/…$/, '')) ? 0 : title.length;
  const marks = snippet.split('\n').length * 5;
  return AROUND + labels + shownTitle + snippet.length + marks;
}
