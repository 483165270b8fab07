import { defineFeature } from '../../features/feature.ts';

export const connectors = defineFeature({
  name: 'connectors',
  about: 'The search and fetch that connectors of ChatGPT demand.',
  needs: ['memories'],
  tools: async () => (await import('./tools.ts')).listTools,
});
