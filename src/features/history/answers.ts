import { z } from 'zod';
import { type Answers, count, instant, source, text, trust } from '../../rest/answer-fields.ts';

const { strictObject: fields, array: list } = z;

export const ANSWERS: Answers = {
  diffMemories: fields({
    from_at: instant,
    to_at: instant,
    entries: list(
      fields({
        id: text,
        kind: text,
        title: text,
        change: z.enum(['added', 'changed', 'removed']),
        fields: list(text).describe('Names of the fields that differ.'),
        was: text.nullable().describe('The content at the earlier time.'),
        is: text.nullable().describe('The content at the later time.'),
        trust,
        source,
        at: instant,
      }),
    ),
    total: count,
  }),
  undoChanges: fields({
    outcome: z.enum(['undone', 'would_undo', 'nothing']),
    changes: list(
      fields({
        id: text,
        kind: text.nullable(),
        title: text,
        what: z.enum(['deleted', 'restored', 'reverted', 'unrelated', 'related']),
        relation: fields({ to: text, type: text }).nullable(),
      }),
    ),
    left: list(fields({ id: text, reason: text })).describe('What was left as it is, and why.'),
    first: count.nullable().describe('The number of the first change that was meant.'),
    last: count.nullable(),
  }),
};
