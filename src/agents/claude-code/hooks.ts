import type { AgentHooks } from '../agent.ts';

export const claudeCodeHooks: AgentHooks = {
  events: {
    sessionstart: 'start',
    userpromptsubmit: 'prompt',
    posttooluse: 'tool',
    posttoolusefailure: 'tool',
    stop: 'turn',
    precompact: 'compact',
    postcompact: 'compact',
    sessionend: 'end',
  },
};
