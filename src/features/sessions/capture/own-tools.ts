import { matchesSigns, readStars } from '../../../model/match-glob.ts';

/** Tools whose use is no work worth remembering: lists of tools, questions, notes of the agent to itself. */
const IDLE_TOOLS = new Set([
  'ToolSearch',
  'TodoWrite',
  'TodoRead',
  'AskQuestion',
  'AskUserQuestion',
  'ListMcpResourcesTool',
  'Skill',
  'mem-search',
  'update_plan',
  'write_todos',
  'save_memory',
  'todowrite',
  'todoread',
]);

const OWN_SERVER = /^(?:ltm|longmem)(?:[-_].*)?$/i;
/** Under the prefixes of all agents: `mcp__ltm__x`, `mcp_ltm_x`, `ltm_x`, `ltm.x`; names of our own tools under any server. */
const OWN_TOOL =
  /^(?:mcp_{1,2}[\w-]*?(?:ltm|longmem)[\w-]*?_|(?:ltm|longmem)[_./:-])|(?:^|_|\.|\/|:)(?:memory_\w+|mem_(?:search|timeline|get|export|forget))$/i;

/** What ltm itself answered must not come back as something that happened. */
export function isOwnTool(tool: string, server?: string): boolean {
  return IDLE_TOOLS.has(tool) || (server !== undefined && OWN_SERVER.test(server)) || OWN_TOOL.test(tool);
}

/** A name of the setting `capture_exclude_tools`; `*` stands for anything. */
export function isExcludedTool(tool: string, excluded: readonly string[]): boolean {
  return excluded.some((pattern) => matchesName(pattern, tool));
}

/** Without regard to case; `*` stands for anything. */
export function matchesName(pattern: string, name: string): boolean {
  return matchesSigns(readStars(pattern.toLowerCase()), name.toLowerCase()) === true;
}
