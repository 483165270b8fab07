import type { NoteDamage } from '../model/damage.ts';
import type { Instant, SpaceId } from '../model/ids.ts';
import type { EmbedderId } from '../model/passage.ts';
import type { SearchResult } from '../model/search.ts';
import { giveWay } from '../model/turn.ts';
import { asksForTime } from './add-bonuses.ts';
import { JUDGED_BESIDE } from './confidence.ts';
import { type EmbeddedQuery, embedQuery } from './embed-query.ts';
import type { IndexFilter } from './filter-mask.ts';
import { type Finding, judgePage } from './judge-page.ts';
import { alignConfidence } from './keep-relevant.ts';
import { listPhraseWords } from './phrase-words.ts';
import type { Log, PassageReader } from './ports.ts';
import { findNamed, findNamedProjects, leaveOutNames, listProjects, listSpeakers } from './question-names.ts';
import type { Ranking, RankRequest } from './rank.ts';
import type { RankingStep } from './ranking-steps.ts';
import { runRanking } from './run-ranking.ts';
import { trustMeaning, type Weights } from './score.ts';
import type { Scratch } from './scratch.ts';
import type { SearchSet } from './search-set.ts';
import type { SpaceIndexes } from './space-indexes.ts';
import { parseQuery, type QueryTerm } from './text/parse-query.ts';
import { readQueryKind } from './text/query-kind.ts';
import { type PhrasePage, walkPhrases } from './walk-phrases.ts';

/** What is looked for, and which page of it is wanted. */
export interface Question {
  query: string;
  /** text: by words alone. semantic: by meaning alone, where there is an embedder. */
  mode: 'hybrid' | 'text' | 'semantic';
  filter: IndexFilter;
  limit: number;
  offset: number;
  qualityBoost: number;
  relevantOnly: boolean;
  weakInFull: boolean;
  /** What the verdict was judged by is told, too. */
  debug: boolean;
  now: Instant;
}

/** One page of what was found. */
export interface Found extends Pick<SearchResult, 'total' | 'searchedBy' | 'notices'> {
  findings: Finding[];
  /** Where the page after this one begins; null on the last. */
  next: number | null;
  /** The best of all pages is likely enough to be what was asked for. */
  isReliable: boolean;
  /** How many weak ones of the page were left out. */
  leftOut: number;
  /** The index is larger than its budget: no place in it lasts. */
  isLean: boolean;
  debug: NonNullable<SearchResult['debug']>;
}

export interface Searching {
  indexes: SpaceIndexes;
  passages: PassageReader;
  log: Log;
  scratch: Scratch;
  spaces: readonly SpaceId[];
  question: Question;
  weights: Weights;
  /** Parts of the ranking that are left out. */
  without: readonly RankingStep[];
  /** Told of what an answer leaves out. */
  note: NoteDamage;
}

/** The first search of a program loads the index and runs code that has never run, and a question may be a page of text: others get their turn between the steps. */
const LONG_MS = 5;

/** Hybrid, text and semantic search: ranks everything, then judges the page that is shown. */
export async function searchWords(searching: Searching): Promise<Found> {
  const started = performance.now();
  const prepared = await prepare(searching);
  const embedMs = performance.now() - started;
  if (embedMs > LONG_MS) await giveWay();
  const found = await searchPhrasesFirst(searching, prepared);
  found.debug.ms.embed = embedMs;
  return found;
}

interface Prepared extends EmbeddedQuery {
  speaker: string | null;
  project: string | null;
  /** The question without the names of speakers and projects. */
  about: string;
  /** The indexes were brought to their heads after the search began. */
  isFresh: boolean;
}

/** Whom and which project the question names, and what the rest of it means. */
async function prepare({ indexes, log, spaces, question, without }: Searching): Promise<Prepared> {
  const { query, mode } = question;
  if (mode === 'text')
    return { vector: null, notice: null, speaker: null, project: null, about: query, isFresh: false };
  const { named, projects } = await indexes.search(spaces, async (set) => ({
    named: findNamed(query, listSpeakers(set)),
    projects: findNamedProjects(query, listProjects(set)),
  }));
  const about = without.includes('names') ? query : leaveOutNames(query, [...named.map(({ as }) => as), ...projects]);
  // Spaces that have not come equally far with a change of embedder are all searched by the first one's; the others give their words.
  const [space] = spaces;
  const embedder = space === undefined ? null : await indexes.embedderOf(space);
  const { vector, notice } = await embedQuery({ embedder, log }, about);
  return {
    vector,
    notice,
    speaker: named.length === 1 ? named[0]!.speaker : null,
    project: projects.length === 1 ? projects[0]! : null,
    about,
    isFresh: true,
  };
}

interface Wanted extends Prepared {
  terms: readonly QueryTerm[];
  phrases: readonly string[];
}

