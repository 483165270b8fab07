import { z } from 'zod';
import { type Answers, count, instant, text } from '../../rest/answer-fields.ts';

const { strictObject: fields, array: list } = z;

export const ANSWERS: Answers = {
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
  readKeyrings: fields({ keyrings: list(fields({ revision: count, key_id: text, text })) }),
  pushUploads: fields({ taken: count, refused: list(fields({ id: text, why: text })) }),
  dropUploads: fields({ dropped: count }),
  digestSealed: fields({
    is_sealed: z.boolean(),
    digest: text,
    slots: count.describe('Records, and purges of some.'),
    uploads: count,
    bytes: count,
    keys: z.record(text, count).describe('Uploads by the key that they are sealed with.'),
  }),
  listSlots: fields({
    slots: list(fields({ slot: text, upload: text, seq: count, tag: text, buried: count })),
    is_last: z.boolean(),
  }),
  pushRecords: fields({
    taken: count,
    unchanged: count,
    refused: list(
      fields({
        id: text,
        why: text,
        code: z.enum(['forbidden', 'invalid_input']).describe('`forbidden`: only an admin may bring it.'),
      }),
    ).describe('The first hundred.'),
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
