import { defineFeature } from '../../features/feature.ts';
import { settings } from './settings.ts';

export const workspaces = defineFeature({
  name: 'workspaces',
  about: 'The tools and tokens of the federated server of workspaces.',
  settings,
  needs: ['workspaces'],
  tools: async () => (await import('./tools.ts')).listTools,
  tokens: async () => (await import('./workspace-tokens.ts')).WORKSPACE_TOKENS,
});
