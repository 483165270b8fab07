import { z } from 'zod';
import type { JsonObject } from '../../model/json.ts';
import { type FieldType, fieldsWhere, MEMORY_FIELDS, type MemoryField } from '../../model/memory-fields.ts';
import { REJECTED_HOW } from '../../model/rejection.ts';
import type { Answers } from '../../rest/answer-fields.ts';
import { count, counts, instant, redactions, source, text, texts, trust } from '../../rest/answer-fields.ts';
import { schemaOf } from '../../verbs/field-schema.ts';
import { NEW_MEMORY_FIELDS } from './verbs/store-memory.ts';

const { strictObject: fields, array: list } = z;
const FIELD_SCHEMAS: Record<FieldType, z.ZodType> = {
  text,
  label: text,
  tags: texts,
  json: z.record(text, z.unknown()) as z.ZodType<JsonObject>,
  fraction: z.number(),
  instant,
  count,
  id: text,
  hash: text,
  trust,
  source,
};

const ABOUT_ANSWERED: Readonly<Record<string, string>> = {
  content_hash: 'SHA-256 of the trimmed, lower-cased content.',
  key: "The caller's own name for it, unique within its project.",
  source: 'Where it came from, set by the server.',
  quality: '0 to 1.',
  revision: 'Increases with every change; also the ETag.',
  superseded_by: 'The id of the memory that replaced it.',
};

/** A memory as REST shows it: the names of the table of fields, times in ISO 8601. */
export const memory = fields(
  Object.fromEntries(
    fieldsWhere(({ within }) => within !== 'source').map((name) => {
      const { wire, type, nullable }: MemoryField = MEMORY_FIELDS[name];
      const schema = nullable === true ? FIELD_SCHEMAS[type].nullable() : FIELD_SCHEMAS[type];
      const about = ABOUT_ANSWERED[wire];
      return [wire, about === undefined ? schema : schema.describe(about)];
    }),
  ),
);

const resemblance = fields({
  id: text,
  similarity: z.number().describe('0 to 1, where 1 means the same text.'),
  title: text.describe('Its first line.'),
  trust,
  source,
});

const rejection = fields({
  id: text,
  how: z.enum(REJECTED_HOW),
  at: instant,
  by: text,
  why: text.nullable(),
  from: text.nullable().describe('Kept out as said by this source alone; null: whoever says it.'),
  project: text.nullable(),
  record: text.nullable(),
  kind: text,
  text: text.nullable().describe('Null where the words are gone.'),
});
const notes = { warnings: texts, searchable_by: z.enum(['text', 'text+meaning']), redactions };
const resembles = list(resemblance);

const storeOutcome = z.discriminatedUnion('outcome', [
  fields({
    outcome: z.literal('stored'),
    memory,
    resembles,
    supersedes: texts,
    chunks: list(memory).describe('All parts, if long content was split.'),
    ...notes,
  }),
  fields({
    outcome: z.literal('duplicate').describe('The same text was already stored; nothing was written.'),
    memory,
    ...notes,
  }),
  fields({ outcome: z.literal('merged'), memory, resembles, ...notes }),
  fields({ outcome: z.literal('appended'), memory, resembles, ...notes }),
  fields({ outcome: z.literal('refused'), resembles, ...notes }),
  fields({ outcome: z.literal('rejected'), rejection, message: text, ...notes }),
  fields({
    outcome: z.literal('updated').describe('The key already existed; its memory has the new content.'),
    memory,
    ...notes,
  }),
]);

const hit = fields({
  id: text,
  kind: text,
  type: text,
  title: text,
  snippet: text.describe('Text around the match, or the whole content if it is short.'),
  whole: z.boolean().describe('True if the snippet is the whole content.'),
  content_hash: text,
  tags: texts,
  project: text.nullable(),
  agent: text.nullable(),
  source,
  trust,
  quality: z.number(),
  created_at: instant,
  updated_at: instant,
  superseded_by: text.nullable(),
  packet: fields({ id: text, part: text }).optional().describe('For a packet: its own id and the part that matched.'),
  document: fields({ title: text, uri: text, format: text, pages: z.number().nullable(), sections: count })
    .optional()
    .describe('For a document as a whole.'),
  section: fields({
    document: text.describe('The id of the document.'),
    title: text,
    uri: text,
    headings: texts,
    page: z.number().nullable(),
    line: z.number().nullable(),
  })
    .optional()
    .describe('For a section of a document: where the match stands.'),
  score: z.number().describe('Comparable within one result.'),
  confidence: z.number().describe('0 to 1: how likely this is what was asked for.'),
  weak: z.boolean().describe('Far behind the best, or beside others of which probably none answers the query.'),
  why: fields({
    matched: texts,
    words: texts,
    text: z.number().nullable(),
    meaning: z.number().nullable(),
    weights: z.record(text, z.number()),
  }),
});

