import type { ApiOf } from '../../engine/engine.ts';
import type { ClientOf } from '../../verbs/client.ts';
import { defineFeature } from '../feature.ts';
import { late } from '../late.ts';
import type { VERBS } from './verbs.ts';

const comparing = () => import('./diff-records.ts');
const undoing = () => import('./undo-changes.ts');

const api = {
  diffMemories: late(comparing, 'diffMemories'),
  undoChanges: late(undoing, 'undoChanges'),
};

declare module '../../engine/engine.ts' {
  interface Engine extends ApiOf<typeof api> {}
}

declare module '../../verbs/client.ts' {
  interface Client extends ClientOf<typeof VERBS> {}
}

export const history = defineFeature({
  name: 'history',
  about: 'What changed between two times, and undo.',
  needs: ['memories'],
  api,
  verbs: async () => (await import('./verbs.ts')).VERBS,
  answers: async () => (await import('./answers.ts')).ANSWERS,
  commands: async () => (await import('./commands.ts')).COMMANDS,
});
