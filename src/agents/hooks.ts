import type { SessionEventName } from '../model/session-event.ts';

/** Agents by the names that SessionEvent has for them. */
export const AGENTS = [
  'claude-code',
  'codex',
  'gemini',
  'opencode',
  'cursor',
  'vscode',
  'copilot',
  'windsurf',
] as const;
export type AgentName = (typeof AGENTS)[number];

export function isAgent(word: string): word is AgentName {
  return (AGENTS as readonly string[]).includes(word);
}

/** What the agents call their events, without what is neither letter nor digit. Events that are not here are none of ours. */
const EVENTS: Readonly<Record<string, SessionEventName>> = {
  start: 'start',
  prompt: 'prompt',
  tool: 'tool',
  turn: 'turn',
  compact: 'compact',
  end: 'end',
  sessionstart: 'start',
  sessioncreated: 'start',
  userpromptsubmit: 'prompt',
  userpromptsubmitted: 'prompt',
  beforeagent: 'prompt',
  beforesubmitprompt: 'prompt',
  chatmessage: 'prompt',
  preuserprompt: 'prompt',
  posttooluse: 'tool',
  posttoolusefailure: 'tool',
  posttool: 'tool',
  aftertool: 'tool',
  toolexecuteafter: 'tool',
  aftershellexecution: 'tool',
  aftermcpexecution: 'tool',
  afterfileedit: 'tool',
  postruncommand: 'tool',
  postmcptooluse: 'tool',
  postwritecode: 'tool',
  stop: 'turn',
  afteragent: 'turn',
  afteragentresponse: 'turn',
  postcascaderesponse: 'turn',
  sessionidle: 'turn',
  precompact: 'compact',
  postcompact: 'compact',
  precompress: 'compact',
  sessioncompacted: 'compact',
  sessionend: 'end',
  sessiondeleted: 'end',
};

export function toEventName(name: string): SessionEventName | null {
  const plain = name.toLowerCase().replace(/[^a-z]/g, '');
  return Object.hasOwn(EVENTS, plain) ? EVENTS[plain]! : null;
}

/** Cursor and VS Code also run the hooks of Claude Code and Copilot CLI, which name those: what only the editors send tells them. */
export function isEditor(agent: AgentName): boolean {
  return agent === 'cursor' || agent === 'vscode';
}

/** By what only one agent sends; for hooks that were set up without a name. */
export function guessAgent(payload: Readonly<Record<string, unknown>>): AgentName {
  const transcript = String(payload.transcript_path ?? '');
  if (payload.cursor_version !== undefined || payload.conversation_id !== undefined) return 'cursor';
  if (payload.trajectory_id !== undefined) return 'windsurf';
  if (payload.hookEventName !== undefined) return 'vscode';
  if (payload.toolName !== undefined || payload.toolArgs !== undefined) return 'copilot';
  if (payload.turn_id !== undefined || /[\\/]\.codex[\\/]/.test(transcript)) return 'codex';
  const event = String(payload.hook_event_name ?? '');
  if (/^(?:Before|After|PreCompress)/.test(event) || /[\\/]\.gemini[\\/]/.test(transcript)) return 'gemini';
  return 'claude-code';
}

/** How each agent wants to be given context; null where it takes none at this event. */
export function formatAnswer(agent: AgentName, event: string, context: string): string | null {
  const name = toEventName(event);
  if (agent === 'cursor') return name === 'start' ? JSON.stringify({ additional_context: context }) : null;
  if (agent === 'copilot') return JSON.stringify({ additionalContext: context });
  if (agent === 'windsurf') return null;
  return JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: context } });
}
