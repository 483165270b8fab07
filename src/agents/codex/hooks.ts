import type { AgentHooks } from '../agent.ts';

export const codexHooks: AgentHooks = {
  events: {
    sessionstart: 'start',
    userpromptsubmit: 'prompt',
    posttooluse: 'tool',
    stop: 'turn',
    precompact: 'compact',
    postcompact: 'compact',
    sessionend: 'end',
  },
  sent: ({ turn_id, transcript_path }) =>
    turn_id !== undefined || /[\\/]\.codex[\\/]/.test(String(transcript_path ?? '')),
};
