import type { AgentHooks } from '../agent.ts';

export const windsurfHooks: AgentHooks = {
  events: {
    preuserprompt: 'prompt',
    postruncommand: 'tool',
    postmcptooluse: 'tool',
    postwritecode: 'tool',
    postcascaderesponse: 'turn',
  },
  sent: ({ trajectory_id }) => trajectory_id !== undefined,
  answer: () => null,
};
