import type { Instant } from '../../../model/ids.ts';
import { butMissing, previewMemory, unlessEmpty } from '../../../verbs/describe-memory.ts';
import { noticesOfTrust } from '../../../verbs/describe-origin.ts';
import { ref } from '../../../verbs/field.ts';
import { defineVerb } from '../../../verbs/verb.ts';
import type { Memory } from '../memory.ts';
import { toMemory } from '../to-memory.ts';
import { NAMED, refList, requireRefs, theOne } from './name-memories.ts';

export const restoreMemory = defineVerb<{ ref: string }, Memory>({
  needs: 'write',
  input: { ref },
  async run({ engine, caller }, { ref: name }) {
    return theOne((await engine.restoreMemories(caller, [name])).restored);
  },
  rest: {
    at: 'POST /memories/{ref}/restore',
    summary: 'Restore a deleted memory',
    answers: { 200: 'The restored memory.' },
    revisionOf: ({ revision }) => revision,
  },
});

export const restoreMemories = defineVerb<{ ids: readonly string[] }, { restored: Memory[]; missing: string[] }>({
  needs: 'write',
  input: { ids: refList },
  run: ({ engine, caller }, { ids }) => engine.restoreMemories(caller, ids),
  rest: {
    at: 'POST /memories/restore',
    summary: 'Restore several deleted memories',
    example: { body: { ids: ['06dwp2v4x1k8q3m5r7t9'] } },
    answers: { 200: 'The restored memories, and the refs that were not found.' },
  },
  tool: {
    name: 'memory_restore',
    title: 'Restore memories',
    text: 'Bring deleted memories back.',
    shown: { id: 'Id, content hash or key' },
    own: NAMED,
    read: (args) => ({ ids: requireRefs(args).ids }),
    idempotent: true,
    output: { memories: ['object'] },
    answer: ({ restored, missing }, { context }) => ({
      message: `Restored ${restored.length}${butMissing(missing)}.`,
      memories: restored.map((memory) => previewMemory(memory, context)),
      missing: unlessEmpty(missing),
      notices: unlessEmpty(noticesOfTrust(restored)),
    }),
  },
  command: {
    name: 'restore',
    summary: 'Restore deleted memories',
    usage: 'REF…',
    flags: [],
    examples: ['ltm restore 01k9x2m4q8b7c6d5e4f3', 'ltm list --deleted'],
  },
});

export const listVersions = defineVerb<
  { ref: string },
  { versions: { memory: Memory; replacedAt: Instant; reason: string | null }[] }
>({
  needs: 'read',
  input: { ref },
  async run({ engine, caller }, { ref: name }) {
    const versions = await engine.listVersions(caller, name);
    return {
      versions: versions.map(({ record, replacedAt, reason }) => ({ memory: toMemory(record), replacedAt, reason })),
    };
  },
  rest: {
    at: 'GET /memories/{ref}/versions',
    summary: 'Earlier versions of a memory, newest first',
    answers: { 200: 'Empty if the memory was never changed.' },
  },
  command: {
    name: 'history',
    summary: 'Show the earlier versions of a memory',
    usage: 'REF',
    flags: [],
    maxWords: 1,
    examples: ['ltm history release-day', 'ltm edit release-day --undo'],
  },
});
