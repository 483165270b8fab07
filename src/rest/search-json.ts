import { z } from 'zod';
import { TRUST_TIERS } from '../model/record.ts';
import type { Hit, SearchResult } from '../model/search.ts';
import { instantSchema, toIso, toIsoOrNull } from './memory-json.ts';

export const hitSchema = z.strictObject({
  id: z.string(),
  kind: z.string(),
  type: z.string(),
  title: z.string(),
  snippet: z.string().describe('Text around the match; the whole content where it is short.'),
  whole: z.boolean().describe('True when snippet is all of the content.'),
  content_hash: z.string(),
  tags: z.array(z.string()),
  project: z.string().nullable(),
  agent: z.string().nullable(),
  trust: z.enum(TRUST_TIERS),
  quality: z.number(),
  created_at: instantSchema,
  updated_at: instantSchema,
  superseded_by: z.string().nullable(),
  packet: z
    .strictObject({ id: z.string(), part: z.string() })
    .optional()
    .describe('Of a packet: its own id and the part that was found.'),
  score: z.number().describe('Comparable within one answer.'),
  confidence: z.number().describe('0 to 1: how likely this is what was asked for.'),
  why: z.strictObject({
    matched: z.array(z.string()),
    words: z.array(z.string()),
    text: z.number().nullable(),
    meaning: z.number().nullable(),
    weights: z.record(z.string(), z.number()),
  }),
});

export const searchAnswerSchema = z.strictObject({
  hits: z.array(hitSchema),
  total: z.number().int().describe('How many passed the filter and matched at all.'),
  verdict: z.enum(['found', 'nothing']).describe('nothing: no hit, or every one too weak to rely on.'),
  searched_by: z.enum(['text', 'meaning', 'text+meaning', 'filter', 'exact']),
  cursor: z.string().nullable(),
  truncated: z
    .strictObject({
      shown: z.number().int(),
      omitted: z.number().int(),
      chars: z.number().int(),
      total_chars: z.number().int(),
    })
    .nullable()
    .describe('Set when max_chars left hits out; the cursor leads to them.'),
  notices: z.array(z.string()).describe('What the answer could not do.'),
  time_range: z.strictObject({ after: instantSchema.nullable(), before: instantSchema.nullable() }).nullable(),
  debug: z
    .strictObject({
      candidates: z.number(),
      filtered: z.number(),
      passages: z.number(),
      head: z.record(z.string(), z.number()),
      ms: z.record(z.string(), z.number()),
    })
    .optional(),
});

export function toSearchAnswer(result: SearchResult): z.infer<typeof searchAnswerSchema> {
  const { truncated, timeRange } = result;
  return {
    hits: result.hits.map(toHitJson),
    total: result.total,
    verdict: result.verdict,
    searched_by: result.searchedBy,
    cursor: result.cursor,
    truncated:
      truncated === null
        ? null
        : {
            shown: truncated.shown,
            omitted: truncated.omitted,
            chars: truncated.chars,
            total_chars: truncated.totalChars,
          },
    notices: result.notices,
    time_range:
      timeRange === null ? null : { after: toIsoOrNull(timeRange.after), before: toIsoOrNull(timeRange.before) },
    ...(result.debug === undefined ? {} : { debug: result.debug }),
  };
}

function toHitJson(hit: Hit): z.infer<typeof hitSchema> {
  const { id, kind, type, title, snippet, whole, project, agent, trust, quality, score, confidence, why } = hit;
  return {
    id,
    kind,
    type,
    title,
    snippet,
    whole,
    content_hash: hit.contentHash,
    tags: [...hit.tags],
    project,
    agent,
    trust,
    quality,
    created_at: toIso(hit.createdAt),
    updated_at: toIso(hit.updatedAt),
    superseded_by: hit.supersededBy,
    ...(hit.packet === undefined ? {} : { packet: hit.packet }),
    score,
    confidence,
    why,
  };
}
