import type { Embedder } from '../engine/ports.ts';
import type { KindTable } from '../engine/records/kind.ts';
import { addFallback } from '../engine/searches/fallback-hits.ts';
import type { KeptRows } from '../engine/searches/kept-rows.ts';
import type { SearchRequest } from '../engine/searches/read-request.ts';
import type { NoteDamage } from '../model/damage.ts';
import type { SpaceId } from '../model/ids.ts';
import type { EmbedderId } from '../model/passage.ts';
import type { Hit, SearchResult } from '../model/search.ts';
import { asksForTime } from './add-bonuses.ts';
import { JUDGED_BESIDE } from './confidence.ts';
import { type EmbeddedQuery, embedQuery } from './embed-query.ts';
import { toIndexFilter } from './filter-mask.ts';
import { giveWay } from './index/pacer.ts';
import { alignConfidence } from './keep-relevant.ts';
import { leaveOutNames } from './name-patterns.ts';
import { findNamedProjects, listProjects } from './name-projects.ts';
import { findNamed, listSpeakers } from './name-speakers.ts';
import { listPhraseWords } from './phrase-words.ts';
import type { SearchPorts } from './ports.ts';
import { presentHits } from './present-hits.ts';
import type { Ranking, RankRequest } from './rank.ts';
import type { RankingStep } from './ranking-steps.ts';
import { runRanking } from './run-ranking.ts';
import { trustMeaning, type Weights } from './score.ts';
import type { Scratch } from './scratch.ts';
import type { SearchSet } from './search-set.ts';
import type { SpaceIndexes } from './space-indexes.ts';
import { parseQuery, type QueryTerm } from './text/parse-query.ts';
import { readQueryKind } from './text/query-kind.ts';
import { walkPhrases } from './walk-phrases.ts';

/** One page of an answer, before the budget of characters cuts it. */
export interface Found extends Pick<SearchResult, 'hits' | 'total' | 'atLeast' | 'searchedBy' | 'notices'> {
  /** Where the page after this one begins; null on the last. */
  next: number | null;
  /** The best hit of all pages is likely enough to be what was asked for. */
  isReliable: boolean;
  /** How many weak hits of the page were not read. */
  leftOut: number;
  debug: NonNullable<SearchResult['debug']>;
}

export interface Searching {
  /** Parts of the ranking that are left out. */
  without: readonly RankingStep[];
  weights: Weights;
  ports: SearchPorts;
  kinds: KindTable;
  indexes: SpaceIndexes;
  scratch: Scratch;
  kept: KeptRows;
  spaces: readonly SpaceId[];
  request: SearchRequest;
  /** Told of what an answer leaves out. */
  note: NoteDamage;
}

/** The first search of a program loads the index and runs code that has never run: others get their turn between its steps. */
const LONG_MS = 5;

/** Hybrid, text and semantic search: rank everything, then read what is shown. */
export async function searchWords(searching: Searching): Promise<Found> {
  const { ports, indexes, spaces, request, without } = searching;
  const started = performance.now();
  const { named, projects } =
    request.mode === 'text'
      ? { named: [], projects: [] }
      : await indexes.search(spaces, async (set) => ({
          named: findNamed(request.query, listSpeakers(set)),
          projects: findNamedProjects(request.query, listProjects(set)),
        }));
  const about = without.includes('names')
    ? request.query
    : leaveOutNames(request.query, [...named.map(({ as }) => as), ...projects]);
  const embedded =
    request.mode === 'text'
      ? { vector: null, notice: null }
      : await embedQuery({ ...ports, embedder: await chooseEmbedder(indexes, spaces) }, about);
  const embedMs = performance.now() - started;
  if (embedMs > LONG_MS) await giveWay();
  const found = await searchPhrasesFirst(searching, {
    ...embedded,
    speaker: named.length === 1 ? named[0]!.speaker : null,
    project: projects.length === 1 ? projects[0]! : null,
    about,
    isFresh: request.mode !== 'text',
  });
  found.debug.ms.embed = embedMs;
  return request.fallback ? await addFallback(searching, found) : found;
}

/** Spaces that have not come equally far with a change of embedder are all searched by the first one's; the others give their words. */
async function chooseEmbedder(indexes: SpaceIndexes, [space]: readonly SpaceId[]): Promise<Embedder | null> {
  return space === undefined ? null : indexes.embedderOf(space);
}

interface Prepared extends EmbeddedQuery {
  speaker: string | null;
  project: string | null;
  /** The question without the names of speakers and projects. */
  about: string;
  /** The indexes were brought to their heads after the search began. */
  isFresh: boolean;
}

interface Wanted extends Prepared {
  terms: readonly QueryTerm[];
  phrases: readonly string[];
}

/** Who quotes and says nothing else, or searches by words, wants the quoted alone. In a question it comes first, and then whatever else answers it. */
async function searchPhrasesFirst(searching: Searching, prepared: Prepared): Promise<Found> {
  const { request } = searching;
  const parsed = parseQuery(request.query);
  const { phrases, saysMore } = parsed;
  const { terms } = prepared.about === request.query ? parsed : parseQuery(prepared.about);
  if (phrases.length === 0 || !saysMore || request.mode === 'text')
    return searchOnce(searching, { ...prepared, terms, phrases });
  const { offset, limit } = request;
  const fromStart: Searching = {
    ...searching,
    request: { ...request, offset: 0, limit: offset + limit, relevantOnly: false },
  };
  const holding = await searchOnce(fromStart, { ...prepared, terms, phrases });
  const all = await searchOnce(fromStart, { ...prepared, terms, phrases: [] });
  const first = new Set(holding.hits.map((hit) => `${hit.space} ${hit.id}`));
  const lowest = holding.hits.at(-1)?.score ?? Infinity;
  const others = all.hits
    .filter((hit) => !first.has(`${hit.space} ${hit.id}`))
    .map((hit) => ({ ...hit, score: Math.min(hit.score, lowest) }));
  const hits = [...holding.hits, ...others];
  alignConfidence(hits);
  const isReliable = holding.hits.length > 0 || all.isReliable;
  return { ...all, hits: hits.slice(offset, offset + limit), isReliable, leftOut: 0 };
}

