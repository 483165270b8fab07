import { describeWritten, unlessEmpty } from '../../../verbs/describe-memory.ts';
import { noticesOfTrust } from '../../../verbs/describe-origin.ts';
import { flag, integer, ref, text } from '../../../verbs/field.ts';
import { CHANGED_MEMORY, memoryFlags, readTimes, type TimeInput } from '../../../verbs/memory-input.ts';
import { defineVerb } from '../../../verbs/verb.ts';
import type { UpdateMemoryInput, UpdateOutcome } from '../memory.ts';
import { NAMED, requireRef } from './name-memories.ts';
import { NO_REDACT } from './store-memory.ts';

type Times = 'validFrom' | 'validUntil' | 'createdAt';

/** Times may still be text. */
export type ChangedMemory = Omit<UpdateMemoryInput, Times> & {
  validFrom?: TimeInput | null;
  validUntil?: TimeInput | null;
  createdAt?: TimeInput;
};

export const updateMemory = defineVerb<ChangedMemory, UpdateOutcome>({
  needs: 'write',
  input: {
    ref,
    ...CHANGED_MEMORY,
    versioned: flag('Create a new memory that supersedes this one; the old one stays readable.'),
    reason: text('The reason, kept in the history.', { max: 1000 }),
    preserve_timestamps: flag(),
    no_redact: NO_REDACT,
  },
  inHeaders: {
    revision: {
      ...integer(1, Number.MAX_SAFE_INTEGER, 'Fail unless it is still at this revision.'),
      header: 'If-Match',
    },
  },
  run: async (context, input) =>
    context.engine.updateMemory(
      context.caller,
      await readTimes(input, { validFrom: 'start', validUntil: 'end', createdAt: 'start' }, context),
    ),
  rest: {
    at: 'PATCH /memories/{ref}',
    summary: 'Change a memory',
    headers: ['X-Time-Zone'],
    example: { path: '/memories/06dwp2v4x1k8q3m5r7t9', body: { tags: ['release', 'friday'], reason: 'moved' } },
    answers: {
      200: 'The memory was changed, or was already the same.',
      412: 'The memory is no longer at the revision in If-Match.',
    },
    revisionOf: ({ memory }) => memory.revision,
  },
  tool: {
    name: 'memory_update',
    title: 'Update memory',
    text: 'Change a memory; earlier states are kept.',
    shown: {
      id: 'Id, content hash or key',
      content: '',
      type: '',
      tags: 'Replaces all',
      metadata: 'Merged; null removes a key',
      project: '',
      versioned: 'Keep the old one as superseded',
      reason: '',
    },
    own: { id: NAMED.id!, content_hash: NAMED.content_hash! },
    without: ['ref', 'no_redact'],
    read: requireRef,
    destructive: true,
    idempotent: true,
    output: { outcome: 'string', id: 'string', content_hash: 'string', changed: ['string'] },
    answer: (out, { context }) => ({
      message: summarise(out),
      outcome: out.outcome,
      changed: out.changed,
      previous: out.previous ?? undefined,
      ...describeWritten(out.memory, context),
      redactions: unlessEmpty(out.redactions),
      warnings: unlessEmpty(out.warnings),
      notices: unlessEmpty(noticesOfTrust([out.memory])),
    }),
  },
  command: {
    name: 'edit',
    summary: 'Change a memory',
    usage: 'REF',
    about: 'Without flags, opens the content in $VISUAL or $EDITOR. `ltm history` keeps the previous versions.',
    flags: [...memoryFlags(CHANGED_MEMORY), 'versioned', 'reason', 'revision', 'no_redact'],
    own: [
      { name: 'content', short: 'c', value: 'TEXT', description: 'New content; - reads it from stdin.' },
      { name: 'undo', description: 'Undo the last change.' },
    ],
    maxWords: 1,
    examples: [
      'ltm edit release-day',
      'ltm edit 01k9x2m4q8b7c6d5e4f3 --tags infra,prod',
      'ltm edit release-day --undo',
    ],
  },
});

function summarise({ outcome, memory, changed, previous }: UpdateOutcome): string {
  if (outcome === 'unchanged') return `Memory ${memory.id} is unchanged.`;
  if (outcome === 'versioned') return `Memory ${memory.id} takes over; ${previous} stays readable as superseded.`;
  return `Memory ${memory.id} updated: ${changed.join(', ')}.`;
}
