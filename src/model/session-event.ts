import type { Instant } from './ids.ts';
import type { JsonObject } from './json.ts';

/** What happens in a session of an agent, whichever agent it is. */
export const SESSION_EVENTS = ['start', 'prompt', 'tool', 'turn', 'compact', 'end'] as const;
export type SessionEventName = (typeof SESSION_EVENTS)[number];

/** What a tool was given and gave back, as text that was screened. */
export interface ToolUse {
  name: string;
  input: JsonObject;
  output: string;
  /** The call went wrong, as far as the agent says. */
  failed?: true;
  durationMs?: number;
  /** The MCP server it belongs to, where the agent names it. */
  server?: string;
}

/** One event of a session: a line of the spool, and what engines take in. Holds screened text only. */
export interface SessionEvent {
  /** The same event has the same key, however often and by whomever it is delivered: exactly once by it. */
  key: string;
  event: SessionEventName;
  at: Instant;
  /** The agent's name: `claude-code`, `codex`, `gemini`, `opencode`, `cursor` … */
  agent: string;
  /** The agent's own id of the session, out of the event itself. */
  session: string;
  project: string | null;
  directory: string | null;
  /** A prompt; at the end of a turn what the agent said last; at compaction its summary. */
  text?: string;
  tool?: ToolUse;
  /** Which prompt of the session it belongs to, where its agent says so; otherwise they are counted. */
  prompt?: number;
  /** Where the agent keeps the transcript of the session. */
  transcript?: string;
  /** Why it started or ended: startup, resume, clear, logout … */
  reason?: string;
  /** What was replaced, removed or left out before it was written down: names of rules, never values. */
  screened?: readonly string[];
}

const MAX_PROMPTS = 1_000_000_000;

/** Which prompt of a session it may be. */
export function isPromptNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_PROMPTS;
}
