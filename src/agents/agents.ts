import type { Agent } from './agent.ts';
import { DESKTOP_AGENTS } from './desktop-agents.ts';
import { TERMINAL_AGENTS } from './terminal-agents.ts';

/** Every agent that can be wired by its files. What each file looks like: docs/connect.md. */
export const AGENTS: readonly Agent[] = [...TERMINAL_AGENTS, ...DESKTOP_AGENTS];
