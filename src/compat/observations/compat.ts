import { defineFeature } from '../../features/feature.ts';

export const observations = defineFeature({
  name: 'observations',
  about: 'The routes and tools of the observation server.',
  needs: ['memories', 'sessions', 'summaries'],
  tools: async () => (await import('./tools.ts')).listTools,
  http: async () => (await import('./observation-extension.ts')).observationExtension,
});
