import type { AgentHooks } from '../agent.ts';

export const cursorHooks: AgentHooks = {
  events: {
    sessionstart: 'start',
    beforesubmitprompt: 'prompt',
    posttooluse: 'tool',
    posttoolusefailure: 'tool',
    aftershellexecution: 'tool',
    aftermcpexecution: 'tool',
    afterfileedit: 'tool',
    afteragentresponse: 'turn',
    stop: 'turn',
    precompact: 'compact',
    sessionend: 'end',
  },
  sent: ({ cursor_version, conversation_id }) => cursor_version !== undefined || conversation_id !== undefined,
  isEditor: true,
  answer: (name, { context }) => (name === 'start' ? { additional_context: context } : null),
};
