import { defineFeature } from '../feature.ts';

export const evaluation = defineFeature({
  name: 'evaluation',
  about: 'Measuring recall on one’s own memories.',
  needs: ['memories'],
  commands: async () => (await import('./commands.ts')).COMMANDS,
});
