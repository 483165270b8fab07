import type { Memory } from '../../features/memories/memory.ts';
import { readRanking } from '../../features/memories/verbs/search-memories.ts';
import { EngineError } from '../../model/errors.ts';
import type { JsonObject } from '../../model/json.ts';
import type { RecordKind } from '../../model/record.ts';
import type { Hit, SearchMode, SearchQuery, SearchResult } from '../../model/search.ts';
import { readTags, type TagsInput } from '../../model/tags.ts';
import type { VerbContext } from '../../verbs/verb.ts';

/** What the service calls a memory: passages of documents are memories there, so whatever finds or deletes them means both. */
export const FOUND_KINDS: readonly RecordKind[] = ['memory', 'section'];

export interface ServiceSearch
  extends Pick<SearchQuery, 'query' | 'after' | 'before' | 'limit' | 'fallback' | 'debug' | 'rerank'> {
  mode?: SearchMode | 'ranked' | undefined;
  timeExpr?: string | undefined;
  tags?: TagsInput;
  tagMatch?: 'any' | 'all' | undefined;
  types?: readonly string[] | undefined;
  agent?: string | undefined;
  project?: string | undefined;
  entity?: string | undefined;
  includeSuperseded?: boolean | undefined;
  qualityBoost?: number | undefined;
  /** By the service's names. */
  weights?: JsonObject | undefined;
}

/** Weights order what was found; without any, `ranked` has its usual ones. An exact match has nothing to weigh. */
export function rankingOf({
  mode,
  weights,
}: {
  mode?: unknown;
  weights?: JsonObject | undefined;
}): JsonObject | undefined {
  if (mode === 'exact') return undefined;
  return mode === 'ranked' ? (weights ?? {}) : weights;
}

export interface FoundMemory {
  memory: Memory;
  hit: Hit;
}

export interface FoundInService extends Pick<SearchResult, 'total' | 'verdict' | 'timeRange' | 'notices' | 'debug'> {
  found: FoundMemory[];
}

/** Whole memories, the best first, and as many as were asked for: the service leaves out nothing for being weak. */
export async function searchInService(
  { engine, caller }: VerbContext,
  {
    mode,
    timeExpr,
    tags,
    tagMatch,
    types,
    agent,
    project,
    entity,
    includeSuperseded,
    weights,
    ...query
  }: ServiceSearch,
): Promise<FoundInService> {
  const wanted = readTags(tags);
  const isNarrowed = timeExpr ?? query.after ?? query.before ?? agent ?? project ?? entity ?? types?.[0] ?? wanted[0];
  if ((query.query ?? '').trim() === '' && isNarrowed === undefined)
    throw new EngineError('invalid_input', 'query, a time, tags or another filter is needed.', {
      details: { field: 'query' },
    });
  if (mode === 'ranked' && (query.query ?? '').trim() === '')
    throw new EngineError('invalid_input', 'query is required for mode ranked.', { details: { field: 'query' } });
  const ranking = rankingOf({ mode, weights });
  const result = await engine.search(caller, {
    ...query,
    ...(ranking !== undefined && { ranking: readRanking(ranking) }),
    mode: mode === 'ranked' ? 'hybrid' : mode,
    when: timeExpr,
    filter: {
      kinds: FOUND_KINDS,
      ...(wanted.length > 0 && { tags: wanted, tagMatch: tagMatch ?? 'any' }),
      ...(types !== undefined && { types }),
      ...(agent !== undefined && { agent }),
      ...(project !== undefined && { project }),
      ...(entity !== undefined && { entity }),
      ...(includeSuperseded === true && { includeSuperseded }),
    },
    relevantOnly: false,
    maxChars: 0,
  });
  const { total, verdict, timeRange, notices, debug } = result;
  return {
    found: await readWhole({ engine, caller }, result.hits),
    total,
    verdict,
    timeRange,
    notices,
    ...(debug && { debug }),
  };
}

async function readWhole(
  { engine, caller }: Pick<VerbContext, 'engine' | 'caller'>,
  hits: readonly Hit[],
): Promise<FoundMemory[]> {
  if (hits.length === 0) return [];
  const { memories } = await engine.getMemories(caller, { refs: hits.map(({ id }) => id) });
  const byId = new Map((await withChunks({ engine, caller }, memories)).map((memory) => [memory.id, memory]));
  return hits.flatMap((hit) => {
    const memory = byId.get(hit.id);
    return memory === undefined ? [] : { memory: withPlace(memory, hit), hit };
  });
}

/** Pieces of documents say which one of how many they are, as the service writes it. */
export async function withChunks(
  { engine, caller }: Pick<VerbContext, 'engine' | 'caller'>,
  memories: readonly Memory[],
): Promise<readonly Memory[]> {
  const ids = [...new Set(memories.flatMap(({ metadata: { document } }) => (isText(document) ? document : [])))];
  if (ids.length === 0) return memories;
  const { items } = await engine.listDocuments(caller, { filter: { ids }, page: { limit: ids.length } });
  const totals = new Map<unknown, number>(items.map(({ id, sections }) => [id, sections]));
  return memories.map((memory) => {
    const { document, ordinal } = memory.metadata;
    const total = totals.get(document);
    if (total === undefined || typeof ordinal !== 'number') return memory;
    return { ...memory, metadata: { ...memory.metadata, chunk_index: ordinal, total_chunks: total } };
  });
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Where a piece of a document stands, as the service writes it. */
function withPlace(memory: Memory, { section }: Hit): Memory {
  if (section === undefined) return memory;
  const { title, uri, page, line, headings } = section;
  const place = { ...(page !== null && { page_number: page }), ...(line !== null && { line_number: line }) };
  return { ...memory, metadata: { ...memory.metadata, source_file: uri, title, headings, ...place } };
}

/** What the service counts for a memory besides its text. */
const COST_OF_ONE = 200;

export interface CutFound {
  kept: FoundMemory[];
  chars: number;
  totalChars: number;
}

/** Between memories, the first one always kept. */
export function cutFound(found: readonly FoundMemory[], maxChars: number): CutFound {
  const costs = found.map(({ memory }) => memory.content.length + COST_OF_ONE);
  const totalChars = costs.reduce((sum, cost) => sum + cost, 0);
  let chars = 0;
  let count = 0;
  for (const cost of costs) {
    if (maxChars > 0 && count > 0 && chars + cost > maxChars) break;
    chars += cost;
    count++;
  }
  return { kept: found.slice(0, count), chars, totalChars };
}

/** How a fallback found it, in the service's words; null: by the search itself. */
export function matchMethod({ why }: Hit, mode: string): string | null {
  if (mode === 'exact') return null;
  if (why.matched.includes('exact')) return 'exact_fallback';
  return why.matched.includes('tag') ? 'tag_fallback' : null;
}
