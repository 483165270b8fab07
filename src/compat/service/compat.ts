import { defineFeature } from '../../features/feature.ts';
import { settings } from './settings.ts';

export const service = defineFeature({
  name: 'service',
  about: 'The words of mcp-memory-service: its tools, its routes and its command line.',
  settings,
  needs: [
    'memories',
    'harvest',
    'truth',
    'consolidation',
    'quality',
    'backups',
    'documents',
    'graph',
    'maintenance',
    'sync',
  ],
  tools: async () => (await import('./tools.ts')).listTools,
  commands: async () => (await import('./commands.ts')).COMMANDS,
  services: { start: async () => (await import('./earlier-environment.ts')).tellEarlierVariables },
  http: async () => (await import('./service-extension.ts')).serviceExtension,
});
