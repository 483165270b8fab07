import { SESSION_EVENTS, type SessionEventName } from '../model/session-event.ts';
import type { AgentHooks } from './agent.ts';
import { claudeCodeHooks } from './claude-code/hooks.ts';
import { codexHooks } from './codex/hooks.ts';
import { copilotHooks } from './copilot/hooks.ts';
import { cursorHooks } from './cursor/hooks.ts';
import { geminiHooks } from './gemini/hooks.ts';
import { opencodeHooks } from './opencode/hooks.ts';
import { vscodeHooks } from './vscode/hooks.ts';
import { windsurfHooks } from './windsurf/hooks.ts';

/** The hooks of AGENTS, by the names that SessionEvent has for them: apart, since a hook has milliseconds and needs nothing else. */
const HOOKS = {
  cursor: cursorHooks,
  windsurf: windsurfHooks,
  vscode: vscodeHooks,
  copilot: copilotHooks,
  codex: codexHooks,
  gemini: geminiHooks,
  opencode: opencodeHooks,
  'claude-code': claudeCodeHooks,
} satisfies Record<string, AgentHooks>;
export type AgentName = keyof typeof HOOKS;

const BY_NAME: ReadonlyMap<AgentName, AgentHooks> = new Map(Object.entries(HOOKS) as [AgentName, AgentHooks][]);

export function isAgent(word: string): word is AgentName {
  return (BY_NAME as ReadonlyMap<string, AgentHooks>).has(word);
}

/** Events by our own names, and by those of every agent. */
const EVENTS: ReadonlyMap<string, SessionEventName> = new Map([
  ...SESSION_EVENTS.map((name) => [name, name] as const),
  ...[...BY_NAME.values()].flatMap(({ events }) => Object.entries(events)),
]);

/** An event as an agent calls it, whatever stands between its letters; null: none of ours. */
export function toEventName(name: string): SessionEventName | null {
  return EVENTS.get(name.toLowerCase().replace(/[^a-z]/g, '')) ?? null;
}

/** Cursor and VS Code also run the hooks of Claude Code and Copilot CLI, which name those: what only the editors send tells them. */
export function isEditor(agent: AgentName): boolean {
  return BY_NAME.get(agent)?.isEditor === true;
}

/** By what only one agent sends; for hooks that were set up without a name. */
export function guessAgent(payload: Readonly<Record<string, unknown>>): AgentName {
  for (const [name, { sent }] of BY_NAME) if (sent?.(payload) === true) return name;
  return 'claude-code';
}

/** How each agent wants to be given context; null where it takes none at this event. */
export function formatAnswer(agent: AgentName, event: string, context: string): string | null {
  const { answer = giveOutput } = BY_NAME.get(agent)!;
  const given = answer(toEventName(event), { event, context });
  return given === null ? null : JSON.stringify(given);
}

/** As Claude Code takes it, and those who follow it. */
const giveOutput: NonNullable<AgentHooks['answer']> = (_name, { event, context }) => ({
  hookSpecificOutput: { hookEventName: event, additionalContext: context },
});
