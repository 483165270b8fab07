import { defineFeature } from '../feature.ts';

export const backups = defineFeature({
  name: 'backups',
  about: 'Snapshots of the database and their restore.',
  needs: ['maintenance'],
  commands: async () => (await import('./commands.ts')).COMMANDS,
});
