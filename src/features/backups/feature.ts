import { defineFeature } from '../feature.ts';
import { settings } from './settings.ts';

export const backups = defineFeature({
  name: 'backups',
  about: 'Snapshots of the database and their restore.',
  settings,
  needs: ['maintenance'],
  commands: async () => (await import('./commands.ts')).COMMANDS,
});
