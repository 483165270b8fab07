import type { AgentHooks } from '../agent.ts';

export const vscodeHooks: AgentHooks = {
  events: {},
  sent: ({ hookEventName }) => hookEventName !== undefined,
  isEditor: true,
};
