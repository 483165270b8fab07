import { z } from 'zod';
import { count, text } from './memory-answers.ts';

const { strictObject: fields, array: list } = z;

/** What the verbs about the past answer, by their names. */
export const HISTORY_ANSWERS: Readonly<Record<string, z.ZodType>> = {
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
