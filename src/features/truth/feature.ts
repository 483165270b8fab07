import type { ApiOf } from '../../engine/engine.ts';
import type { ClientOf } from '../../verbs/client.ts';
import { defineFeature } from '../feature.ts';
import { late } from '../late.ts';
import type { VERBS } from './verbs.ts';

const finding = () => import('./find-conflicts.ts');
const resolving = () => import('./resolve-conflict.ts');
const believing = () => import('./list-beliefs.ts');

const api = {
  listConflicts: late(finding, 'findConflicts'),
  findConflictsNearby: late(finding, 'findConflictsNearby'),
  resolveConflict: late(resolving, 'resolveConflict'),
  listBeliefs: late(believing, 'listBeliefs'),
};

declare module '../../engine/engine.ts' {
  interface Engine extends ApiOf<typeof api> {}
}

declare module '../../verbs/client.ts' {
  interface Client extends ClientOf<typeof VERBS> {}
}

export const truth = defineFeature({
  name: 'truth',
  about: 'Contradictions between memories, and beliefs that several share.',
  needs: ['memories', 'graph'],
  api,
  verbs: async () => (await import('./verbs.ts')).VERBS,
  answers: async () => (await import('./answers.ts')).ANSWERS,
  commands: async () => (await import('./commands.ts')).COMMANDS,
});
