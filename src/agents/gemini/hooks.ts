import type { AgentHooks } from '../agent.ts';

export const geminiHooks: AgentHooks = {
  events: {
    sessionstart: 'start',
    beforeagent: 'prompt',
    aftertool: 'tool',
    afteragent: 'turn',
    precompress: 'compact',
    sessionend: 'end',
  },
  sent: ({ hook_event_name, transcript_path }) =>
    /^(?:Before|After|PreCompress)/.test(String(hook_event_name ?? '')) ||
    /[\\/]\.gemini[\\/]/.test(String(transcript_path ?? '')),
};
