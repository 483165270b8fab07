import { estimateTokens } from '../../../model/estimate-tokens.ts';
import { describeAge, toIso } from '../../../model/instant.ts';
import { DEFAULT_TAG } from '../../../model/memory.ts';
import { DEFAULT_MEMORY_TYPE } from '../../../model/memory-types.ts';
import { makeLine } from '../../../search/text/make-snippet.ts';
import { isStopWord } from '../../../search/text/stop-words.ts';
import { describeOlder, sayOnce, USUAL_QUALITY, unlessEmpty } from '../../../verbs/describe-memory.ts';
import { describeOrigin, noticesOfTrust, type Reader, sayOriginOnce } from '../../../verbs/describe-origin.ts';
import { adviseNothing } from './advise-nothing.ts';
import type { Found, FoundHit } from './search-memories.ts';

const MAX_WORDS = 6;
/** What most are: said only of the others. */
const USUAL_KIND = 'memory';
/** How a fallback finds what ranking does not. */
const UNUSUAL_WAYS: readonly string[] = ['exact', 'tag'];

/** Short: every word is paid for in every conversation. With debug information asked for, each hit says all there is to say of it. */
export function describeSearchResult(result: Found, reader: Reader): Record<string, unknown> {
  const isWhole = result.debug !== undefined;
  const isListed = result.searchedBy === 'filter' || result.searchedBy === 'exact';
  const strong = result.hits.length - countWeakAtEnd(result);
  const fit = createBudget(result.hits.length);
  const hits = result.hits.map((hit, at) => {
    if (isWhole) return describeWhole(hit, reader);
    return at < strong ? describeHit(fit(hit), reader, at === 0) : describeWeak(hit, reader, at === 0);
  });
  const origin = isWhole ? { shared: {}, items: hits } : sayOriginOnce(hits);
  const { shared, items } = isWhole
    ? { shared: {}, items: hits }
    : sayOnce<Record<string, unknown>>(origin.items.slice(0, strong), 'project');
  return {
    message: summarise(result),
    verdict: result.verdict,
    total: isListed || isWhole ? result.total : undefined,
    at_least: result.atLeast,
    searched_by: result.searchedBy === 'text+meaning' && !isWhole ? undefined : result.searchedBy,
    time_range: describeRange(result.timeRange),
    ...shared,
    ...origin.shared,
    hits: isWhole ? items : [...items, ...origin.items.slice(strong)],
    weaker: result.weaker === 0 ? undefined : result.weaker,
    truncated: result.truncated ?? undefined,
    cursor: result.cursor ?? undefined,
    damaged: unlessEmpty(result.damaged ?? []),
    notices: unlessEmpty([...result.notices, ...noticesOfTrust(result.hits)]),
    debug: describeDebug(result.debug),
  };
}

/** What the excerpts of an answer may cost, by hit; one that is asked for fewer may spend as much as this many. */
const TOKENS_BY_HIT = 60;
const FEWEST_HITS = 6;
const LINE_CHARS = 160;

/** Once the excerpts have used up what they may cost together, strong hits have one line too. */
function createBudget(hits: number): (hit: FoundHit) => FoundHit {
  let left = TOKENS_BY_HIT * Math.max(FEWEST_HITS, hits);
  return (hit) => {
    const cost = estimateTokens(hit.snippet);
    const isLong = cost > left;
    left -= cost;
    if (!isLong || hit.snippet.length <= LINE_CHARS) return hit;
    const { snippet } = makeLine(hit.snippet, hit.why.words, { snippet: hit.snippet.length, line: LINE_CHARS });
    return { ...hit, snippet, whole: false };
  };
}

/** Weak hits in the order of the ranking stand at the end; in another order none is told apart. */
function countWeakAtEnd({ hits }: Pick<Found, 'hits'>): number {
  const weak = hits.filter((hit) => hit.weak).length;
  return hits.slice(hits.length - weak).every((hit) => hit.weak) ? weak : 0;
}

function summarise(result: Found): string {
  const { hits, total, atLeast, verdict, truncated, cursor, weaker, searchedBy } = result;
  const weak = countWeakAtEnd(result);
  const leftOut = weaker - hits.filter((hit) => hit.weak).length;
  if (hits.length === 0) return leftOut === 0 ? 'Nothing found.' : 'Nothing relevant found.';
  if (truncated !== null)
    return `${count(hits.length)}; ${truncated.omitted} more left out to keep the answer short: ask again with ${rest(cursor)} or a larger max_chars.`;
  if (verdict === 'nothing') return adviseNothing(hits);
  if (searchedBy === 'filter' || searchedBy === 'exact')
    return cursor === null
      ? `${count(total)}.`
      : `${hits.length} of ${atLeast === true ? 'at least ' : ''}${total} found. The rest: cursor.`;
  const found = count(hits.length - weak);
  const more = cursor === null ? '' : ' More: cursor.';
  if (leftOut > 0) return `${found}, and ${leftOut} weaker left out.${more}`;
  return weak === 0 ? `${found}.${more}` : `${found}, and ${weak} weaker, a line each.${more}`;
}

