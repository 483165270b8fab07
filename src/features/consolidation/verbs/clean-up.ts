import { flag, integer, label, text } from '../../../verbs/field.ts';
import { defineVerb } from '../../../verbs/verb.ts';
import type { Memory } from '../../memories/memory.ts';
import { refList } from '../../memories/verbs/name-memories.ts';
import type { CleanedUp, CleanUpInput } from '../clean-up.ts';
import type { Insight, MaintenanceReport } from '../insight.ts';
import type { ArchivedMemories, MergedMemories, MergeInput } from '../merge-memories.ts';

const dryRun = { dry_run: flag('Only say what would be done. Default: true; send false to do it.') };
const APPLY = { name: 'apply', description: 'Do it. Without it, only say what would be done.' };

export const cleanUp = defineVerb<CleanUpInput, CleanedUp>({
  needs: 'read',
  writes: true,
  input: {
    ...dryRun,
    threshold: {
      type: 'number',
      min: 0.85,
      max: 1,
      about: 'Similarity from which on two texts say the same. Default: 0.95.',
    },
  },
  run: ({ engine, caller }, input) => engine.cleanUp(caller, input),
  rest: {
    at: 'POST /cleanup',
    summary: 'Find memories that say the same, and merge them if you confirm',
    example: { body: { dry_run: true } },
    answers: { 200: 'The groups, with the one of each that is kept.' },
  },
  command: {
    name: 'cleanup',
    summary: 'Find duplicate memories, and merge them with --apply',
    usage: '',
    about:
      'Texts that differ in a number, a name in code or a negation are never duplicates. Of each group one stays, with the tags of all; the others stay readable behind it. `ltm consolidate undo` takes it back.',
    flags: ['threshold'],
    own: [APPLY],
    maxWords: 0,
    examples: ['ltm cleanup', 'ltm cleanup --apply'],
  },
});

export const mergeMemories = defineVerb<MergeInput, MergedMemories>({
  needs: 'write',
  input: {
    refs: { ...refList, min: 2 },
    content: text('The text that takes their place.', { min: 1, isRequired: true }),
    tags: { type: 'tags', about: 'Instead of the tags of all of them.' },
    type: label('Instead of the type of the first.'),
  },
  run: ({ engine, caller }, input) => engine.mergeMemories(caller, input),
  rest: {
    at: 'POST /memories/merge',
    summary: 'Merge several memories into a new one; they stay readable behind it',
    example: {
      body: {
        refs: ['06dwp2v4x1k8q3m5r7t9', '06dwp2v4x1k8q3m5r7ta'],
        content: 'Deploys happen on Tuesdays, after two reviews.',
      },
    },
    answers: { 200: 'The new memory, and the run that undoes it.' },
  },
  command: {
    name: 'merge',
    summary: 'Merge several memories into a new one',
    usage: 'REF REF… --content TEXT',
    flags: ['content', 'tags', 'type'],
    examples: [
      'ltm merge 06dwp2v4x1k8q3m5r7t9 06dwp2v4x1k8q3m5r7ta --content "Deploys happen on Tuesdays, after two reviews."',
    ],
  },
});

export const archiveMemories = defineVerb<{ refs: readonly string[] }, ArchivedMemories>({
  needs: 'write',
  input: { refs: refList },
  run: ({ engine, caller }, { refs }) => engine.archiveMemories(caller, refs),
  rest: {
    at: 'POST /archive',
    summary: 'Archive memories: search hides them until they are restored',
    example: { body: { refs: ['06dwp2v4x1k8q3m5r7t9'] } },
    answers: { 200: 'Which were archived, and the run that undoes it.' },
  },
  command: {
    name: 'archive',
    summary: 'Archive memories, or list what is archived',
    usage: '[REF…]',
    about:
      'Archived memories are kept for good and hidden from search; `ltm restore REF` brings one back. Without REF: what is archived, the latest first.',
    flags: [],
    examples: ['ltm archive 06dwp2v4x1k8q3m5r7t9', 'ltm archive'],
  },
});

export const listArchived = defineVerb<{ limit?: number }, { memories: Memory[] }>({
  needs: 'read',
  input: { limit: integer(1, 1000, 'Default: 100.') },
  run: async ({ engine, caller }, { limit = 100 }) => ({ memories: await engine.listArchived(caller, limit) }),
  rest: {
    at: 'GET /archive',
    summary: 'What is archived, the latest first',
    answers: { 200: 'The memories, each with the reason and the run that archived it.' },
  },
});

export const maintain = defineVerb<{ dryRun?: boolean }, MaintenanceReport>({
  needs: 'read',
  writes: true,
  input: dryRun,
  run: ({ engine, caller }, input) => engine.maintain(caller, input),
  rest: {
    at: 'POST /maintenance',
    summary: 'Look after duplicates, stale memories, quality and insights in one go',
    example: { body: { dry_run: true } },
    answers: { 200: 'What each step has found.' },
  },
  command: {
    name: 'maintain',
    summary: 'Look after duplicates, stale memories, quality and insights',
    usage: '',
    flags: [],
    own: [APPLY, { name: 'status', description: 'What the last one with --apply has found.' }],
    maxWords: 0,
    examples: ['ltm maintain', 'ltm maintain --apply'],
  },
});

export const readMaintenance = defineVerb<Record<string, never>, { report: MaintenanceReport | null }>({
  needs: 'read',
  input: {},
  run: async ({ engine, caller }) => ({ report: await engine.readMaintenance(caller) }),
  rest: {
    at: 'GET /maintenance',
    summary: 'What the last maintenance has found',
    answers: { 200: 'Its report; null if there was none but dry runs.' },
  },
});

export const listInsights = defineVerb<Record<string, never>, { insights: Insight[] }>({
  needs: 'read',
  input: {},
  run: async ({ engine, caller }) => ({ insights: await engine.listInsights(caller) }),
  rest: {
    at: 'GET /insights',
    summary: 'What many memories say together: patterns, trends and gaps',
    answers: { 200: 'Counted from the memories as they are now.' },
  },
  command: {
    name: 'insights',
    summary: 'Show patterns, trends and gaps in your memories',
    usage: '[acknowledge ID]',
    flags: [],
    maxWords: 2,
    examples: ['ltm insights', 'ltm insights acknowledge 06dwp2v4x1k8q3m5r7t9'],
  },
});

export const acknowledgeInsight = defineVerb<{ insight: string }, { insight: Insight }>({
  needs: 'write',
  input: { insight: { ...label('The id of an insight.'), isRequired: true } },
  run: async ({ engine, caller }, { insight }) => ({ insight: await engine.acknowledgeInsight(caller, insight) }),
  rest: {
    at: 'POST /insights/{insight}/acknowledgement',
    summary: 'Acknowledge an insight, so that it is not told again',
    answers: { 200: 'The insight.' },
  },
});