/** Who quotes and says nothing else, or searches by words, wants the quoted alone. In a question it comes first, and then whatever else answers it. */
async function searchPhrasesFirst(searching: Searching, prepared: Prepared): Promise<Found> {
  const { question } = searching;
  const started = performance.now();
  const parsed = parseQuery(question.query);
  const { phrases, saysMore } = parsed;
  const { terms } = prepared.about === question.query ? parsed : parseQuery(prepared.about);
  if (performance.now() - started > LONG_MS) await giveWay();
  if (phrases.length === 0 || !saysMore || question.mode === 'text')
    return searchOnce(searching, { ...prepared, terms, phrases });
  const { offset, limit } = question;
  const fromStart: Searching = {
    ...searching,
    question: { ...question, offset: 0, limit: offset + limit, relevantOnly: false },
  };
  const holding = await searchOnce(fromStart, { ...prepared, terms, phrases });
  const all = await searchOnce(fromStart, { ...prepared, terms, phrases: [] });
  const first = new Set(holding.findings.map(({ space, id }) => `${space} ${id}`));
  const lowest = holding.findings.at(-1)?.score ?? Infinity;
  const others = all.findings
    .filter(({ space, id }) => !first.has(`${space} ${id}`))
    .map((finding) => ({ ...finding, score: Math.min(finding.score, lowest) }));
  const findings = [...holding.findings, ...others];
  alignConfidence(findings);
  const isReliable = holding.findings.length > 0 || all.isReliable;
  return { ...all, findings: findings.slice(offset, offset + limit), isReliable, leftOut: 0 };
}

async function searchOnce(searching: Searching, wanted: Wanted): Promise<Found> {
  const asked = describeRanking(searching, wanted);
  const { set, ranking, ms } = await rankAll(searching, asked, wanted.isFresh);
  const ranked = performance.now();
  const page = await takePage(searching, ranking, wanted.phrases);
  for (const id of set.damaged) searching.note({ what: 'record', id });
  const holdsPhrase = wanted.phrases.length > 0;
  const { question } = searching;
  const { findings, leftOut, isReliable, evidence } = await judgePage(set, {
    ranking,
    asks: readQueryKind(question.query),
    winners: page.winners,
    isFirst: question.offset === 0,
    relevantOnly: question.relevantOnly,
    weakInFull: question.weakInFull,
    holdsPhrase,
  });
  if (holdsPhrase) markPhrases(findings);
  const debug = {
    candidates: ranking.total,
    filtered: ranking.passed,
    passages: ranking.plan.docCount,
    head: set.heads,
    ms: { ...ms, read: performance.now() - ranked },
    ...(question.debug && evidence !== null && { evidence }),
  };
  return {
    findings,
    total: page.total,
    next: page.next,
    isReliable: holdsPhrase ? findings.length > 0 : isReliable,
    leftOut,
    isLean: set.lean,
    searchedBy: ranking.searchedBy,
    notices: listNotices({ set, ranking, asked, notice: wanted.notice }),
    debug,
  };
}

function describeRanking({ question, without, weights }: Searching, wanted: Wanted): RankRequest {
  const { query, mode, filter, qualityBoost, now, offset, limit } = question;
  const { terms, phrases, vector, speaker, project } = wanted;
  return {
    terms,
    required: listPhraseWords(phrases),
    vector,
    useText: mode !== 'semantic',
    speaker,
    project,
    asksForTime: asksForTime(query),
    without,
    weights: { ...weights, meaning: weights.meaning * trustMeaning(vector?.familiarity ?? 1) },
    filter,
    qualityBoost,
    now,
    keep: phrases.length > 0 ? Number.MAX_SAFE_INTEGER : Math.max(JUDGED_BESIDE, offset + limit),
  };
}

interface RankedSet {
  set: SearchSet;
  ranking: Ranking;
  ms: { refresh: number; rank: number };
}

async function rankAll({ indexes, spaces, scratch }: Searching, asked: RankRequest, isFresh: boolean) {
  const started = performance.now();
  const search = isFresh ? indexes.searchOn : indexes.search;
  const ranked = await search(spaces, async (set): Promise<RankedSet> => {
    const fresh = performance.now();
    const ranking = await runRanking(set, asked, scratch);
    return { set, ranking, ms: { refresh: fresh - started, rank: performance.now() - fresh } };
  });
  if (ranked.ms.rank > LONG_MS) await giveWay();
  return ranked;
}

async function takePage(searching: Searching, ranking: Ranking, phrases: readonly string[]): Promise<PhrasePage> {
  const { offset, limit } = searching.question;
  if (phrases.length > 0) return walkPhrases(searching, ranking, { phrases, offset, limit });
  return {
    winners: ranking.best.slice(offset, offset + limit),
    total: ranking.total,
    next: ranking.total > offset + limit ? offset + limit : null,
  };
}

/** Whoever quotes wants what holds the quoted. */
const PHRASE_CONFIDENCE = 0.9;

function markPhrases(findings: readonly Finding[]): void {
  for (const finding of findings) {
    finding.why.matched.push('phrase');
    finding.confidence = Math.max(finding.confidence, PHRASE_CONFIDENCE);
  }
  alignConfidence(findings);
}

interface Noticed {
  set: SearchSet;
  ranking: Ranking;
  asked: RankRequest;
  /** Why the question has no vector although there is an embedder. */
  notice: string | null;
}

/** What a search could not do, in sentences for whoever asked. */
function listNotices({ set, ranking, notice, asked }: Noticed): string[] {
  const notices = notice === null ? [] : [notice];
  const { passed, compared } = ranking;
  if (asked.vector === null && notice === null && !asked.useText)
    notices.push('There is no embedder: searched by words instead of meaning.');
  // Of those that lack a quoted word nobody asked for the meaning.
  if (asked.vector !== null && asked.required.length === 0 && compared < passed)
    notices.push(`${passed - compared} of ${passed} passages have no vector yet: they cannot be found by meaning.`);
  else if (asked.vector !== null && asked.required.length > 0 && lacksVectors(set, asked.vector.embedder))
    notices.push('Some passages have no vector yet: they cannot be found by meaning.');
  if (asked.vector !== null && set.lacksVectors > 0)
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
