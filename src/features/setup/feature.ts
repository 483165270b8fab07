import { defineFeature } from '../feature.ts';

export const setup = defineFeature({
  name: 'setup',
  about: 'One command that connects the agents of a machine.',
  needs: ['sessions'],
  commands: async () => (await import('./commands.ts')).COMMANDS,
});
