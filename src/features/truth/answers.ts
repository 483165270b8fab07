import { z } from 'zod';
import { type Answers, count, text } from '../../rest/answer-fields.ts';
import { node } from '../graph/answers.ts';

const { strictObject: fields, array: list } = z;

export const ANSWERS: Answers = {
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
};
