import { defineFeature } from '../feature.ts';

export const people = defineFeature({
  name: 'people',
  about: 'Teams, users, tokens, invitations and roles.',
  verbs: async () => (await import('./verbs.ts')).VERBS,
  commands: async () => (await import('./commands.ts')).COMMANDS,
});
