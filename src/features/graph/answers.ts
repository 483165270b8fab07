import { z } from 'zod';
import { type Answers, count, instant, source, text, texts, trust } from '../../rest/answer-fields.ts';
import { ENTITY_KINDS } from './entity.ts';

const { strictObject: fields, array: list } = z;

export const node = fields({
  id: text,
  kind: text,
  type: text,
  tags: texts,
  project: text.nullable(),
  content_hash: text,
  trust,
  source,
  superseded_by: text.nullable(),
  created_at: instant,
  title: text,
  excerpt: text.describe('The beginning of the content, or all of it if it is short.'),
  whole: z.boolean().describe('True if the excerpt is the whole content.'),
  distance: count.nullable().describe('Relations from where the walk began.'),
});

const relation = fields({
  from: text,
  to: text,
  type: text,
  created_at: instant,
  is_symmetric: z.boolean().describe('True if it goes both ways.'),
  confidence: z.number(),
  status: z.enum(['stated', 'inferred', 'ended']),
  note: text.nullable(),
  reason: text.nullable().describe('Why it was inferred.'),
  by: text.nullable().describe('Who stated it: the door and the user.'),
  agent: text.nullable(),
  session: text.nullable(),
  ended_at: instant.nullable(),
});

const pair = fields({
  from: text,
  to: text,
  type: text,
  confidence: z.number().nullable(),
  distance: count.nullable(),
  reason: text,
});

const entity = fields({ kind: z.enum(ENTITY_KINDS), name: text, key: text });
const knownEntity = entity.extend({
  aliases: texts.describe('Other ways in which it is written.'),
  mentions: count,
  last_at: instant,
});

export const ANSWERS: Answers = {
  relateMemories: fields({
    outcome: z.enum(['related', 'updated', 'confirmed', 'unchanged']),
    relation,
    from: node,
    to: node,
  }),
  unrelateMemories: fields({ ended: list(relation) }),
  listRelations: fields({
    relations: list(relation),
    nodes: list(node).describe('The memories at their ends.'),
    cursor: text.nullable(),
    next: text.nullable().describe('The URL of the next page.'),
  }),
  tellAbout: fields({
    entity: knownEntity.nullable().describe('null if no memory names it; what is told comes from a search.'),
    sources: list(
      node.extend({ says: text.describe('The sentences that name it.'), by: z.enum(['mention', 'search']) }),
    ),
    total: count.describe('How many memories mention it.'),
    related: list(entity.extend({ together: count })).describe('What is mentioned together with it.'),
    relations: list(relation),
  }),
  inferRelations: fields({
    outcome: z.enum(['inferred', 'would_infer']),
    looked: count.describe('How many memories were looked at.'),
    pairs: list(pair),
    nodes: list(node).describe('The memories of the first hundred pairs.'),
  }),
  listEntities: fields({ entities: list(knownEntity), total: count }),
  mergeEntities: fields({ id: text, entity, aliases: texts }),
  exploreGraph: fields({
    action: text,
    nodes: list(node),
    relations: list(relation),
    path: texts.nullable().describe('The ids of a path, from one end to the other.'),
    pairs: list(pair).describe('Pairs that infer and suggest have found.'),
    more: z.boolean().describe('True if `limit` left something out.'),
  }),
};
