import { butMissing, describeMemory, noticesOfDamage, unlessEmpty } from '../../../verbs/describe-memory.ts';
import { noticesOfTrust } from '../../../verbs/describe-origin.ts';
import { flag, label, ref } from '../../../verbs/field.ts';
import { AS_OF, type AsOfInput, readAsOf } from '../../../verbs/memory-input.ts';
import { defineVerb } from '../../../verbs/verb.ts';
import type { Memory } from '../memory.ts';
import type { FoundMemories } from '../name-as-memories.ts';
import { NAMED, projectOfKey, refList, requireRefs, theOne } from './name-memories.ts';

const where = { project: projectOfKey, include_deleted: flag('Include deleted ones.'), ...AS_OF };

export interface Where extends AsOfInput {
  project?: string;
  includeDeleted?: boolean;
}

export const getMemory = defineVerb<Where & { ref: string }, Memory>({
  needs: 'read',
  input: { ref, ...where },
  async run(context, { ref: name, ...options }) {
    const asOf = await readAsOf(options, context);
    const { engine, caller } = context;
    return theOne((await engine.getMemories(caller, { ...options, refs: [name], asOf })).memories);
  },
  rest: {
    at: 'GET /memories/{ref}',
    summary: 'Get one memory',
    headers: ['If-None-Match'],
    answers: { 200: 'The memory; its ETag is its revision.', 304: 'The memory is still at that revision.' },
    revisionOf: ({ revision }) => revision,
    locationOf: ({ id }) => `/memories/${id}`,
  },
});

export const getMemories = defineVerb<Where & { ids: readonly string[] }, FoundMemories>({
  needs: 'read',
  input: { ids: refList, ...where },
  async run(context, { ids, ...options }) {
    const asOf = await readAsOf(options, context);
    return context.engine.getMemories(context.caller, { ...options, refs: ids, asOf });
  },
  rest: {
    at: 'POST /memories/get',
    summary: 'Get several memories',
    example: { body: { ids: ['06dwp2v4x1k8q3m5r7t9', 'release-day'] } },
    answers: { 200: 'The memories found, and the refs that were not found or are damaged.' },
  },
  tool: {
    name: 'memory_get',
    title: 'Get memories',
    text: 'The whole text and details of memories.',
    shown: { id: 'Id, content hash or key', ids: '', project: '' },
    own: { ...NAMED, key: label() },
    read(args) {
      const { ids, rest } = requireRefs(args);
      return { ids, ...rest };
    },
    alwaysLoad: true,
    output: { memories: ['object'] },
    isWhole: true,
    answer: ({ memories, missing, damaged = [], notices = [] }, { context }) => ({
      message: `${memories.length} found${butMissing(missing)}.`,
      memories: memories.map((memory) => describeMemory(memory, context)),
      missing: unlessEmpty(missing),
      damaged: unlessEmpty(damaged),
      notices: unlessEmpty([...noticesOfTrust(memories), ...noticesOfDamage(damaged), ...notices]),
    }),
  },
  command: {
    name: 'get',
    summary: 'Show memories in full',
    usage: 'REF…',
    about: 'REF is an id, a content hash or a key.',
    flags: [['project', 'p'], 'include_deleted', 'as_of'],
    own: [{ name: 'content', description: 'Print only the content, exactly as stored.' }],
    examples: ['ltm get 01k9x2m4q8b7c6d5e4f3', 'ltm get release-day --content'],
  },
});
