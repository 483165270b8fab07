import { defineFeature } from '../../../src/features/feature.ts';
import { bookmarkKind } from './bookmark-kind.ts';

/** A feature that the product does not have: a folder, and a line in a table. */
export const bookmark = defineFeature({
  name: 'bookmark',
  about: 'Addresses with a note.',
  kinds: [bookmarkKind],
  jobs: [{ name: 'forgotten', isDue: () => true, run: async () => (await import('./forget-read.ts')).forgetRead }],
  verbs: async () => (await import('./verbs.ts')).VERBS,
  answers: async () => (await import('./answers.ts')).ANSWERS,
  commands: async () => (await import('./commands.ts')).COMMANDS,
});
