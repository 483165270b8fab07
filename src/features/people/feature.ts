import type { ClientOf } from '../../verbs/client.ts';
import { defineFeature } from '../feature.ts';
import type { VERBS } from './verbs.ts';

declare module '../../verbs/client.ts' {
  interface Client extends ClientOf<typeof VERBS> {}
}

export const people = defineFeature({
  name: 'people',
  about: 'Teams, users, tokens, invitations and roles.',
  verbs: async () => (await import('./verbs.ts')).VERBS,
  answers: async () => (await import('./answers.ts')).ANSWERS,
  commands: async () => (await import('./commands.ts')).COMMANDS,
});
