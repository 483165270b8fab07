import { z } from 'zod';
import { type Answers, count, counts, instant, text, texts } from '../../rest/answer-fields.ts';
import { memory } from '../memories/answers.ts';

const { strictObject: fields, array: list, number } = z;

const usage = { reads: count, last_read_at: instant.nullable().describe('null: never.') };
const event = z.discriminatedUnion('how', [
  fields({ how: z.literal('stated'), value: number(), at: instant }),
  fields({
    how: z.literal('rated'),
    rating: count.describe('-1, 0 or 1.'),
    by: text,
    at: instant,
    feedback: text.optional(),
  }),
  fields({ how: z.literal('used'), ...usage, at: instant }),
  fields({ how: z.literal('scored'), value: number(), model: text, ...usage, at: instant }),
]);

const relevance = fields({
  value: number(),
  base: number(),
  base_from: text,
  age_days: number(),
  retention_days: number(),
  decay_factor: number(),
  connections: count,
  connection_boost: number(),
  days_since_read: number().nullable(),
  access_boost: number(),
  quality: number(),
  quality_boost: number(),
  is_protected: z.boolean(),
  protected_by: text.nullable(),
});

const rated = { memory, previous: number(), quality: number() };
const line = fields({ id: text, content_hash: text, title: text, type: text, quality: number() });

export const ANSWERS: Answers = {
  rateMemory: fields(rated),
  evaluateQuality: fields({
    ...rated,
    by: text.describe('The model that was asked, or `usage`.'),
    notice: text.nullable().describe('Why no model was asked, or why its answer did not count.'),
    usage: fields({ ...usage, score: number() }),
    score: number().nullable().describe('What the model said.'),
  }),
  explainQuality: fields({
    id: text,
    content_hash: text,
    title: text,
    type: text,
    tags: texts,
    quality: number(),
    facts: fields({
      from: number().describe('Before the first of the events.'),
      events: list(event),
      last_rating: number().optional().describe('The last rating before these events, where there are earlier ones.'),
    }),
    usage: fields({ ...usage, days_since_read: number().nullable(), score: number() }),
    relevance,
    formula: texts,
    at: instant,
  }),
  analyzeQuality: fields({
    ...counts('total'),
    average: number().nullable(),
    bands: fields(counts('high', 'medium', 'low')).describe('From 0.7, from 0.5, and below.'),
    origins: fields(counts('rated', 'scored', 'used', 'stated')).describe('By what their number comes from last.'),
    best: list(line),
    worst: list(line),
  }),
};
