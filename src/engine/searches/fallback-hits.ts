import type { Hit } from '../../model/search.ts';
import { readTags } from '../../model/tags.ts';
import type { Answering, FoundHits } from './answering.ts';
import { listHits } from './list-hits.ts';

/** So many hits that are at least this likely need no help. Whoever asks for a fallback wants it rather once too often. */
const ENOUGH = 3;
const STRONG_FROM = 0.5;
const MIN_TAG_LENGTH = 3;
/** A tag or a literal match is something, but not what was asked for in so many words. */
const FALLBACK_CONFIDENCE = { exact: 0.9, tag: 0.5 };

/** When little is found: literal matches, then records with a tag that is a word of the query, after what was found by rank. */
export async function addFallback(answering: Answering, found: FoundHits): Promise<FoundHits> {
  const { limit, offset } = answering.request;
  const strong = found.hits.findLastIndex((hit) => hit.confidence >= STRONG_FROM) + 1;
  if (offset > 0 || found.hits.filter((hit) => hit.confidence >= STRONG_FROM).length >= ENOUGH) return found;
  const extra: Hit[] = [];
  for (const matched of ['exact', 'tag'] as const) {
    const known = new Map([...found.hits.slice(0, strong), ...extra].map((hit) => [hit.id, hit]));
    const more = await findBy(answering, matched);
    for (const { id } of more) known.get(id)?.why.matched.push(matched);
    extra.push(...more.filter((hit) => !known.has(hit.id)).slice(0, limit - strong - extra.length));
  }
  if (extra.length === 0) return found;
  const added = new Set(extra.map((hit) => hit.id));
  const shown = Math.max(strong, limit - extra.length);
  const kept = found.hits.slice(0, shown).filter((hit) => !added.has(hit.id));
  const isCut = found.hits.length > shown || found.next !== null;
  const hits = [...kept, ...extra].sort((a, b) => b.confidence - a.confidence);
  return {
    ...found,
    hits,
    isReliable: true,
    total: Math.max(found.total, kept.length + extra.length),
    next: isCut ? shown : null,
  };
}

async function findBy(answering: Answering, matched: 'exact' | 'tag'): Promise<Hit[]> {
  const { query, filter } = answering.request;
  const tags = readTags(query.split(/\s+/).map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))).filter(
    (tag) => tag.length >= MIN_TAG_LENGTH,
  );
  if (matched === 'tag' && (tags.length === 0 || filter.tags !== undefined)) return [];
  const narrowed = matched === 'exact' ? { ...filter, contains: query } : { ...filter, tags, tagMatch: 'any' as const };
  const { hits } = await listHits(answering, { filter: narrowed, matched, offset: 0, total: false });
  return hits.map((hit) => ({ ...hit, score: 0, confidence: FALLBACK_CONFIDENCE[matched] }));
}
