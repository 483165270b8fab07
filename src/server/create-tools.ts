import type { Feature } from '../features/feature.ts';
import { FEATURES } from '../features/features.ts';
import { VERBS } from '../features/verb-table.ts';
import { instructionsFor, TOOL_FAMILIES } from '../mcp/family-names.ts';
import type { Tool } from '../mcp/tool.ts';
import { createToolTable, type ToolGroup, type ToolTable } from '../mcp/tool-table.ts';
import { inUsualOrder, toolsOfVerbs } from '../mcp/verb-tool.ts';
import type { Config } from '../settings/config.ts';
import type { VerbTable } from '../verbs/verb.ts';
import { systemsFor } from './declared.ts';

interface ToolSources {
  /** null: as it is without any settings. */
  config?: Config | null;
  features?: readonly Feature[] | undefined;
}

/** Every tool of the MCP server: the verbs, what the features have besides, and what other systems call theirs. */
export async function createTools(
  verbs: VerbTable = VERBS,
  { config = null, features = FEATURES }: ToolSources = {},
): Promise<ToolTable> {
  const [ours, others] = await Promise.all([groupsOf(features, config), groupsOf(systemsFor(features), config)]);
  const own = [...ours, ...toolsOfVerbs(verbs)];
  const groups = [...own, ...others];
  const names = new Set(groups.map(({ family }) => family));
  const toolsIn = (family: string): readonly Tool[] => {
    const widening = groups.flatMap((group) => (group.family === family ? (group.widen ?? []) : []));
    const tools = [...inUsualOrder(toolsOf(own, family)), ...toolsOf(others, family)];
    return tools.map((tool) => widening.reduce((widened, widen) => widen(widened), tool));
  };
  const families = Object.fromEntries(inOrder([...names]).map((family) => [family, toolsIn(family)]));
  return createToolTable({ families, groups, instructionsFor });
}

async function groupsOf(declared: readonly Feature[], config: Config | null): Promise<ToolGroup[]> {
  const lists = await Promise.all(declared.map(({ tools }) => tools?.()));
  return lists.flatMap((list) => list?.(config) ?? []);
}

function toolsOf(groups: readonly ToolGroup[], family: string): readonly Tool[] {
  return groups.flatMap((group) => (group.family === family ? (group.tools ?? []) : []));
}

/** Families whose names are not known come after the others. */
function inOrder(names: readonly string[]): readonly string[] {
  const known: readonly string[] = TOOL_FAMILIES;
  return [...known.filter((name) => names.includes(name)), ...names.filter((name) => !known.includes(name))];
}
