import { z } from 'zod';
import { count, instant, text } from './memory-answers.ts';

const { strictObject: fields, array: list } = z;

/** What the verbs about replicas answer, by their names. */
export const SYNC_ANSWERS: Readonly<Record<string, z.ZodType>> = {
  greetReplica: fields({
    format: count,
    replica: text,
    epoch: text.describe('Which numbering the places in this replica belong to.'),
    ticket: count,
    stale: z.enum(['yours', 'ours']).nullable(),
    is_own: z.boolean().describe("True if the space is the caller's own."),
    may_write: z.boolean().describe('False for readers, who only pull.'),
  }),
  digestRecords: fields({ digest: text, records: count, graves: count, epoch: text, head: count, time: instant }),
  pushRecords: fields({
    taken: count,
    unchanged: count,
    refused: list(fields({ id: text, why: text })).describe('The first hundred.'),
    refused_count: count,
    end: fields({ to: text, epoch: text, is_last: z.boolean() }).nullable(),
  }),
  listSyncConflicts: fields({
    conflicts: list(
      fields({
        id: text,
        kind: text,
        what: z.enum(['texts', 'deleted']),
        texts: list(fields({ dot: text, written_at: instant, content: text })),
      }),
    ),
  }),
};