async function searchOnce(
  { ports, kinds, indexes, scratch, kept, spaces, request, without, weights, note }: Searching,
  { vector, notice, speaker, project, isFresh, terms, phrases }: Wanted,
): Promise<Found> {
  const { limit, offset, filter, qualityBoost, now } = request;
  const keep = phrases.length > 0 ? Number.MAX_SAFE_INTEGER : Math.max(JUDGED_BESIDE, offset + limit);
  const wanted: RankRequest = {
    terms,
    required: listPhraseWords(phrases),
    vector,
    useText: request.mode !== 'semantic',
    speaker,
    project,
    asksForTime: asksForTime(request.query),
    without,
    weights: { ...weights, meaning: weights.meaning * trustMeaning(vector?.familiarity ?? 1) },
    filter: toIndexFilter(kinds, filter),
    qualityBoost,
    now,
    keep,
  };
  const asked = performance.now();
  const search = isFresh ? indexes.searchOn : indexes.search;
  const { set, ranking, rankMs, refreshMs } = await search(spaces, async (set) => {
    const fresh = performance.now();
    const ranking = await runRanking(set, wanted, scratch);
    return { set, ranking, rankMs: performance.now() - fresh, refreshMs: fresh - asked };
  });
  if (rankMs > LONG_MS) await giveWay();
  const ranked = performance.now();
  const page =
    phrases.length > 0
      ? await walkPhrases({ store: ports.store, kinds, note }, ranking, { phrases, offset, limit })
      : {
          winners: ranking.best.slice(offset, offset + limit),
          total: ranking.total,
          next: ranking.total > offset + limit ? offset + limit : null,
        };
  for (const id of set.damaged) note({ what: 'record', id });
  const presented = await presentHits({ store: ports.store, kinds, note, kept }, set, {
    ranking,
    asks: readQueryKind(request.query),
    winners: page.winners,
    page: {
      isFirst: offset === 0,
      relevantOnly: request.relevantOnly && !request.fallback,
      weakInFull: request.weakInFull,
      holdsPhrase: phrases.length > 0,
    },
  });
  const { hits, leftOut } = presented;
  if (phrases.length > 0) for (const hit of hits) markPhrase(hit);
  const isReliable = phrases.length > 0 ? hits.length > 0 : presented.isReliable;
  if (phrases.length > 0) alignConfidence(hits);
  const ms = { refresh: refreshMs, rank: rankMs, read: performance.now() - ranked };
  const debug = {
    candidates: ranking.total,
    filtered: ranking.passed,
    passages: ranking.plan.docCount,
    head: set.heads,
    ms,
    ...(request.debug && presented.evidence !== null && { evidence: presented.evidence }),
  };
  return {
    hits,
    total: page.total,
    next: page.next,
    isReliable,
    leftOut,
    searchedBy: ranking.searchedBy,
    notices: listNotices({ set, ranking, notice, wanted }),
    debug,
  };
}

/** Whoever quotes wants what holds the quoted. */
const PHRASE_CONFIDENCE = 0.9;

function markPhrase(hit: Hit): void {
  hit.why.matched.push('phrase');
  hit.confidence = Math.max(hit.confidence, PHRASE_CONFIDENCE);
}

interface Noticed {
  set: SearchSet;
  ranking: Ranking;
  notice: string | null;
  wanted: RankRequest;
}

/** Where words are required, only those that hold them are compared: that one of the others lacks its vector bears on the ranking all the same. */
function lacksVectors({ parts }: SearchSet, embedder: EmbedderId): boolean {
  return parts.some(({ part: { body, deadDocs, columns } }) => {
    if (body === null || body.vectors?.complete === true) return false;
    const scales = body.vectors?.embedder === embedder ? body.vectors.scales : null;
    for (let doc = 0; doc < columns.docCount; doc++)
      if (deadDocs[doc] === 0 && !(scales !== null && scales[doc]! > 0)) return true;
    return false;
  });
}

function listNotices({ set, ranking, notice, wanted }: Noticed): string[] {
  const notices = notice === null ? [] : [notice];
  const { passed, compared } = ranking;
  if (wanted.vector === null && notice === null && !wanted.useText)
    notices.push('There is no embedder: searched by words instead of meaning.');
  // Of those that lack a quoted word nobody asked for the meaning.
  if (wanted.vector !== null && wanted.required.length === 0 && compared < passed)
    notices.push(`${passed - compared} of ${passed} passages have no vector yet: they cannot be found by meaning.`);
  else if (wanted.vector !== null && wanted.required.length > 0 && lacksVectors(set, wanted.vector.embedder))
    notices.push('Some passages have no vector yet: they cannot be found by meaning.');
  if (wanted.vector !== null && set.lacksVectors > 0)
    notices.push(
      `Vectors of ${set.lacksVectors} records are damaged: meaning does not find them until \`ltm doctor --repair\`.`,
    );
  if (set.lost > 0)
    notices.push(`${set.lost} records are missing from the database, and cannot be found: run \`ltm doctor\`.`);
  if (set.lean)
    notices.push(
      'The index is larger than its memory budget: it was read from the store part by part, which is slower.',
    );
  return notices;
}
