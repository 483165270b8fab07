import { z } from 'zod';
import { type Answers, count, counts, redactions, text, texts } from '../../rest/answer-fields.ts';

const { strictObject: fields, array: list } = z;

export const ANSWERS: Answers = {
  showStats: fields({
    ...counts('memories', 'deleted', 'superseded', 'created_this_week', 'tags', 'passages', 'relations'),
    ...counts('versions'),
    bytes: count.optional().describe('Of the whole database; shown to the operator only.'),
    changes: count.describe('Lines of the change feed.'),
  }),
  checkHealth: fields({
    status: z.enum(['healthy', 'degraded']),
    version: text,
    problems: texts,
    notices: texts.describe('What is no problem, and may surprise.'),
    store: z.enum(['sqlite', 'postgres']),
    location: text.optional().describe('Shown to the operator only.'),
    row_security: fields({ stands: z.enum(['fully', 'against_mistakes', 'not']), detail: text })
      .nullable()
      .optional()
      .describe('Whether PostgreSQL keeps spaces apart too. Shown to the operator only.'),
    schema_version: count,
    bytes: z.number().optional().describe('Of the whole database; shown to the operator only.'),
    embedder: fields({ id: text, ...counts('dimensions', 'pending'), searching: text }).nullable(),
    index: fields({
      spaces: z.number().optional().describe('Of all loaded indexes; shown to the operator only.'),
      passages: z.number().optional(),
      bytes: z.number().optional(),
      segments: z.number(),
      segment_bytes: z.number(),
      head: z.number(),
    }),
    searches: fields({ total: z.number(), average_ms: z.number() }).optional().describe('Shown to the operator only.'),
  }),
  scrubRecords: fields({
    checked: count,
    found: list(fields({ space: text, id: text, kind: text, redactions, versions: count })).describe(
      'The first thousand; `versions` counts earlier versions with secrets.',
    ),
    ...counts('count', 'replaced'),
    kept: count.describe('Left alone because a person wanted the secret stored.'),
    remains: texts.describe('What may still hold the old text.'),
  }),
};
