import type { AgentHooks } from '../agent.ts';

export const opencodeHooks: AgentHooks = {
  events: {
    sessioncreated: 'start',
    chatmessage: 'prompt',
    toolexecuteafter: 'tool',
    sessionidle: 'turn',
    sessioncompacted: 'compact',
    sessiondeleted: 'end',
  },
};
