import { defineFeature } from '../feature.ts';

export const setup = defineFeature({
  name: 'setup',
  about: 'One command that connects the agents of a machine.',
  needs: ['sessions'],
  checks: async () => (await import('./terminal/status-checks.ts')).CHECKS,
  commands: async () => (await import('./commands.ts')).COMMANDS,
});
