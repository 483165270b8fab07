import type { Packet } from './packet.ts';

/** A packet to learn from: every field once, each used as it is meant. */
export const EXAMPLE_PACKET: Packet = {
  ltm_version: '0.2',
  id: '01KA3V7Q2M8XWZ5T9B4CDEFGHJ',
  parent_id: '01KA1N0R6S4YKPH2V7T8ABCDEF',
  created_at: '2026-01-31T16:45:00Z',
  project: { name: 'parcel-tracker', ref: 'main at 4f1c2ab' },
  goal: 'Carrier webhooks are handled once each, even when the carrier sends them again after a timeout.',
  success_criteria: [
    'Replaying the recorded hour of webhooks leaves the same number of tracking events.',
    'The duplicate counter on the operations board rises while the event table does not.',
  ],
  constraints: [
    'The public webhook address and its answer stay as they are.',
    'No second database: the events live in PostgreSQL.',
  ],
  decisions: [
    {
      what: 'A webhook is known by carrier, delivery number and event time together.',
      why: 'Two carriers reuse their own event ids after a month, so the id alone is not enough.',
      consequences: 'Going back to the id alone merges events of different parcels.',
      locked: true,
    },
    {
      what: 'The unique key is kept in the events table, not in a table of its own.',
      why: 'One insert instead of two under load.',
    },
  ],
  methods: [
    {
      name: 'replay-recorded-hour',
      when_applicable: 'The handling of webhooks has changed in any way.',
      how: 'Run npm run replay -- --hour busiest, then compare the counts it prints with those in the pull request template.',
    },
  ],
  attempts: [
    {
      tried: 'Remembering seen webhooks in memory for ten minutes.',
      outcome: 'failed',
      learned: 'The second server never saw what the first had handled; it must be shared state.',
      confidence: 'high',
    },
    {
      tried: 'An advisory lock per delivery number.',
      outcome: 'partial',
      learned: 'Correct, but a slow carrier held up the others of the same number.',
      confidence: 'medium',
    },
    {
      tried: 'Insert with on conflict do nothing and count the rows.',
      outcome: 'succeeded',
      learned: 'The row count tells a duplicate from a first delivery without another query.',
    },
  ],
  open_questions: ['How long must duplicates be recognised: the carriers promise three days, one sent after nine.'],
  next_step: 'Add the unique key in a migration that first removes the duplicates already stored, oldest kept.',
  tags: ['webhooks', 'idempotency', 'postgres'],
  provenance: { author_model: 'an assistant', author_human: 'Robin', confidence: 'high' },
};
