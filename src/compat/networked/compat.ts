import { defineFeature } from '../../features/feature.ts';

export const networked = defineFeature({
  name: 'networked',
  about: 'The tools of the networked server of memories by repository.',
  needs: ['memories'],
  tools: async () => (await import('./tools.ts')).listTools,
});
