import { AGENTS } from '../../../agents/agents.ts';
import type { CommandContext } from '../../../cli/command.ts';
import { findPrograms } from '../../../cli/machine/find-program.ts';
import { carriedVariables, installedAt, placeOf } from '../../../cli/machine/setup-place.ts';
import { VERSION } from '../../../model/version.ts';
import type { Check, Checked } from '../../feature.ts';
import { type AgentCheck, checkAgents } from '../check-agents.ts';
import { wiringFor } from '../plan-setup.ts';

export const CHECKS: readonly Check[] = [{ name: 'agents', look: lookAtAgents }];

async function lookAtAgents(context: CommandContext): Promise<Checked> {
  const place = placeOf(context);
  const programs = findPrograms(installedAt(context), VERSION);
  const env = carriedVariables(context);
  const agents = checkAgents(AGENTS, { place, wire: (agent) => wiringFor(agent, place, programs, env) });
  const rows = agents.map((agent, at): [string, string] => [at === 0 ? 'agents' : '', describeAgent(agent)]);
  return { facts: { agents }, rows: agents.length === 0 ? [['agents', 'none found']] : rows, problems: judge(agents) };
}

function describeAgent({ title, state, hooks }: AgentCheck): string {
  const capture =
    state === 'connected' && hooks !== null ? (hooks ? ', sessions are captured' : ', sessions are not captured') : '';
  return `${title}: ${state}${capture}`;
}

function judge(agents: readonly AgentCheck[]): Checked['problems'] {
  const problems = agents.flatMap(({ title, state, problem }): { message: string; hint: string }[] => {
    if (state === 'unreadable') return [{ message: problem!, hint: 'Correct the file, then run `ltm setup`.' }];
    if (state === 'outdated') return [{ message: `${title} is not set up as it should be.`, hint: 'Run `ltm setup`.' }];
    return [];
  });
  if (agents.length > 0 && agents.every(({ state }) => state === 'not set up'))
    problems.push({ message: 'No agent is connected.', hint: 'Run `ltm setup`.' });
  return problems;
}