const atLeast = z
  .literal(true)
  .optional()
  .describe('There may be more than `total`: contents are looked through only so far to count them.');

const damaged = texts.optional().describe('Left out because they do not match their checksums; see `ltm doctor`.');

const lacking = texts.optional().describe('What else the answer may lack.');

const searchAnswer = fields({
  hits: list(hit),
  total: count.describe('How many records passed the filter and matched.'),
  at_least: atLeast,
  verdict: z
    .enum(['found', 'nothing'])
    .describe('Advice. nothing: there is no hit, or probably none of them answers the query.'),
  searched_by: z.enum(['text', 'meaning', 'text+meaning', 'filter', 'exact']),
  cursor: text.nullable(),
  weaker: count.describe(
    'Weak hits of this page. They have one line each instead of a snippet unless `all` is given; `relevant_only` leaves them out.',
  ),
  truncated: fields(counts('shown', 'omitted', 'chars', 'total_chars'))
    .nullable()
    .describe('Set if max_chars omitted hits; the cursor fetches them.'),
  notices: texts.describe('Limitations of this result.'),
  damaged,
  time_range: fields({ after: instant.nullable(), before: instant.nullable() }).nullable(),
  debug: fields({
    candidates: z.number(),
    filtered: z.number(),
    passages: z.number(),
    head: z.record(text, z.number()),
    ms: z.record(text, z.number()),
    evidence: z.record(text, z.number()).optional(),
  }).optional(),
});

const labels = list(fields({ name: text, count }));

export const ANSWERS: Answers = {
  Memory: memory,
  StoreOutcome: storeOutcome,
  Resemblance: resemblance,
  Hit: hit,
  SearchAnswer: searchAnswer,
  NewMemory: schemaOf(NEW_MEMORY_FIELDS),
  storeMemory: storeOutcome,
  storeMemories: fields({ outcomes: list(storeOutcome) }),
  searchMemories: searchAnswer,
  getMemory: memory,
  getMemories: fields({ memories: list(memory), missing: texts, damaged, notices: lacking }),
  listMemories: fields({
    memories: list(memory),
    total: count.describe('Over all pages.'),
    at_least: atLeast,
    cursor: text.nullable(),
    next: text.nullable().describe('The URL of the next page.'),
    damaged,
    notices: lacking,
  }),
  updateMemory: fields({
    outcome: z.enum(['updated', 'unchanged', 'versioned']),
    memory,
    changed: texts,
    previous: text.nullable().describe('The id of the memory that this one replaced.'),
    warnings: texts,
    redactions,
  }),
  deleteMemory: fields({ outcome: z.literal('deleted'), memory }),
  deleteMemories: fields({
    outcome: z.enum(['deleted', 'would_delete']),
    count,
    memories: list(memory).describe('The first hundred.'),
    missing: texts,
  }),
  restoreMemory: memory,
  rejectMemories: fields({ rejections: list(rejection), memories: list(memory), count, missing: texts }),
  listRejections: fields({ total: count, rejections: list(rejection) }),
  liftRejections: fields({ lifted: list(rejection), restored: texts, missing: texts }),
  restoreMemories: fields({ restored: list(memory), missing: texts }),
  listVersions: fields({
    versions: list(fields({ memory, replaced_at: instant, reason: text.nullable() })),
  }),
  purgeMemory: fields({ purged: texts }),
  purgeMemories: fields({
    outcome: z.enum(['purged', 'would_purge']),
    count,
    memories: list(memory).describe('The first hundred of what would be purged.'),
    purged: texts.describe('The first hundred ids of what was purged.'),
    missing: texts,
    derived: texts.describe('Records that were made from what is purged and stay, the first hundred ids.'),
    derived_count: count,
    relations: count.describe('Relations between other memories that the source has stated and that are purged.'),
    remains: texts.describe('What may still hold the text, and what to do about it.'),
  }),
  listTags: fields({ tags: labels }),
  listProjects: fields({ projects: labels }),
  listAgents: fields({ agents: labels }),
  listTypes: fields({ types: labels, known: z.record(text, texts).describe('Base types and their subtypes.') }),
};