function count(hits: number): string {
  return `${hits} found`;
}

function rest(cursor: string | null): string {
  return cursor === null ? 'a smaller limit' : 'cursor';
}

/** Enough to judge by whether it is worth a look, and to fetch it: its sentence that matches, and what it is where it is no memory. */
function describeWeak(hit: FoundHit, reader: Reader, isFirst: boolean): Record<string, unknown> {
  return {
    id: hit.id,
    kind: hit.kind === USUAL_KIND ? undefined : hit.kind,
    packet_id: hit.packet?.id,
    superseded_by: hit.supersededBy ?? undefined,
    ...describeOrigin(hit, reader),
    confidence: isFirst ? round(hit.confidence, 2) : undefined,
    snippet: hit.snippet,
  };
}

/** How likely it is, is said of the first: the others follow in that order. */
function describeHit(hit: FoundHit, reader: Reader, isFirst = true): Record<string, unknown> {
  return {
    id: hit.id,
    kind: hit.kind === USUAL_KIND ? undefined : hit.kind,
    packet_id: hit.packet?.id,
    part: hit.packet?.part || undefined,
    document: hit.section?.document,
    uri: hit.section?.uri ?? hit.document?.uri,
    page: hit.section?.page ?? undefined,
    line: hit.section?.line ?? undefined,
    // a text that is shown from its beginning is its own title
    title: hit.snippet.startsWith(hit.title.replace(/…$/, '')) ? undefined : hit.title,
    type: hit.type === DEFAULT_MEMORY_TYPE || hit.type === hit.kind ? undefined : hit.type,
    tags: hit.tags.length === 1 && hit.tags[0] === DEFAULT_TAG ? undefined : unlessEmpty(hit.tags),
    project: hit.project ?? undefined,
    age: describeOlder(hit.createdAt, reader.now),
    superseded_by: hit.supersededBy ?? undefined,
    ...describeOrigin(hit, reader),
    quality: hit.quality === USUAL_QUALITY ? undefined : hit.quality,
    why: isFallback(hit) ? hit.why.matched.join('+') : undefined,
    confidence: isFirst ? round(hit.confidence, 2) : undefined,
    whole: hit.whole ? undefined : false,
    snippet: hit.snippet,
  };
}

function isFallback({ why }: FoundHit): boolean {
  return why.matched.some((way) => UNUSUAL_WAYS.includes(way));
}

function describeWhole(hit: FoundHit, reader: Reader): Record<string, unknown> {
  const { snippet, ...short } = describeHit(hit, reader);
  return {
    ...short,
    kind: hit.kind,
    type: hit.type,
    agent: hit.agent ?? undefined,
    age: describeAge(hit.createdAt, reader.now),
    created_at: toIso(hit.createdAt),
    updated_at: hit.updatedAt === hit.createdAt ? undefined : toIso(hit.updatedAt),
    ...describeOrigin(hit, reader),
    content_hash: hit.contentHash,
    score: round(hit.score, 4),
    why: describeWhy(hit),
    snippet,
  };
}

/** One short line for a model that pays for every word: how it was found, by which words, and what moved it. */
function describeWhy({ why }: FoundHit): string {
  const telling = why.words.filter((word) => word.length > 1 && !isStopWord(word)).slice(0, MAX_WORDS);
  const parts = [why.matched.join('+') + (telling.length === 0 ? '' : ` (${telling.join(', ')})`)];
  if (why.text !== null) parts.push(`text ${round(why.text, 2)}`);
  if (why.meaning !== null) parts.push(`meaning ${round(why.meaning, 2)}`);
  for (const [name, weight] of Object.entries(why.weights))
    if (round(weight, 2) !== 1) parts.push(`${name} ×${round(weight, 2)}`);
  return parts.join('; ');
}

function describeDebug(debug: Found['debug']): Record<string, unknown> | undefined {
  if (debug === undefined) return undefined;
  return { ...debug, ms: Object.fromEntries(Object.entries(debug.ms).map(([step, ms]) => [step, round(ms, 3)])) };
}

function describeRange(range: Found['timeRange']): Record<string, unknown> | undefined {
  if (range === null) return undefined;
  return {
    after: range.after === null ? undefined : toIso(range.after),
    before: range.before === null ? undefined : toIso(range.before),
  };
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
