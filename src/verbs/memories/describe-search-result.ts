import { isStopWord } from '../../engine/search/text/stop-words.ts';
import { describeAge, toIso } from '../../model/instant.ts';
import { DEFAULT_TAG } from '../../model/to-memory.ts';
import { describeOrigin, noticesOfTrust, type Reader } from '../describe-origin.ts';
import { USUAL_QUALITY, unlessEmpty } from './describe-memory.ts';
import type { Found, FoundHit } from './search-memories.ts';

const MAX_WORDS = 6;

export function describeSearchResult(result: Found, reader: Reader): Record<string, unknown> {
  return {
    message: summarise(result),
    verdict: result.verdict,
    total: result.total,
    searched_by: result.searchedBy,
    time_range: describeRange(result.timeRange),
    hits: result.hits.map((hit) => describeHit(hit, reader)),
    truncated: result.truncated ?? undefined,
    cursor: result.cursor ?? undefined,
    damaged: unlessEmpty(result.damaged ?? []),
    notices: unlessEmpty([...result.notices, ...noticesOfTrust(result.hits)]),
    debug: describeDebug(result.debug),
  };
}

function summarise({ hits, total, verdict, truncated, cursor }: Found): string {
  if (hits.length === 0) return 'Nothing found.';
  const count = `${hits.length} of ${total} found`;
  const first = verdict === 'nothing' ? `Nothing relevant: ${count}, all too weak to rely on.` : `${count}.`;
  if (truncated !== null)
    return `${first} ${truncated.omitted} more left out to keep the answer short: ask again with ${rest(cursor)} or a larger max_chars.`;
  return cursor === null ? first : `${first} For the rest ask again with ${rest(cursor)}.`;
}

function rest(cursor: string | null): string {
  return cursor === null ? 'a smaller limit' : 'cursor';
}

function describeHit(hit: FoundHit, reader: Reader): Record<string, unknown> {
  return {
    id: hit.id,
    // a short text that is shown whole is its own title
    title: hit.whole && hit.snippet.startsWith(hit.title) ? undefined : hit.title,
    kind: hit.kind,
    packet_id: hit.packet?.id,
    part: hit.packet?.part || undefined,
    type: hit.type,
    tags: hit.tags.length === 1 && hit.tags[0] === DEFAULT_TAG ? undefined : hit.tags,
    project: hit.project ?? undefined,
    agent: hit.agent ?? undefined,
    age: describeAge(hit.createdAt, reader.now),
    created_at: toIso(hit.createdAt),
    updated_at: hit.updatedAt === hit.createdAt ? undefined : toIso(hit.updatedAt),
    superseded_by: hit.supersededBy ?? undefined,
    ...describeOrigin(hit, reader),
    quality: hit.quality === USUAL_QUALITY ? undefined : hit.quality,
    score: round(hit.score, 4),
    confidence: round(hit.confidence, 2),
    why: describeWhy(hit),
    whole: hit.whole ? undefined : false,
    snippet: hit.snippet,
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
