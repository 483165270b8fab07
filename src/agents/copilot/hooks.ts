import type { AgentHooks } from '../agent.ts';

export const copilotHooks: AgentHooks = {
  events: {
    sessionstart: 'start',
    userpromptsubmit: 'prompt',
    userpromptsubmitted: 'prompt',
    posttooluse: 'tool',
    posttool: 'tool',
    stop: 'turn',
    sessionend: 'end',
  },
  sent: ({ toolName, toolArgs }) => toolName !== undefined || toolArgs !== undefined,
  answer: (_name, { context }) => ({ additionalContext: context }),
};
