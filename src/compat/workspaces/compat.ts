import { defineFeature } from '../../features/feature.ts';

export const workspaces = defineFeature({
  name: 'workspaces',
  about: 'The tools and tokens of the federated server of workspaces.',
  needs: ['workspaces'],
  tokens: async () => (await import('./workspace-tokens.ts')).WORKSPACE_TOKENS,
});
