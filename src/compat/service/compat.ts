import { defineFeature } from '../../features/feature.ts';

export const service = defineFeature({
  name: 'service',
  about: 'The words of mcp-memory-service: its tools, its routes and its command line.',
  commands: async () => (await import('./commands.ts')).COMMANDS,
});
