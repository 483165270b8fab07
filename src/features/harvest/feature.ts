import { defineFeature } from '../feature.ts';

export const harvest = defineFeature({
  name: 'harvest',
  about: 'Learnings found in old transcripts.',
  needs: ['memories'],
  commands: async () => (await import('./commands.ts')).COMMANDS,
});
