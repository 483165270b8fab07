import type { Agent, Place, Wiring } from '../../agents/agent.ts';
import { readBytes, realFile } from '../../agents/edits/write-file.ts';
import { decode, isThere, planAgent } from './plan-setup.ts';

/** `outdated`: something of ltm is there, but not as set-up would write it now. */
export type AgentState = 'connected' | 'outdated' | 'unreadable' | 'not set up';

export interface AgentCheck {
  name: string;
  title: string;
  state: AgentState;
  /** Whether sessions are captured; null: the agent has no hooks. */
  hooks: boolean | null;
  problem: string | null;
}

/** Those that are on this machine, as their files are now. */
export function checkAgents(
  agents: readonly Agent[],
  { place, wire }: { place: Place; wire(agent: Agent): Wiring },
): AgentCheck[] {
  return agents.filter((agent) => isThere(agent, place)).map((agent) => checkAgent(agent, place, wire(agent)));
}

function checkAgent(agent: Agent, place: Place, wiring: Wiring): AgentCheck {
  const said = { name: agent.name, title: agent.title };
  const whole = planAgent(agent, place, wiring);
  if (whole.problem !== null)
    return { ...said, state: 'unreadable', hooks: agent.hasHooks ? false : null, problem: whole.problem.message };
  const isSettled = ({ changes }: typeof whole): boolean => changes.every(({ isChanged }) => !isChanged);
  const isHooked = agent.hasHooks ? wiring.hook !== null && isSettled(whole) : null;
  const isWithout = isSettled(planAgent(agent, place, { ...wiring, hook: null }));
  const isPartly = hasTraces(agent, place, wiring, isWithout);
  const state = isSettled(whole) || (isWithout && !isPartly) ? 'connected' : isPartly ? 'outdated' : 'not set up';
  return { ...said, state, hooks: isHooked, problem: null };
}

/** Whether anything of ours stands in its files; with `inHooks`, in those of its hooks alone. */
function hasTraces(agent: Agent, place: Place, wiring: Wiring, inHooks: boolean): boolean {
  const servers = agent.edits(place, { ...wiring, hook: null }).length;
  const edits = agent.edits(place, wiring).slice(inHooks ? servers : 0);
  return edits.some(({ path, clear }) => {
    const bytes = readBytes(realFile(path));
    if (bytes === null) return false;
    const text = decode(bytes, path);
    return clear(text, '') !== text;
  });
}
