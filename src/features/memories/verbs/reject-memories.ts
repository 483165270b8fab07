import type { Rejection } from '../../../model/rejection.ts';
import { unlessEmpty } from '../../../verbs/describe-memory.ts';
import { flag, integer, text } from '../../../verbs/field.ts';
import { defineVerb } from '../../../verbs/verb.ts';
import type { Memory } from '../memory.ts';
import { NAMED, projectOfKey, refList, requireRefs } from './name-memories.ts';

export interface RejectOutcome {
  rejections: Rejection[];
  /** What is not current any more, the first hundred. */
  memories: Memory[];
  count: number;
  missing: string[];
}

export const NOTE = text('Why, in a few words: whoever tries to store it again is told.', { min: 1, max: 1000 });

export const rejectMemories = defineVerb<{ ids: readonly string[]; project?: string; note?: string }, RejectOutcome>({
  needs: 'write',
  input: {
    ids: { ...refList, about: 'Ids, content hashes or keys of memories, or ids of sections of documents.' },
    project: projectOfKey,
    note: NOTE,
  },
  run: ({ engine, caller }, { ids, project, note }) => engine.rejectMemories(caller, { refs: ids, project, why: note }),
  rest: {
    at: 'POST /memories/reject',
    summary: 'Say that memories are wrong: they go, and no way of storing brings their text back',
    example: { body: { ids: ['06dwp2v4x1k8q3m5r7t9'], note: 'The port is 8443.' } },
    answers: { 200: 'What keeps the texts out, and what was deleted.' },
  },
  tool: {
    family: 'graph',
    name: 'memory_reject',
    title: 'Reject memories',
    text: 'The user says that these are wrong: they are deleted, and the same text is not stored again, whoever says it. Only a person lifts that.',
    shown: { id: 'Id, content hash or key', ids: '', note: 'Why' },
    own: NAMED,
    read(args) {
      const { ids, rest } = requireRefs(args);
      return { ids, project: rest.project, note: rest.note };
    },
    destructive: true,
    idempotent: true,
    output: { count: 'number', rejections: ['string'] },
    answer: ({ rejections, count, missing }) => ({
      message: summariseRejected({ rejections, count, missing }),
      count,
      rejections: rejections.map(({ id }) => id),
      missing: unlessEmpty(missing),
    }),
  },
  command: {
    name: 'reject',
    summary: 'Say that memories are wrong: they do not come back',
    usage: 'REF…',
    about:
      'Deletes what is named, and whatever states the same text, and keeps that text out from then on: no store, harvest, hook, import, sync or consolidation makes it a memory again. Case, spacing, look-alike letters and invisible characters make no difference; other words do. `ltm rejected` lists what is kept out, `ltm rejected lift ID` lets it in again.',
    flags: [['note', 'm'], 'project'],
    examples: [
      'ltm reject 01k9x2m4q8b7c6d5e4f3 --note "the port is 8443"',
      'ltm rejected',
      'ltm rejected lift 7m3k9x2p --restore',
    ],
  },
});

export function summariseRejected({
  rejections,
  count,
  missing,
}: Pick<RejectOutcome, 'rejections' | 'count' | 'missing'>): string {
  const notThere = missing.length === 0 ? '' : ` ${missing.length} not found.`;
  return rejections.length === 0
    ? `Nothing was rejected.${notThere}`
    : `Rejected ${rejections.length === 1 ? '1 text' : `${rejections.length} texts`}, ${count} deleted: the same text is not stored again.${notThere}`;
}

export const listRejections = defineVerb<
  { text?: string; all?: boolean; limit?: number },
  { total: number; rejections: Rejection[] }
>({
  needs: 'read',
  input: {
    text: text('Only what keeps this text out.', { min: 1, max: 65_536 }),
    all: flag('Also plain deletions, which hold for the source that said it alone.'),
    limit: integer(1, 1000, 'Maximum number. Default: 50.'),
  },
  run: ({ engine, caller }, input) => engine.listRejections(caller, input),
  rest: {
    at: 'GET /rejections',
    summary: 'What is kept out because somebody has rejected, purged or deleted it for good',
    example: { path: '/rejections?limit=5' },
    answers: { 200: 'The newest first.' },
  },
  command: {
    name: 'rejected',
    summary: 'List what is kept out, or let it in again',
    usage: '[list | lift ID…]',
    about:
      'Lists what was rejected, when, by whom and why; --text asks about one text. Words are shown of what was rejected; of what was purged or deleted for good a hash is kept and no word. `ltm rejected lift ID` is for persons: from then on the text may be stored, and --restore brings back what was deleted with it.',
    flags: ['text', 'all', ['limit', 'n']],
    own: [{ name: 'restore', description: 'With lift: restore what was deleted with it, if it is still kept.' }],
    examples: [
      'ltm rejected',
      'ltm rejected list --text "Staging runs on 8080"',
      'ltm rejected lift 7m3k9x2p --restore',
    ],
  },
});

export interface LiftOutcome {
  lifted: Rejection[];
  restored: string[];
  missing: string[];
}

export const liftRejections = defineVerb<{ ids: readonly string[]; restore?: boolean }, LiftOutcome>({
  needs: 'lift',
  input: {
    ids: { ...refList, about: 'Ids of rejections, or of the records that were rejected.' },
    restore: flag('Restore what was deleted with it, if it is still kept.'),
  },
  run: ({ engine, caller }, { ids, restore }) => engine.liftRejections(caller, { refs: ids, restore }),
  rest: {
    at: 'POST /rejections/lift',
    summary: 'Let texts in again; for persons',
    example: { body: { ids: ['7m3k9x2pq0r5t8v1w4y6'] } },
    answers: { 200: 'What was lifted.' },
  },
});
