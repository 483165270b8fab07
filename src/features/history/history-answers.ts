import { z } from 'zod';
import { node } from '../graph/graph-answers.ts';
import { count, instant, source, text, trust } from '../memories/memory-answers.ts';

const { strictObject: fields, array: list } = z;

/** What the verbs about the past answer, by their names. */
export const HISTORY_ANSWERS: Readonly<Record<string, z.ZodType>> = {
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
  listConflicts: fields({
    conflicts: list(
      fields({
        newer: node,
        older: node,
        newer_says: text,
        older_says: text,
        confidence: z.number(),
        reason: text,
        by: z.enum(['found', 'stated']),
      }),
    ),
    total: count,
  }),
  resolveConflict: fields({ outcome: z.enum(['superseded', 'kept_both']), winner: node, loser: node }),
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
